"""The screen in a Terminal's card, as long as no keys go to it."""

from __future__ import annotations

import math

from kavor.canvas.cards.card import NEAR, SMALL_HEADER, SMALL_LINE
from kavor.canvas.cards.cells import CELL_HEIGHT, PADDING, cell_rect
from kavor.canvas.qt import (
    QColor,
    QGraphicsItem,
    QPainter,
    QPointF,
    QRectF,
    QStyleOptionGraphicsItem,
    Qt,
    QWidget,
)
from kavor.canvas.scene.node_item import NodeItem
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.terminal.cursor import paint_cursor
from kavor.canvas.terminal.screen_picture import RowPainter
from kavor.canvas.terminal.viewer import Viewer
from kavor.terminal_frames import Modes

_SMALL_TOP = SMALL_HEADER + 2 * SMALL_LINE
"""Where the screen begins on a card that is drawn small, under its large words."""
_VEIL = 0.72


class ScreenItem(QGraphicsItem):
    def __init__(self, canvas: CanvasScene, card: NodeItem, viewer: Viewer, painter: RowPainter) -> None:
        super().__init__(card)
        self._canvas = canvas
        self.setZValue(1)
        self._card = card
        self._viewer = viewer
        self._painter = painter
        self._bounds = card.card.content
        self.notice = ""
        """Why nothing newer than this comes; empty while it does."""
        viewer.drawn.connect(self._on_drawn)

    def release(self) -> None:
        """Follow the viewer no longer."""
        self._viewer.drawn.disconnect(self._on_drawn)

    def freeze(self, why: str) -> None:
        """Keep what was seen last, and say why nothing newer comes."""
        self.notice = why
        self.setVisible(True)
        self.update()

    def adjust(self) -> None:
        """The card has another size."""
        self.prepareGeometryChange()
        self._bounds = self._card.card.content

    def set_painter(self, painter: RowPainter) -> None:
        self._painter = painter

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        detail = option.levelOfDetailFromTransform(painter.worldTransform())
        area = self._area(detail)
        if self._viewer.is_here:
            self._paint_screen(painter, area, detail, widget)
        if self.notice:
            self._paint_notice(painter, area)

    def _paint_screen(self, painter: QPainter, area: QRectF, detail: float, widget: QWidget | None) -> None:
        place = self._place(area)
        painter.save()
        painter.setClipRect(area)
        ratio = widget.devicePixelRatioF() if widget is not None else 1.0
        self._show_picture(painter, place, detail * ratio, ratio)
        painter.translate(place.topLeft())
        if not self.notice:
            paint_cursor(painter, self._painter, self._viewer, in_use=False)
        painter.restore()

    def _paint_notice(self, painter: QPainter, area: QRectF) -> None:
        look = self._canvas.look
        veil = QColor(look.theme.screen)
        veil.setAlphaF(_VEIL)
        painter.fillRect(area, veil)
        painter.setFont(look.fonts.strong if self._canvas.shows_buttons else look.fonts.middle)
        painter.setPen(look.theme.screen_text)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.notice)

    def _area(self, detail: float) -> QRectF:
        """Where cells may be."""
        area = self._bounds.adjusted(PADDING, PADDING, -PADDING, -PADDING)
        if detail < NEAR:
            area.setTop(_SMALL_TOP + PADDING / 2)
        return area

    def _place(self, area: QRectF) -> QRectF:
        """Of the whole screen, in the item's coordinates. Where only a part of it has room, that is the
        part with the newest lines, or the top of a full-screen program."""
        extent = self._viewer.size.extent
        place = QRectF(area.topLeft(), extent)
        screen = self._viewer.screen
        if not screen.modes & Modes.ALTERNATE_SCREEN:
            used = (self._viewer.screen.cursor.y + 1) * CELL_HEIGHT
            room = math.floor(area.height() / CELL_HEIGHT) * CELL_HEIGHT
            place.translate(0, -max(0.0, used - room))
        return place

    def _show_picture(self, painter: QPainter, place: QRectF, scale: float, ratio: float) -> None:
        picture = self._viewer.picture
        if not math.isclose(scale, picture.scale, rel_tol=1e-3):
            picture.show(painter, place)  # on its way to another zoom
            return
        world = painter.worldTransform()
        corner = world.map(place.topLeft())
        snapped = QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
        painter.resetTransform()
        picture.show_sharp(painter, snapped, ratio)
        painter.setWorldTransform(world)

    def _on_drawn(self, lines: set[int]) -> None:
        if not self.isVisible() or not lines:
            return
        if self._canvas.shows_buttons:  # near enough that all of the card is drawn
            first, last = min(lines), max(lines)
            rows = cell_rect(0, first, self._viewer.size.columns).united(
                cell_rect(0, last, self._viewer.size.columns)
            )
            corner = self._bounds.topLeft() + QPointF(PADDING, PADDING)
            self.update(rows.translated(corner).adjusted(-1, -1, 1, 1))
        else:
            self.update()

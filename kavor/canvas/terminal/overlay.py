"""How a Terminal in use looks: the picture of its screen, and over it what is marked, the cursor, what an
input method composes, and a ring around all."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kavor.canvas.cards.cells import PADDING, cell_rect
from kavor.canvas.qt import QPainter, QPainterPath, QPen, QPointF, QRectF, Qt
from kavor.canvas.terminal.colours import Ink
from kavor.canvas.terminal.cursor import paint_cursor
from kavor.canvas.terminal.marking import Marking
from kavor.canvas.terminal.screen_picture import RowPainter
from kavor.canvas.terminal.viewer import Viewer

_CORNER = 9.0
"""Of the card, at the bottom; canvas units."""
_RING = 2.0
_THUMB = 4.0
_SHORTEST_THUMB = 24.0


@dataclass(frozen=True)
class Sight:
    """``zoom`` is device-independent pixels per canvas unit, ``ratio`` device pixels to one of these."""

    zoom: float
    ratio: float
    in_use: bool
    cursor_is_on: bool
    composed: str


class Overlay:
    def __init__(self, viewer: Viewer, marking: Marking, rows: RowPainter) -> None:
        self.rows = rows
        self._viewer = viewer
        self._marking = marking

    def paint(self, painter: QPainter, room: QRectF, sight: Sight) -> None:
        colours = self.rows.colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillPath(_outline(room, sight.zoom), colours.ground)
        if self._viewer.is_here:
            self._paint_picture(painter, sight)
            self._paint_over(painter, sight)
        if self._viewer.is_scrolled:
            self._paint_thumb(painter, room, sight.zoom)
        painter.setPen(QPen(colours.accent if sight.in_use else colours.idle, _RING))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inset = _RING / 2
        painter.drawPath(_outline(room.adjusted(inset, inset, -inset, -inset), sight.zoom))

    def _paint_picture(self, painter: QPainter, sight: Sight) -> None:
        picture, ratio = self._viewer.picture, sight.ratio
        corner = QPointF(PADDING, PADDING) * sight.zoom
        if math.isclose(picture.scale, sight.zoom * ratio, rel_tol=1e-3):
            snapped = QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
            picture.show_sharp(painter, snapped, ratio)
        else:
            picture.show(painter, QRectF(corner, self._viewer.size.extent * sight.zoom))

    def _paint_over(self, painter: QPainter, sight: Sight) -> None:
        painter.save()
        painter.scale(sight.zoom, sight.zoom)
        painter.translate(PADDING, PADDING)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for stretch in self._marking.rects():
            painter.fillRect(stretch, self.rows.colours.marked)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if sight.composed:
            self._paint_composed(painter, sight.composed)
        elif sight.cursor_is_on:
            paint_cursor(painter, self.rows, self._viewer, in_use=sight.in_use)
        painter.restore()

    def _paint_composed(self, painter: QPainter, text: str) -> None:
        cursor, colours = self._viewer.screen.cursor, self.rows.colours
        column = cursor.x
        ink = Ink(colours.text, None, colours.text)
        for character in text:
            width = 1 if character.isascii() else 2
            place = cell_rect(column, cursor.y, width)
            painter.fillRect(place, colours.composed)
            self.rows.paint_grapheme(painter, character, place, ink)
            column += width

    def _paint_thumb(self, painter: QPainter, room: QRectF, zoom: float) -> None:
        """Where in the text above the screen this is."""
        above, lines = self._viewer.screen.scrollback, self._viewer.size.lines
        track = room.adjusted(0, PADDING * zoom, -_RING - 3, -PADDING * zoom)
        height = max(_SHORTEST_THUMB, track.height() * lines / (above + lines))
        top = track.top() + (track.height() - height) * self._viewer.top / max(1, above)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.rows.colours.accent)
        painter.drawRoundedRect(QRectF(track.right() - _THUMB, top, _THUMB, height), _THUMB / 2, _THUMB / 2)


def _outline(rect: QRectF, zoom: float) -> QPainterPath:
    """Square above and round below, as the card is."""
    corner = min(_CORNER * zoom, rect.height() / 2)
    path = QPainterPath()
    path.addRoundedRect(rect, corner, corner)
    upper = QPainterPath()
    upper.addRect(rect.adjusted(0, 0, 0, -rect.height() / 2))
    return path.united(upper)

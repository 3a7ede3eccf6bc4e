"""A Node on the canvas. It says what its card's face says, and asks for that only when it is painted."""

from __future__ import annotations

from kavor.canvas.cards import card_of
from kavor.canvas.cards.brush import Brush
from kavor.canvas.cards.card import Card
from kavor.canvas.cards.face import Button, Face
from kavor.canvas.qt import (
    QGraphicsItem,
    QGraphicsSceneHoverEvent,
    QPainter,
    QPen,
    QPointF,
    QRectF,
    QStyleOptionGraphicsItem,
    Qt,
    QWidget,
)
from kavor.canvas.scene.stage import Stage
from kavor.canvas.things import Node

HANDLE = 5.0
"""Radius of a handle: where a Connection is begun."""

AMONG_OTHERS, ABOVE_OTHERS = 1.0, 2.0
"""How high a card lies: over every Connection; while it is dragged, over every other card."""

_REACH = HANDLE + 3
_GRASP = 12.0
_GRIP = 18.0
"""Of the corner that resizes a card."""


class NodeItem(QGraphicsItem):
    def __init__(self, stage: Stage, node: Node) -> None:
        super().__init__()
        self.node_id = node.id
        self.kind = node.kind
        self.card = card_of(node.kind)
        self._stage = stage
        self._face: Face | None = None
        self._hovered: Button | None = None
        self._pointed_at = False
        self._bounds = self.card.rect.adjusted(-_REACH, -_REACH, _REACH, _REACH)
        self.setPos(node.x, node.y)
        self.setZValue(AMONG_OTHERS)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setAcceptHoverEvents(True)

    @property
    def face(self) -> Face:
        if self._face is None:
            self._face = self._stage.face_of(self.node_id)
        return self._face

    def refresh(self) -> None:
        """The model says something else about it now."""
        self._face = None
        self._hovered = None
        self.update()

    def button_at(self, at: QPointF) -> Button | None:
        """The button under a point of this item, where buttons are drawn."""
        if not self._stage.shows_buttons:
            return None
        return next((button for button in self.face.buttons if button.rect.contains(at)), None)

    def handles(self) -> list[QPointF]:
        """One in the middle of each side, in the item's own coordinates."""
        rect = self.card.rect
        return [
            QPointF(rect.right(), rect.center().y()),
            QPointF(rect.center().x(), rect.bottom()),
            QPointF(rect.left(), rect.center().y()),
            QPointF(rect.center().x(), rect.top()),
        ]

    def handle_at(self, at: QPointF) -> QPointF | None:
        """The handle that a hand at this point would grasp."""
        near = (spot for spot in self.handles() if (spot - at).manhattanLength() <= _GRASP)
        return next(near, None)

    def grip_at(self, at: QPointF) -> bool:
        """Whether a hand at this point would resize the card."""
        rect = self.card.rect
        grip = QRectF(rect.right() - _GRIP, rect.bottom() - _GRIP, _GRIP, _GRIP)
        return self.card.resizable and self._stage.shows_buttons and grip.contains(at)

    def set_card(self, card: Card) -> None:
        """The same kind in another size."""
        self.prepareGeometryChange()
        self.card = card
        self._bounds = card.rect.adjusted(-_REACH, -_REACH, _REACH, _REACH)
        self.refresh()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        detail = option.levelOfDetailFromTransform(painter.worldTransform())
        ratio = widget.devicePixelRatioF() if widget is not None else 1.0
        brush = Brush(painter, self._stage.look, detail * ratio)
        selected = self.isSelected()
        self.card.paint(brush, self.face, detail, selected=selected, hovered=self._hovered)
        if self._pointed_at or selected:
            self._paint_handles(painter)
            if self.card.resizable and self._stage.shows_buttons:
                self._paint_grip(painter)

    def _paint_grip(self, painter: QPainter) -> None:
        corner = self.card.rect.bottomRight() - QPointF(5, 5)
        painter.setPen(QPen(self._stage.look.theme.faint, 1.5))
        for reach in (4.0, 8.0):
            painter.drawLine(corner - QPointF(reach, 0), corner - QPointF(0, reach))

    def _paint_handles(self, painter: QPainter) -> None:
        theme = self._stage.look.theme
        painter.setPen(QPen(theme.accent, 1.5))
        painter.setBrush(theme.card)
        for spot in self.handles():
            painter.drawEllipse(spot, HANDLE, HANDLE)

    def hoverEnterEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        self._pointed_at = True
        self.update()

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        button = self.button_at(event.pos())
        self.setCursor(self._cursor_at(event.pos(), button))
        if button != self._hovered:
            self._hovered = button
            self.update()

    def _cursor_at(self, at: QPointF, button: Button | None) -> Qt.CursorShape:
        if button is not None:
            return Qt.CursorShape.PointingHandCursor
        if self.handle_at(at) is not None:
            return Qt.CursorShape.CrossCursor
        return Qt.CursorShape.SizeFDiagCursor if self.grip_at(at) else Qt.CursorShape.ArrowCursor

    def hoverLeaveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        self._pointed_at = False
        self._hovered = None
        self.update()

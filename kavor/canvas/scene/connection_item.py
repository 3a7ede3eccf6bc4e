"""A Connection on the canvas: a quiet curve under the cards, and the sign of what it carries or forbids."""

from __future__ import annotations

from kavor.canvas.guardrail_words import guardrail_words
from kavor.canvas.qt import (
    QGraphicsItem,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QRectF,
    QStyleOptionGraphicsItem,
    Qt,
    QWidget,
)
from kavor.canvas.scene.connection_sign import ConnectionSign
from kavor.canvas.scene.curve import curve
from kavor.canvas.scene.stage import Stage
from kavor.canvas.things import Connection

_GRASP = 12.0
"""How wide the curve is for a hand."""


class ConnectionItem(QGraphicsItem):
    """``sign`` is an item of its own, since it may stand over cards; the scene adds and removes both."""

    def __init__(self, stage: Stage, connection: Connection) -> None:
        super().__init__()
        self.connection = connection
        self.sign = ConnectionSign(stage, connection)
        self._stage = stage
        self._path = QPainterPath()
        self._bounds = QRectF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.show_connection(connection)

    def show_connection(self, connection: Connection) -> None:
        """It carries or forbids something else now."""
        self.connection = connection
        words = guardrail_words(connection.guardrail) if connection.guardrail else connection.env or ""
        self.setToolTip(words)
        self.sign.show_connection(connection, words)
        self.adjust()
        self.update()

    def adjust(self) -> None:
        """One of its cards stands elsewhere."""
        self._path = curve(self._stage.card_rect(self.connection.a), self._stage.card_rect(self.connection.b))
        self.settle_sign()

    def settle_sign(self) -> None:
        """A card on its way came, went or moved."""
        self.prepareGeometryChange()
        self._bounds = self.way.adjusted(-3, -3, 3, 3)
        if self.sign.is_needed:
            self.sign.settle(self._path, self._stage.cards_in(self.way))
            self._bounds = self._bounds.united(self.sign.sceneBoundingRect())
        else:
            self.sign.settle(self._path, [])

    @property
    def way(self) -> QRectF:
        """Around its curve, in the scene's coordinates."""
        return self._path.controlPointRect()

    @property
    def sign_rect(self) -> QRectF:
        """Where what it carries is written, or would be."""
        return self.sign.rect

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        stroker = QPainterPathStroker()
        stroker.setWidth(_GRASP)
        return stroker.createStroke(self._path)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        theme = self._stage.look.theme
        painter.setPen(QPen(theme.accent, 3) if self.isSelected() else self._stage.connection_pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._path)

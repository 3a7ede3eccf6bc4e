"""A Connection on the canvas: a quiet curve under the cards."""

from __future__ import annotations

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
from kavor.canvas.scene.curve import curve
from kavor.canvas.scene.stage import Stage
from kavor.canvas.things import Connection

_GRASP = 12.0
"""How wide the curve is for a hand."""


class ConnectionItem(QGraphicsItem):
    def __init__(self, stage: Stage, connection: Connection) -> None:
        super().__init__()
        self.connection = connection
        self._stage = stage
        self._path = QPainterPath()
        self._bounds = QRectF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.adjust()

    def adjust(self) -> None:
        """One of its cards stands elsewhere."""
        self.prepareGeometryChange()
        self._path = curve(self._stage.card_rect(self.connection.a), self._stage.card_rect(self.connection.b))
        self._bounds = self._path.controlPointRect().adjusted(-3, -3, 3, 3)

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

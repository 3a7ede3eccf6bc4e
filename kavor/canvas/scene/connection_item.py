"""A Connection on the canvas: a quiet curve under the cards, with what it carries or forbids halfway."""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.guardrail_words import guardrail_words
from kavor.canvas.qt import (
    QGraphicsItem,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QPointF,
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
_SHIELD, _SHIELD_AFAR = 24.0, 48.0
"""Diameter of a Guardrail's sign, near and where cards are drawn small."""
_PILL_HEIGHT = 20.0
_ICON_RATIO = 2.0


class ConnectionItem(QGraphicsItem):
    def __init__(self, stage: Stage, connection: Connection) -> None:
        super().__init__()
        self.connection = connection
        self._stage = stage
        self._path = QPainterPath()
        self._middle = QPointF()
        self._bounds = QRectF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.show_connection(connection)

    def show_connection(self, connection: Connection) -> None:
        """It carries or forbids something else now."""
        self.connection = connection
        words = guardrail_words(connection.guardrail) if connection.guardrail else connection.env or ""
        self.setToolTip(words)
        self.adjust()
        self.update()

    def adjust(self) -> None:
        """One of its cards stands elsewhere."""
        self.prepareGeometryChange()
        self._path = curve(self._stage.card_rect(self.connection.a), self._stage.card_rect(self.connection.b))
        self._middle = self._path.pointAtPercent(0.5)
        self._bounds = self._path.controlPointRect().adjusted(-3, -3, 3, 3)
        for sign in self._signs():
            self._bounds = self._bounds.united(sign.adjusted(-2, -2, 2, 2))

    @property
    def sign_rect(self) -> QRectF:
        """In its middle, where what it carries is written."""
        return next(iter(self._signs()), _around(self._middle, _SHIELD, _SHIELD))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        stroker = QPainterPathStroker()
        stroker.setWidth(_GRASP)
        grasp = stroker.createStroke(self._path)
        for sign in self._signs():
            grasp.addRect(sign)
        return grasp

    def _signs(self) -> list[QRectF]:
        """Where the sign in its middle may be painted."""
        if self.connection.guardrail:
            return [_around(self._middle, _SHIELD_AFAR, _SHIELD_AFAR)]
        if self.connection.env:
            width = self._stage.look.fonts.metrics(self._stage.look.fonts.mono_small)
            return [_around(self._middle, width.horizontalAdvance(self.connection.env) + 18, _PILL_HEIGHT)]
        return []

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        theme = self._stage.look.theme
        painter.setPen(QPen(theme.accent, 3) if self.isSelected() else self._stage.connection_pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._path)
        if self.connection.guardrail:
            self._paint_shield(painter)
        elif self.connection.env and self._stage.shows_buttons:
            self._paint_variable(painter, self.connection.env)

    def _paint_shield(self, painter: QPainter) -> None:
        theme = self._stage.look.theme
        size = _SHIELD if self._stage.shows_buttons else _SHIELD_AFAR
        self._paint_ground(painter, _around(self._middle, size, size), size / 2)
        icon = _around(self._middle, size * 0.66, size * 0.66)
        picture = themes.pixmap("shield", theme.warn, round(icon.width()), _ICON_RATIO)
        painter.drawPixmap(icon, picture, QRectF(picture.rect()))

    def _paint_variable(self, painter: QPainter, name: str) -> None:
        look, (pill,) = self._stage.look, self._signs()
        self._paint_ground(painter, pill, _PILL_HEIGHT / 2)
        painter.setFont(look.fonts.mono_small)
        painter.setPen(look.theme.muted)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, name)

    def _paint_ground(self, painter: QPainter, place: QRectF, radius: float) -> None:
        theme = self._stage.look.theme
        painter.setPen(QPen(theme.accent if self.isSelected() else theme.border_strong, 1))
        painter.setBrush(theme.card)
        painter.drawRoundedRect(place, radius, radius)


def _around(middle: QPointF, width: float, height: float) -> QRectF:
    return QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)

"""What a Connection carries or forbids: a sign on its wire, where the wire is seen.

A wire runs under the cards. Its sign stands as near to the middle as no card covers it, and over the edges of
two cards that leave it too little room.
"""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.qt import (
    QGraphicsItem,
    QPainter,
    QPainterPath,
    QPen,
    QPointF,
    QRectF,
    QSizeF,
    QStyleOptionGraphicsItem,
    Qt,
    QWidget,
)
from kavor.canvas.scene.stage import Stage
from kavor.canvas.things import Connection

_SHIELD, _SHIELD_AFAR = QSizeF(24, 24), QSizeF(48, 48)
"""A Guardrail's, near and where cards are drawn small."""
_PILL_HEIGHT, _PILL_EDGE = 20.0, 18.0
_ICON_RATIO = 2.0
_STEP, _STEPS_AT_MOST = 6.0, 80
"""Canvas units between two places that are looked at, and how many are looked at to each side."""

_NOTHING = 0.01
"""Of an area, in square canvas units: sums of fractions are not exact."""

OVER_CARDS, UNDER_CARDS = 1.5, 0.5
"""Cards stand at 1, and one that is dragged at 2."""


class ConnectionSign(QGraphicsItem):
    """Stands at the origin of its own coordinates."""

    def __init__(self, stage: Stage, connection: Connection) -> None:
        super().__init__()
        self.connection = connection
        self._stage = stage
        self._bounds = QRectF()
        self.setZValue(OVER_CARDS)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.show_connection(connection, "")

    def show_connection(self, connection: Connection, words: str) -> None:
        """It carries or forbids something else now, or nothing."""
        self.prepareGeometryChange()
        self.connection = connection
        self.setToolTip(words)
        self.setVisible(self.is_needed)
        self._bounds = _around(self._sizes()[0]).adjusted(-2, -2, 2, 2)
        self.update()

    @property
    def is_needed(self) -> bool:
        return bool(self.connection.guardrail or self.connection.env)

    @property
    def rect(self) -> QRectF:
        """What it takes at the least, in the scene's coordinates."""
        return _around(self._sizes()[-1]).translated(self.pos())

    def settle(self, wire: QPainterPath, cards: list[QRectF]) -> None:
        """Stand where ``wire`` is seen between these cards; under them where all of it is covered."""
        for size in self._sizes():
            spot, covered = _least_covered(wire, size, cards)
            if covered < _NOTHING:
                break
        self.setPos(spot)
        self.setZValue(UNDER_CARDS if covered > size.width() * size.height() - _NOTHING else OVER_CARDS)

    def _sizes(self) -> list[QSizeF]:
        """Those in which it may be painted, the largest first."""
        if self.connection.guardrail or not self.connection.env:
            return [_SHIELD_AFAR, _SHIELD]
        fonts = self._stage.look.fonts
        width = fonts.metrics(fonts.mono_small).horizontalAdvance(self.connection.env)
        return [QSizeF(width + _PILL_EDGE, _PILL_HEIGHT)]

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if self.connection.guardrail:
            self._paint_shield(painter)
        elif self.connection.env and self._stage.shows_buttons:
            self._paint_variable(painter, self.connection.env)

    def _paint_shield(self, painter: QPainter) -> None:
        size = _SHIELD if self._stage.shows_buttons else _SHIELD_AFAR
        self._paint_ground(painter, _around(size), size.height() / 2)
        icon = _around(size * 0.66)
        picture = themes.pixmap("shield", self._stage.look.theme.warn, round(icon.width()), _ICON_RATIO)
        painter.drawPixmap(icon, picture, QRectF(picture.rect()))

    def _paint_variable(self, painter: QPainter, name: str) -> None:
        look, pill = self._stage.look, _around(self._sizes()[0])
        self._paint_ground(painter, pill, _PILL_HEIGHT / 2)
        painter.setFont(look.fonts.mono_small)
        painter.setPen(look.theme.muted)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, name)

    def _paint_ground(self, painter: QPainter, place: QRectF, radius: float) -> None:
        theme = self._stage.look.theme
        chosen = self._stage.is_selected(self.connection)
        painter.setPen(QPen(theme.accent if chosen else theme.border_strong, 1))
        painter.setBrush(theme.card)
        painter.drawRoundedRect(place, radius, radius)


def _least_covered(wire: QPainterPath, size: QSizeF, cards: list[QRectF]) -> tuple[QPointF, float]:
    """The place on a wire nearest to its middle where the least of such a sign is covered, and how much."""
    steps = min(_STEPS_AT_MOST, int(wire.length() / 2 / _STEP))
    best, least = wire.pointAtPercent(0.5), float("inf")
    for step in range(steps + 1):
        for side in (-1, 1) if step else (1,):
            spot = wire.pointAtPercent(0.5 + side * step / (2 * steps or 1))
            sign = _around(size).translated(spot)
            covered = sum(_area(sign.intersected(card)) for card in cards)
            if covered < least - _NOTHING:
                best, least = spot, covered
            if least < _NOTHING:
                return best, least
    return best, least


def _area(rect: QRectF) -> float:
    return rect.width() * rect.height()


def _around(size: QSizeF) -> QRectF:
    return QRectF(-size.width() / 2, -size.height() / 2, size.width(), size.height())

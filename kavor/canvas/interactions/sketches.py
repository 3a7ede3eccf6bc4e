"""What gestures paint over the canvas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kavor.canvas.cards.brush import RADIUS
from kavor.canvas.qt import QColor, QLineF, QPainter, QPainterPath, QPen, QRectF, Qt
from kavor.canvas.theme import Theme

_VEIL = 0.55
_WASH = 0.14


def paint_area(painter: QPainter, theme: Theme, area: QRectF) -> None:
    """The rectangle of a selection in the making."""
    painter.setPen(QPen(theme.accent, 0))
    painter.setBrush(_thin(theme.accent, _WASH))
    painter.drawRect(area)


def paint_guides(painter: QPainter, theme: Theme, guides: Sequence[QLineF]) -> None:
    """Where a dragged card lines up with others."""
    painter.setPen(QPen(theme.accent, 0, Qt.PenStyle.DashLine))
    painter.drawLines(guides)


def paint_wire(painter: QPainter, theme: Theme, path: QPainterPath, *, refused: bool) -> None:
    """A Connection in the making."""
    painter.setPen(QPen(theme.bad, 2, Qt.PenStyle.DashLine) if refused else QPen(theme.accent, 2.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)


def paint_lit(painter: QPainter, theme: Theme, cards: Iterable[QRectF]) -> None:
    """Cards that a wire may end at."""
    painter.setPen(QPen(theme.accent, 2))
    painter.setBrush(_thin(theme.accent, 0.06))
    for card in cards:
        painter.drawRoundedRect(card.adjusted(-3, -3, 3, 3), RADIUS + 3, RADIUS + 3)


def paint_chosen(painter: QPainter, theme: Theme, card: QRectF) -> None:
    """The card that it would end at now."""
    painter.setPen(QPen(theme.accent, 3))
    painter.setBrush(_thin(theme.accent, _WASH))
    painter.drawRoundedRect(card.adjusted(-4, -4, 4, 4), RADIUS + 4, RADIUS + 4)


def paint_veiled(painter: QPainter, theme: Theme, cards: Iterable[QRectF]) -> None:
    """Cards that a wire may not end at."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_thin(theme.canvas, _VEIL))
    for card in cards:
        painter.drawRoundedRect(card.adjusted(-1, -1, 1, 1), RADIUS, RADIUS)


def paint_ghost(painter: QPainter, theme: Theme, card: QRectF) -> None:
    """Where a new card would stand."""
    painter.setPen(QPen(theme.accent, 1.5, Qt.PenStyle.DashLine))
    painter.setBrush(_thin(theme.accent, _WASH))
    painter.drawRoundedRect(card, RADIUS, RADIUS)


def _thin(colour: QColor, share: float) -> QColor:
    thinned = QColor(colour)
    thinned.setAlphaF(share)
    return thinned

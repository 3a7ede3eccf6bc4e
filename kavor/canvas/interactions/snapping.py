"""Lines that dragged cards fall into: the edges and middles of cards nearby."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kavor.canvas.qt import QLineF, QPointF, QRectF

REACH = 7.0
"""Pixels on screen within which a line attracts."""

_MOST = 300
"""With more cards in view than this nothing attracts: every place would."""


@dataclass(frozen=True)
class Snap:
    """``by`` is what the rectangle is to be moved by, along ``guides``."""

    by: QPointF
    guides: tuple[QLineF, ...]


def snap(moving: QRectF, others: Sequence[QRectF], reach: float) -> Snap:
    """``reach`` in canvas units."""
    if not 0 < len(others) <= _MOST:
        return Snap(QPointF(0, 0), ())
    across = _nearest(_across(moving), [(x, rect) for rect in others for x in _across(rect)], reach)
    down = _nearest(_down(moving), [(y, rect) for rect in others for y in _down(rect)], reach)
    by = QPointF(0.0 if across is None else across[0], 0.0 if down is None else down[0])
    placed = moving.translated(by)
    guides = []
    if across is not None:
        around = placed.united(across[2])
        guides.append(QLineF(across[1], around.top(), across[1], around.bottom()))
    if down is not None:
        around = placed.united(down[2])
        guides.append(QLineF(around.left(), down[1], around.right(), down[1]))
    return Snap(by, tuple(guides))


def _across(rect: QRectF) -> tuple[float, float, float]:
    return rect.left(), rect.center().x(), rect.right()


def _down(rect: QRectF) -> tuple[float, float, float]:
    return rect.top(), rect.center().y(), rect.bottom()


def _nearest(
    own: Sequence[float], lines: Sequence[tuple[float, QRectF]], reach: float
) -> tuple[float, float, QRectF] | None:
    """How far to the nearest line, where it is, and whose."""
    found = [(line - mine, line, rect) for line, rect in lines for mine in own if abs(line - mine) <= reach]
    return min(found, key=lambda each: abs(each[0]), default=None)

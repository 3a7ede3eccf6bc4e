"""Where cards are in relation to each other: the next one that way, the order of reading, a free place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kavor.canvas.qt import QPoint, QPointF, QRectF, QSizeF

_GAP = 24.0
"""Around a new card, and the step in which a place for it is sought."""

_RINGS = 40
_FARTHEST = _RINGS * _GAP

_ROW = 120.0
"""Cards whose tops differ by less are read as one row."""

_SIDEWAYS = 2.0
"""How much worse it is to be off to the side than far ahead."""


def neighbour(cards: Mapping[str, QRectF], start: str, way: QPoint) -> str | None:
    """The card that is next in a direction (a unit vector); None where there is none."""
    here = cards[start].center()

    def cost(node_id: str) -> float | None:
        there = cards[node_id].center() - here
        ahead = there.x() * way.x() + there.y() * way.y()
        aside = abs(there.x() * way.y()) + abs(there.y() * way.x())
        return None if ahead <= 0 or aside > ahead * _SIDEWAYS else ahead + _SIDEWAYS * aside

    found = [(value, node_id) for node_id in cards if (value := cost(node_id)) is not None]
    return min(found)[1] if found else None


def reading_order(cards: Mapping[str, QRectF]) -> list[str]:
    """Row by row from the top, each from the left."""
    ordered: list[str] = []
    row: list[str] = []
    top = 0.0
    for node_id in sorted(cards, key=lambda each: cards[each].top()):
        if row and cards[node_id].top() - top >= _ROW:
            ordered += sorted(row, key=lambda each: cards[each].left())
            row = []
        if not row:
            top = cards[node_id].top()
        row.append(node_id)
    return ordered + sorted(row, key=lambda each: cards[each].left())


def free_place(cards: Iterable[QRectF], size: QSizeF, wanted: QPointF) -> QPointF:
    """The top left corner nearest to the wanted one where a card of this size covers no other."""
    around = QRectF(wanted, size).adjusted(-_FARTHEST, -_FARTHEST, _FARTHEST, _FARTHEST)
    taken = [card.adjusted(-_GAP, -_GAP, _GAP, _GAP) for card in cards if card.intersects(around)]
    for corner in _around(wanted):
        room = QRectF(corner, size)
        if not any(room.intersects(card) for card in taken):
            return corner
    return wanted


def _around(wanted: QPointF) -> Iterator[QPointF]:
    """Places on a grid, ring by ring, and in each ring the nearest first; at the right before the left."""
    yield wanted
    for ring in range(1, _RINGS + 1):
        steps = [(x, y) for x in range(-ring, ring + 1) for y in (-ring, ring)]
        steps += [(x, y) for y in range(-ring + 1, ring) for x in (-ring, ring)]
        for x, y in sorted(steps, key=lambda step: (abs(step[0]) + abs(step[1]), -step[0], -step[1])):
            yield wanted + QPointF(x * _GAP, y * _GAP)

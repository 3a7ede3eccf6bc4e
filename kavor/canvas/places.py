"""Where cards are in relation to each other: the next one that way, the order of reading, a free place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kavor.canvas.qt import QPoint, QPointF, QRectF, QSizeF

_GAP = 24.0
"""Around a new card."""

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
    taken = list(cards)
    for corner in _around(wanted, size):
        room = QRectF(corner, size).adjusted(-_GAP, -_GAP, _GAP, _GAP)
        if not any(room.intersects(card) for card in taken):
            return corner
    return wanted


def _around(wanted: QPointF, size: QSizeF) -> Iterator[QPointF]:
    """Rings of places, nearest first."""
    across, down = size.width() / 2, size.height() / 2
    yield wanted
    for ring in range(1, 24):
        steps = [(x, y) for x in range(-ring, ring + 1) for y in range(-ring, ring + 1)]
        edge = [(x, y) for x, y in steps if max(abs(x), abs(y)) == ring]
        for x, y in sorted(edge, key=lambda step: (abs(step[0]) + abs(step[1]), -step[0], -step[1])):
            yield wanted + QPointF(x * across, y * down)

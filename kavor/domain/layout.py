"""Where a card goes on the Canvas when nobody says: beside what it is likely to be joined to. It lies over no
other card and over no wire, where there is such a place.

Canvas units are pixels at 100 %; y grows downwards. A place is that of the top left corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import hypot

from kavor.domain.graph import NodeKind, can_be_joined

GAP = 48.0
"""Between a new card and those beside it: room for a wire."""
_LEAST_GAP = 40.0
_BESIDE_WIRE = 12.0
_LOOKED_AT = 14
"""Cards near by that a new one may be lined up with."""
_WORSE_SIDE = 120.0
"""How much further away a card may be for standing at a better side."""
_IN_THE_WAY = 1_200.0
"""How much further away for each wire that is not hidden by it."""

SIZES: Mapping[NodeKind, tuple[float, float]] = {
    NodeKind.SCHEDULE: (320.0, 272.0),
    NodeKind.CODING_AGENT: (400.0, 460.0),
    NodeKind.TERMINAL: (582.0, 433.0),
    NodeKind.FILE: (320.0, 240.0),
    NodeKind.STICKY_NOTE: (240.0, 220.0),
    NodeKind.SPECIFICATION: (340.0, 320.0),
}
"""Width and height of a card as it is first shown."""

Place = tuple[float, float]
Wire = tuple[Place, Place]


class _Side(Enum):
    LEFT = auto()
    RIGHT = auto()
    ABOVE = auto()
    BELOW = auto()


_S = _Side
_BESIDE_IT = {
    NodeKind.SCHEDULE: (_S.LEFT, _S.ABOVE, _S.BELOW, _S.RIGHT),
    NodeKind.CODING_AGENT: (_S.RIGHT, _S.BELOW, _S.LEFT, _S.ABOVE),
    NodeKind.TERMINAL: (_S.RIGHT, _S.BELOW, _S.ABOVE, _S.LEFT),
    NodeKind.FILE: (_S.BELOW, _S.ABOVE, _S.RIGHT, _S.LEFT),
    NodeKind.STICKY_NOTE: (_S.BELOW, _S.ABOVE, _S.RIGHT, _S.LEFT),
    NodeKind.SPECIFICATION: (_S.BELOW, _S.ABOVE, _S.RIGHT, _S.LEFT),
}
"""Where a card of a kind stands, from best to worst: time flows from the left, and texts lie under it."""


@dataclass(frozen=True)
class Box:
    """Where a card stands."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def of(cls, kind: NodeKind, x: float, y: float) -> Box:
        return cls(x, y, *SIZES[kind])

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> Place:
        return self.x + self.width / 2, self.y + self.height / 2

    def is_near(self, other: Box, gap: float) -> bool:
        """Whether there is less than ``gap`` between them."""
        return (
            self.x < other.right + gap
            and other.x < self.right + gap
            and self.y < other.bottom + gap
            and other.y < self.bottom + gap
        )

    def is_crossed_by(self, wire: Wire, margin: float = 0.0) -> bool:
        """Whether a straight wire passes over it, or no further away than ``margin``."""
        (x, y), (end_x, end_y) = wire
        first, last = 0.0, 1.0
        for start, way, low, high in (
            (x, end_x - x, self.x - margin, self.right + margin),
            (y, end_y - y, self.y - margin, self.bottom + margin),
        ):
            if way == 0:
                if not low < start < high:
                    return False
                continue
            entered, left = sorted(((low - start) / way, (high - start) / way))
            first, last = max(first, entered), min(last, left)
        return first < last


def wire_between(one: Box, other: Box) -> Wire:
    """From the middle of the side that faces the other card, to that of the side that faces back."""
    side = _side_of(other, beside=one)
    return {
        _S.RIGHT: ((one.right, one.middle[1]), (other.x, other.middle[1])),
        _S.LEFT: ((one.x, one.middle[1]), (other.right, other.middle[1])),
        _S.BELOW: ((one.middle[0], one.bottom), (other.middle[0], other.y)),
        _S.ABOVE: ((one.middle[0], one.y), (other.middle[0], other.bottom)),
    }[side]


def partner_of(kind: NodeKind, others: Sequence[NodeKind]) -> int | None:
    """Which of the Nodes that are there, oldest first, a new one is likely to be joined to: the newest agent
    that it can be joined to, else the newest other one; else it goes beside the newest of all."""
    joinable = [place for place, other in enumerate(others) if can_be_joined(kind, other)]
    agents = [place for place in joinable if others[place] is NodeKind.CODING_AGENT]
    likely = agents if kind is not NodeKind.SCHEDULE else []
    found = likely or joinable or range(len(others))
    return found[-1] if found else None


def free_place(kind: NodeKind, partner: Box | None, cards: Sequence[Box], wires: Sequence[Wire]) -> Place:
    """For a card of this kind beside ``partner``, one of the ``cards``; the origin where there is none."""
    if partner is None:
        return 0.0, 0.0
    places = sorted(_places(kind, partner, cards), key=lambda box: _cost(kind, box, partner))
    best, least = None, float("inf")
    for box in places:
        cost = _cost(kind, box, partner)
        if cost >= least:
            break  # those that follow are further away
        if not any(box.is_near(card, _LEAST_GAP) for card in cards):
            cost += _IN_THE_WAY * _crossings(box, partner, cards, wires)
            if cost < least:
                best, least = box, cost
    if best is None:
        return partner.x, max(card.bottom for card in cards) + GAP
    return best.x, best.y


def _crossings(box: Box, partner: Box, cards: Sequence[Box], wires: Sequence[Wire]) -> int:
    """How many cards would hide its wire, and how many wires it would hide."""
    way = wire_between(partner, box)
    return sum(card.is_crossed_by(way) for card in cards if card != partner) + sum(
        box.is_crossed_by(wire, _BESIDE_WIRE) for wire in wires
    )


def _places(kind: NodeKind, partner: Box, cards: Sequence[Box]) -> list[Box]:
    """In line with cards near by, or beside them."""
    near = sorted(cards, key=lambda card: _distance(card, partner))[:_LOOKED_AT]
    width, height = SIZES[kind]
    across = {x for card in near for x in _lined_up(card.x, card.width, width)}
    down = {y for card in near for y in _lined_up(card.y, card.height, height)}
    return [Box(x, y, width, height) for x in sorted(across) for y in sorted(down)]


def _lined_up(start: float, length: float, own: float) -> tuple[float, ...]:
    """Where something of a length of its ``own`` begins: before, with, in the middle of, or after another."""
    return start - GAP - own, start, start + (length - own) // 2, start + length + GAP


def _cost(kind: NodeKind, box: Box, partner: Box) -> float:
    return _distance(box, partner) + _WORSE_SIDE * _BESIDE_IT[kind].index(_side_of(box, beside=partner))


def _distance(one: Box, other: Box) -> float:
    return hypot(one.middle[0] - other.middle[0], one.middle[1] - other.middle[1])


def _side_of(box: Box, *, beside: Box) -> _Side:
    across = max(box.x - beside.right, beside.x - box.right)
    down = max(box.y - beside.bottom, beside.y - box.bottom)
    if across >= down:
        return _S.RIGHT if box.middle[0] >= beside.middle[0] else _S.LEFT
    return _S.BELOW if box.middle[1] >= beside.middle[1] else _S.ABOVE

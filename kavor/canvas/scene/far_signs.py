"""The signs of states as a few straight strokes each, to be drawn by the thousand in one call.

They have the shapes of the icons, which are too costly to stamp on every card of a large graph.
"""

from __future__ import annotations

from itertools import pairwise

from kavor.canvas.qt import QLineF, QPointF

Point = tuple[float, float]

_CIRCLE: list[Point] = [(5, 12), (7, 7), (12, 5), (17, 7), (19, 12), (17, 17), (12, 19), (7, 17), (5, 12)]
_DOT: list[Point] = [(9, 12), (12, 9), (15, 12), (12, 15), (9, 12)]

_STROKES: dict[str, list[list[Point]]] = {
    "running": [[(8, 5), (8, 19), (19, 12), (8, 5)]],
    "paused": [[(8, 6), (8, 18)], [(16, 6), (16, 18)]],
    "pending": [[(5, 12), (7, 12)], [(11, 12), (13, 12)], [(17, 12), (19, 12)]],
    "delivering": [[(4, 12), (19, 12)], [(13, 6), (19, 12), (13, 18)]],
    "completed": [[(5, 13), (10, 18), (19, 7)]],
    "needs-attention": [[(12, 4), (12, 15)], [(12, 18.5), (12, 20)]],
    "fired": [_DOT],
    "failed": [[(6, 6), (18, 18)], [(18, 6), (6, 18)]],
    "interrupted": [[(15, 3), (8, 12), (15, 12), (10, 20)]],
    "blocked": [_CIRCLE, [(7, 17), (17, 7)]],
    "missed": [_CIRCLE],
    "coalesced": [[(4, 10), (8, 7), (15, 10), (20, 7)], [(4, 16), (8, 13), (15, 16), (20, 13)]],
    "open": [_DOT],
    "closed": [[(8, 8), (16, 8), (16, 16), (8, 16), (8, 8)]],
    "ended": [_CIRCLE],
}
"""On a square of 24 by 24, as the icons are."""


def sign_lines(sign: str, middle: QPointF, size: float) -> list[QLineF]:
    """The strokes of a sign of so many canvas units around a point."""
    scale = size / 24
    left, top = middle.x() - size / 2, middle.y() - size / 2
    return [
        QLineF(left + x1 * scale, top + y1 * scale, left + x2 * scale, top + y2 * scale)
        for stroke in _STROKES.get(sign, [])
        for (x1, y1), (x2, y2) in pairwise(stroke)
    ]

"""Where cards are in relation to each other."""

from __future__ import annotations

import time

from kavor.canvas.interactions.snapping import snap
from kavor.canvas.places import free_place, neighbour, reading_order
from kavor.canvas.qt import QPoint, QPointF, QRectF, QSizeF

CARD = QSizeF(300, 200)


def card(x: float, y: float) -> QRectF:
    return QRectF(QPointF(x, y), CARD)


def test_the_next_card_that_way_is_the_nearest_one_ahead() -> None:
    cards = {"here": card(0, 0), "right": card(400, 30), "far": card(900, 0), "below": card(20, 400)}
    assert neighbour(cards, "here", QPoint(1, 0)) == "right"
    assert neighbour(cards, "here", QPoint(0, 1)) == "below"
    assert neighbour(cards, "here", QPoint(-1, 0)) is None
    assert neighbour(cards, "far", QPoint(-1, 0)) == "right"


def test_cards_are_read_row_by_row() -> None:
    cards = {"d": card(400, 500), "b": card(400, -40), "a": card(0, 0), "c": card(0, 460)}
    assert reading_order(cards) == ["a", "b", "c", "d"]


def test_a_new_card_covers_no_other() -> None:
    cards = [card(0, 0), card(320, 0)]
    for _ in range(12):
        place = free_place(cards, CARD, QPointF(10, 10))
        new = QRectF(place, CARD)
        assert not any(new.intersects(other) for other in cards)
        cards.append(new)


def test_a_place_that_is_free_is_taken_as_it_is() -> None:
    assert free_place([card(0, 0)], CARD, QPointF(331, 17)) == QPointF(331, 17)


def test_a_place_is_found_among_thousands_of_cards_at_once() -> None:
    cards = [card(x * 340, y * 240) for x in range(70) for y in range(70)]
    started = time.perf_counter()
    free_place(cards, CARD, QPointF(10_000, 8_000))
    assert time.perf_counter() - started < 1


def test_edges_and_middles_attract_within_reach() -> None:
    snapped = snap(card(4, 300), [card(0, 0)], reach=7)
    assert snapped.by == QPointF(-4, 0)
    assert snapped.guides[0].x1() == 0
    assert snap(card(20, 300), [card(0, 0)], reach=7).guides == ()

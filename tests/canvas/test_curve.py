"""The curve of a Connection, and the room that the layout takes a card to need."""

from __future__ import annotations

import pytest

from kavor.canvas.cards import card_of
from kavor.canvas.qt import QRectF
from kavor.canvas.scene.curve import curve
from kavor.domain.graph import NodeKind
from kavor.domain.layout import SIZES

ONE = QRectF(0, 0, 320, 272)


@pytest.mark.parametrize("aside", [-380, -300, 0, 60, 250])
def test_between_two_near_cards_it_stays_between_them(aside: float) -> None:
    beside, below = QRectF(320 + 48, aside, 400, 460), QRectF(aside, 272 + 48, 400, 460)
    for part in range(101):
        assert 320 - 0.01 <= curve(ONE, beside).pointAtPercent(part / 100).x() <= 368.01
        assert 272 - 0.01 <= curve(ONE, below).pointAtPercent(part / 100).y() <= 320.01


def test_a_terminals_card_is_as_large_as_the_layout_takes_it_to_be() -> None:
    size = card_of(NodeKind.TERMINAL).size  # as its grid makes it; the others have the layout's sizes
    assert (size.width(), size.height()) == SIZES[NodeKind.TERMINAL]

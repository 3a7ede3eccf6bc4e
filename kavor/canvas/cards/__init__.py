"""The cards: one painter for each kind of Node."""

from __future__ import annotations

from kavor.canvas.cards.card import Card
from kavor.canvas.cards.plain import PlainCard
from kavor.canvas.cards.schedule import ScheduleCard
from kavor.canvas.cards.terminal import TerminalCard
from kavor.domain.graph import NodeKind

_CARDS: dict[NodeKind, Card] = {
    **{kind: PlainCard(kind) for kind in NodeKind},
    NodeKind.SCHEDULE: ScheduleCard(),
    NodeKind.TERMINAL: TerminalCard(),
}


def card_of(kind: NodeKind) -> Card:
    return _CARDS[kind]

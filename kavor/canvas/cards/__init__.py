"""The cards: one painter for each kind of Node."""

from __future__ import annotations

from kavor.canvas.cards.card import Card
from kavor.canvas.cards.coding_agent import CodingAgentCard
from kavor.canvas.cards.document import FileCard, SpecificationCard
from kavor.canvas.cards.schedule import ScheduleCard
from kavor.canvas.cards.sticky_note import StickyNoteCard
from kavor.canvas.cards.terminal import TerminalCard
from kavor.domain.graph import NodeKind

_CARDS: dict[NodeKind, Card] = {
    NodeKind.SCHEDULE: ScheduleCard(),
    NodeKind.CODING_AGENT: CodingAgentCard(),
    NodeKind.TERMINAL: TerminalCard(),
    NodeKind.STICKY_NOTE: StickyNoteCard(),
    NodeKind.FILE: FileCard(),
    NodeKind.SPECIFICATION: SpecificationCard(),
}


def card_of(kind: NodeKind) -> Card:
    return _CARDS[kind]

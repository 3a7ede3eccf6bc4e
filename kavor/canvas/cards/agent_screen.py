"""The card of a CodingAgent with a screen of its own: a Terminal's, that says what an agent is and does."""

from __future__ import annotations

from dataclasses import replace

from kavor.canvas.cards.cells import GridSize
from kavor.canvas.cards.coding_agent import role_of_agent, state_of_agent
from kavor.canvas.cards.face import Face, Moment
from kavor.canvas.cards.terminal import TerminalCard
from kavor.canvas.model import Model
from kavor.canvas.qt import QSizeF
from kavor.canvas.things import Node


class AgentScreenCard(TerminalCard):
    icon = "coding-agent"
    tone = "coding_agent"

    def fitted(self, content: QSizeF) -> AgentScreenCard:
        return AgentScreenCard(GridSize.within(content))

    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        state = state_of_agent(model.sessions.get(node.id))
        return replace(
            super().face(node, model, moment),
            role=role_of_agent(node, model),
            state=state,
            calls=state == "Needs attention",
        )

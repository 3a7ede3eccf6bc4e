"""The card of a kind that this window can show but not yet use."""

from __future__ import annotations

from kavor.canvas.cards.brush import Brush
from kavor.canvas.cards.card import Card
from kavor.canvas.cards.face import Button, Face, Moment
from kavor.canvas.model import Model
from kavor.canvas.qt import QSizeF
from kavor.canvas.states import kind_word
from kavor.canvas.things import Node
from kavor.domain.graph import NodeKind


class PlainCard(Card):
    size = QSizeF(260, 120)

    def __init__(self, kind: NodeKind) -> None:
        self.icon = kind.value
        self.tone = kind.value.replace("-", "_")

    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        return Face(node.kind, node.name, kind_word(node.kind), "")

    def paint_body(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        brush.line(52, 1, self.size.width() - 1)

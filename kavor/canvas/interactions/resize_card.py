"""Draw a card to another size by its corner. The size is that of what it shows, so it is asked for when the
hand lets go."""

from __future__ import annotations

from kavor.canvas.cards.card import Card
from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.interactions.sketches import paint_ghost
from kavor.canvas.qt import QPoint, QPointF, QSizeF
from kavor.canvas.scene.node_item import NodeItem
from kavor.canvas.view import CanvasView


class ResizeCard(Interaction):
    def __init__(self, view: CanvasView, item: NodeItem) -> None:
        self._view = view
        self._item = item
        self._from = QPointF()
        self._card: Card = item.card

    def start(self, at: Pointer) -> None:
        self._from = at.scene

    def move(self, at: Pointer) -> None:
        by = at.scene - self._from
        content = self._item.card.content.size() + QSizeF(by.x(), by.y())
        self._card = self._item.card.fitted(content)
        ghost, theme = self._card.rect.translated(self._item.pos()), self._view.canvas.look.theme
        self._view.show_sketch(lambda painter: paint_ghost(painter, theme, ghost))
        self._view.say_at(at.view, self._card.size_words)

    def end(self, at: Pointer) -> None:
        self.cancel()
        if self._card.size != self._item.card.size:
            self._view.resized.emit(self._item.node_id, self._card.content.size())

    def cancel(self) -> None:
        self._view.show_sketch(None)
        self._view.say_at(QPoint(), "")

"""Press a button that is painted on a card: it acts when it is let go on the same button."""

from __future__ import annotations

from kavor.canvas.cards.face import Button
from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.scene.node_item import NodeItem
from kavor.canvas.view import CanvasView


class PressButton(Interaction):
    def __init__(self, view: CanvasView, item: NodeItem, button: Button) -> None:
        self._view = view
        self._item = item
        self._button = button

    def start(self, at: Pointer) -> None:
        return

    def move(self, at: Pointer) -> None:
        return

    def end(self, at: Pointer) -> None:
        if self._button.rect.contains(at.scene - self._item.pos()):
            self._view.act(self._item.node_id, self._button.action)

    def cancel(self) -> None:
        return

"""Select a card with a click, and drag every selected one with it."""

from __future__ import annotations

from kavor.canvas.interactions.interaction import Interaction, Pointer
from kavor.canvas.qt import QApplication, QPointF
from kavor.canvas.scene.node_item import NodeItem
from kavor.canvas.view import CanvasView


class MoveNodes(Interaction):
    def __init__(self, view: CanvasView, pressed: NodeItem) -> None:
        self._view = view
        self._pressed = pressed
        self._from: Pointer | None = None
        self._starts: dict[NodeItem, QPointF] = {}
        self._dragging = False
        self._was_selected = pressed.isSelected()

    def start(self, at: Pointer) -> None:
        self._from = at
        if not self._was_selected:
            if not at.adds:
                self._view.canvas.clearSelection()
            self._pressed.setSelected(True)
        self._starts = {item: item.pos() for item in self._view.canvas.selected_nodes()}

    def move(self, at: Pointer) -> None:
        assert self._from is not None
        far = (at.view - self._from.view).manhattanLength()
        self._dragging = self._dragging or far >= QApplication.startDragDistance()
        if self._dragging:
            self._place(at.scene - self._from.scene)

    def end(self, at: Pointer) -> None:
        assert self._from is not None
        if self._dragging:
            moved = at.scene - self._from.scene
            self._view.move_nodes({item.node_id: start + moved for item, start in self._starts.items()})
        elif self._was_selected and at.adds:
            self._pressed.setSelected(False)
        elif not at.adds:
            self._view.canvas.clearSelection()
            self._pressed.setSelected(True)

    def cancel(self) -> None:
        self._place(QPointF(0, 0))

    def _place(self, moved: QPointF) -> None:
        for item, start in self._starts.items():
            self._view.canvas.place(item, start + moved)

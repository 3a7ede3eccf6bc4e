"""Select a card with a click, and drag every selected one with it."""

from __future__ import annotations

from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.interactions.sketches import paint_guides
from kavor.canvas.interactions.snapping import REACH, snap
from kavor.canvas.qt import QApplication, QPointF, QRectF, Qt
from kavor.canvas.scene.node_item import ABOVE_OTHERS, AMONG_OTHERS, NodeItem
from kavor.canvas.view import CanvasView


class MoveNodes(Interaction):
    """The cards fall into line with others nearby, unless Alt is held."""

    def __init__(self, view: CanvasView, pressed: NodeItem) -> None:
        self._view = view
        self._pressed = pressed
        self._from: Pointer | None = None
        self._starts: dict[NodeItem, QPointF] = {}
        self._others: list[QRectF] = []
        self._dragging = False
        self._was_selected = pressed.isSelected()

    def start(self, at: Pointer) -> None:
        self._from = at
        canvas = self._view.canvas
        if not self._was_selected:
            if not at.adds:
                canvas.clearSelection()
            self._pressed.setSelected(True)
        self._starts = {item: item.pos() for item in canvas.selected_nodes()}
        seen = self._view.mapToScene(self._view.viewport().rect()).boundingRect()
        self._others = [
            canvas.card_rect(item.node_id)
            for item in canvas.items(seen)
            if isinstance(item, NodeItem) and item not in self._starts
        ]

    def move(self, at: Pointer) -> None:
        assert self._from is not None
        far = (at.view - self._from.view).manhattanLength()
        if not self._dragging:
            if far < QApplication.startDragDistance():
                return
            self._dragging = True
            self._lift(ABOVE_OTHERS)
        moved = at.scene - self._from.scene
        snaps = not at.keys & Qt.KeyboardModifier.AltModifier
        self._place(self._into_line(moved) if snaps else moved)

    def end(self, at: Pointer) -> None:
        self._view.show_sketch(None)
        self._lift(AMONG_OTHERS)
        if self._dragging:
            self._view.moved.emit({item.node_id: item.pos() for item in self._starts})
        elif self._was_selected and at.adds:
            self._pressed.setSelected(False)
        elif not at.adds:
            again = self._was_selected and len(self._starts) == 1
            self._view.canvas.clearSelection()
            self._pressed.setSelected(True)
            if again:
                self._view.clicked_again.emit(self._pressed.node_id, at.scene - self._pressed.pos())

    def cancel(self) -> None:
        self._view.show_sketch(None)
        self._lift(AMONG_OTHERS)
        self._place(QPointF(0, 0))

    def _lift(self, height: float) -> None:
        for item in self._starts:
            item.setZValue(height)

    def _into_line(self, moved: QPointF) -> QPointF:
        start = self._starts.get(self._pressed)
        if start is None:
            return moved
        snapped = snap(
            self._pressed.card.rect.translated(start + moved), self._others, REACH / self._view.zoom
        )
        theme = self._view.canvas.look.theme
        if snapped.guides:
            self._view.show_sketch(lambda painter: paint_guides(painter, theme, snapped.guides))
        else:
            self._view.show_sketch(None)
        return moved + snapped.by

    def _place(self, moved: QPointF) -> None:
        self._view.canvas.place(
            {
                item: (start + moved).toPoint().toPointF()
                for item, start in self._starts.items()
                if item.scene() is self._view.canvas  # it may have been deleted under the hand
            }
        )

"""Draw a rectangle on the bare canvas: every card it touches is selected."""

from __future__ import annotations

from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.interactions.sketches import paint_area
from kavor.canvas.qt import QGraphicsItem, QPointF, QRectF
from kavor.canvas.scene.node_item import NodeItem
from kavor.canvas.view import CanvasView


class SelectArea(Interaction):
    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._corner = QPointF()
        self._before: list[QGraphicsItem] = []

    def start(self, at: Pointer) -> None:
        self._corner = at.scene
        selected = self._view.canvas.selectedItems()
        self._before = selected if at.adds else []
        if not at.adds:
            self._view.canvas.clearSelection()

    def move(self, at: Pointer) -> None:
        area = QRectF(self._corner, at.scene).normalized()
        theme = self._view.canvas.look.theme
        self._view.show_sketch(lambda painter: paint_area(painter, theme, area))
        inside = {item for item in self._view.canvas.items(area) if isinstance(item, NodeItem)}
        self._view.canvas.select_only({*inside, *self._before})

    def end(self, at: Pointer) -> None:
        self._view.show_sketch(None)

    def cancel(self) -> None:
        self._view.show_sketch(None)
        self._view.canvas.select_only(self._before)

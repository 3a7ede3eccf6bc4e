"""Carry a new card from the palette to its place."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas.cards import card_of
from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.interactions.sketches import paint_ghost
from kavor.canvas.qt import QPainter, QPointF
from kavor.canvas.view import CanvasView
from kavor.domain.graph import NodeKind


class DropNode(Interaction):
    """``dropped`` takes the new card's top left corner. Let go outside the canvas, nothing comes of it."""

    def __init__(self, view: CanvasView, kind: NodeKind, dropped: Callable[[QPointF], None]) -> None:
        self._view = view
        self._card = card_of(kind).rect
        self._dropped = dropped
        self._corner = QPointF()

    def start(self, at: Pointer) -> None:
        self.move(at)

    def move(self, at: Pointer) -> None:
        self._corner = at.scene - QPointF(self._card.width() / 2, 20)
        self._view.show_sketch(self._paint if self._over_canvas(at) else None)

    def end(self, at: Pointer) -> None:
        self.cancel()
        if self._over_canvas(at):
            self._dropped(self._corner)

    def cancel(self) -> None:
        self._view.show_sketch(None)

    def _over_canvas(self, at: Pointer) -> bool:
        return self._view.viewport().rect().contains(at.view)

    def _paint(self, painter: QPainter) -> None:
        paint_ghost(painter, self._view.canvas.look.theme, self._card.translated(self._corner))

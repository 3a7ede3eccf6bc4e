"""Move the canvas under the hand."""

from __future__ import annotations

from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.qt import QPoint, Qt
from kavor.canvas.view import CanvasView


class Pan(Interaction):
    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._last = QPoint()

    def start(self, at: Pointer) -> None:
        self._last = at.view
        self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, at: Pointer) -> None:
        self._view.pan_by(at.view - self._last)
        self._last = at.view

    def end(self, at: Pointer) -> None:
        self._view.viewport().unsetCursor()

    def cancel(self) -> None:
        self._view.viewport().unsetCursor()

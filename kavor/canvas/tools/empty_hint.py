"""What a person can begin with, on a canvas where nothing is yet."""

from __future__ import annotations

from kavor.canvas.qt import QLabel, Qt, QVBoxLayout, QWidget, translate
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.tools.shortcuts import shown_keys

_KEY = "A"
"""Of those that add at the pointer, the one that reads best in a sentence."""


class EmptyHint(QWidget):
    """The mouse goes through it to the canvas."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._canvas: CanvasScene | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        title = QLabel(translate("Hint", "Nothing on this canvas yet"), self)
        title.setProperty("title", True)
        way = translate(
            "Hint", "Double-click anywhere, or press {key}, to add a Schedule, a Terminal or a CodingAgent."
        )
        words = QLabel(way.format(key=shown_keys(_KEY)), self)
        words.setProperty("quiet", True)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        for label in (title, words):
            layout.addWidget(label, alignment=Qt.AlignmentFlag.AlignCenter)
        self.hide()

    def show_on(self, canvas: CanvasScene | None) -> None:
        """For as long as that one is in front and empty."""
        if self._canvas is not None:
            self._canvas.shape_changed.disconnect(self._refresh)
        self._canvas = canvas
        if canvas is not None:
            canvas.shape_changed.connect(self._refresh)
        self._refresh()

    def place(self) -> None:
        self.adjustSize()
        self.move(self._parent.rect().center() - self.rect().center())

    def _refresh(self) -> None:
        self.setVisible(self._canvas is not None and not self._canvas.node_items)

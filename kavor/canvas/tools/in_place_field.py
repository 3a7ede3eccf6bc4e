"""A few words that are edited where they stand on the canvas."""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.observe import Notice
from kavor.canvas.qt import QFocusEvent, QKeyEvent, QLineEdit, QRect, Qt, QWidget

_LEAST_WIDTH, _LEAST_HEIGHT = 140, 24
_LEAST_PIXELS, _PIXELS = 12, 13


class InPlaceField(QLineEdit):
    """Enter, or leaving it, takes what was typed; Escape leaves everything as it was."""

    def __init__(self, parent: QWidget, place: QRect, zoom: float, name: str, text: str) -> None:
        """``place`` is one of the parent; ``name`` says what it is to a screen reader."""
        super().__init__(parent)
        self.taken = Notice[[str]]()
        """What was typed, unless it is empty."""
        self.left = Notice[[]]()
        self.setObjectName("rename")
        self.setFont(themes.ui_font(max(_LEAST_PIXELS, round(_PIXELS * zoom))))
        width, height = max(_LEAST_WIDTH, place.width()), max(_LEAST_HEIGHT, place.height())
        self.setGeometry(place.x(), place.y(), width, height)
        self.setAccessibleName(name)
        self.setText(text)
        self.selectAll()
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave("")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._leave(self.text().strip())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._leave(self.text().strip())

    def _leave(self, text: str) -> None:
        if self.isHidden():
            return
        self.hide()
        self.deleteLater()
        if text:
            self.taken.emit(text)
        self.left.emit()

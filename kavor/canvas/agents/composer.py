"""Where a message is written. Enter sends it, Shift and Enter begin a new line."""

from __future__ import annotations

from kavor.canvas.plain_field import PlainField
from kavor.canvas.qt import (
    QInputMethodEvent,
    QKeyEvent,
    QSizePolicy,
    Qt,
    QTextCursor,
    QWidget,
    Signal,
)

_LINES_AT_MOST = 7
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_KEEPS_ENTER = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class Composer(PlainField):
    sent = Signal(object)
    """What was written; as a string of Qt's own it would lose a mark that it begins with."""
    left = Signal()
    """Escape was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._composing = False
        self.textChanged.connect(self._fit)

    def show_draft(self, text: str) -> None:
        if text != self.exact_text():
            self.show_exact(text)
            self.moveCursor(QTextCursor.MoveOperation.End)

    def fit_soon(self) -> None:
        """Its letters have another size."""
        self._fit()

    def _fit(self) -> None:
        """As high as what is typed, within reason."""
        lines = min(max(1, round(self.document().size().height())), _LINES_AT_MOST)
        margins = self.contentsMargins()
        edge = margins.top() + margins.bottom() + 2 * round(self.document().documentMargin()) + 10
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + edge)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers() & _KEEPS_ENTER and not self._composing:
            self.sent.emit(self.exact_text())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

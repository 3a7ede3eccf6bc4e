"""A field of several lines that holds a text exactly as it was typed, pasted or shown.

Qt's own plain text turns a no-break space into a space, and takes more for the end of a line than ``\\n`` is.
What would end a line here stands in the document as a sign of its own, and is itself again when it is read.
"""

from __future__ import annotations

from kavor.canvas.qt import QKeyEvent, QKeySequence, QMimeData, QPlainTextEdit

_LINE_END = "\u2029"
"""What a document divides its lines by."""
_BEGINS_WITH, _BEGINS_SIGN = "\ufeff", "\ufdd6"
"""What a string of Qt's loses where it begins with it."""
_SIGNS = {"\r": "\ufdd2", _LINE_END: "\ufdd3", "\ufdd0": "\ufdd4", "\ufdd1": "\ufdd5"}
"""Noncharacters, which Unicode leaves to programs, for what a document takes for the end of a line."""
_TO_SIGNS = str.maketrans(_SIGNS)
_FROM_SIGNS = str.maketrans({_LINE_END: "\n", _BEGINS_SIGN: _BEGINS_WITH} | {v: k for k, v in _SIGNS.items()})


class PlainField(QPlainTextEdit):
    def exact_text(self) -> str:
        return self.document().toRawText().translate(_FROM_SIGNS)

    def show_exact(self, text: str) -> None:
        self.setPlainText(_signed(text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.insertPlainText("\n")  # Qt's would be a character that is no end of a line elsewhere
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText() and not self.isReadOnly():
            self.insertPlainText(_signed(source.text().replace("\r\n", "\n")))
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        # Qt's own, which fills itself when it is first asked: the clipboard may outlive what Python makes.
        copied = super().createMimeDataFromSelection()
        copied.text()
        copied.clear()
        copied.setText(self.textCursor().selectedText().translate(_FROM_SIGNS))
        return copied


def _signed(text: str) -> str:
    signed = text.translate(_TO_SIGNS)
    return _BEGINS_SIGN + signed[1:] if signed.startswith(_BEGINS_WITH) else signed

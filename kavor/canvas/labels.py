"""Labels for words that others wrote: shown as they stand, never read as HTML, which may name files."""

from __future__ import annotations

from html import escape

from kavor.canvas.lines import broken_lines
from kavor.canvas.qt import (
    QEvent,
    QLabel,
    QPushButton,
    QResizeEvent,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    Qt,
    QWidget,
)


class Label(QLabel):
    def __init__(self, text: str = "", parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        self.setText(text)


class ElidedLabel(Label):
    """Each of its lines is as long as there is room, and ends with "…" where it is longer."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.say(text)

    @property
    def whole(self) -> str:
        """What it says, were there room for all of it."""
        return self._whole

    def say(self, text: str) -> None:
        self._whole = text
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        metrics, width = self.fontMetrics(), self.contentsRect().width()
        lines = self._whole.splitlines()
        self.setText(
            "\n".join(metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines)
        )


class ElidedButton(QPushButton):
    """Its words are in as many lines as they need and may take, and cut where those have no room; they are
    whole in its tooltip and its name."""

    def __init__(self, words: str, lines: int = 1) -> None:
        super().__init__()
        self._words = words
        self._lines = lines
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(words)
        self.setToolTip(as_tip(words))
        self._fit()

    @property
    def words(self) -> str:
        return self._words

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        lines = broken_lines(self._words, self.font(), room, self._lines)
        shown = (self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines)
        self.setText("\n".join(shown).replace("&", "&&"))  # one alone underlines a letter


def as_tip(text: str) -> str:
    """For a tooltip."""
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>' if text else ""

"""A few words beside the hand, while a gesture goes on."""

from __future__ import annotations

from kavor.canvas.qt import QLabel, QPoint, Qt, QWidget

_ASIDE = QPoint(16, 18)
_WIDEST = 320
_ROOM = 24
"""What the frame takes of the width."""


class Callout(QLabel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self.setObjectName("callout")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMaximumWidth(_WIDEST)
        self.setWordWrap(True)
        self.hide()

    def say(self, at: QPoint, words: str) -> None:
        """At a point of the parent; empty words: no longer."""
        if words != self.text():
            self.setText(words)
            longest = max(self.fontMetrics().horizontalAdvance(line) for line in words.split("\n"))
            width = min(_WIDEST, longest + _ROOM)
            self.resize(width, self.heightForWidth(width))
        self.setVisible(bool(words))
        room = self._parent.rect()
        place = at + _ASIDE
        self.move(
            max(0, min(place.x(), room.right() - self.width())),
            max(0, min(place.y(), room.bottom() - self.height())),
        )

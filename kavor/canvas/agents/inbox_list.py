"""The messages that wait for an agent, and how many; each can be taken back until it is delivered."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.canvas.conversation import Message
from kavor.canvas.editor.fields import quiet
from kavor.canvas.labels import ElidedLabel, as_tip
from kavor.canvas.qt import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget, Signal, translate

_SHOWN = 3
_LONGEST = 300
"""Characters of a message: more than there is ever room for."""


class InboxList(QFrame):
    withdrawn = Signal(int)
    """The number of a message."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[QWidget] = []
        self.buttons: list[QPushButton] = []
        self._shown: tuple[Message, ...] = ()
        self._title = quiet()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(12, 4, 8, 4)
        self._layout.setSpacing(2)
        self._layout.addWidget(self._title)
        self.hide()

    @property
    def title(self) -> str:
        return self._title.text()

    def show_messages(self, waiting: Sequence[Message]) -> None:
        if tuple(waiting) == self._shown:
            return
        self._shown = tuple(waiting)
        for row in self.rows:
            self._layout.removeWidget(row)
            row.deleteLater()
        self.buttons = []
        self.rows = [self._row(message) for message in waiting[:_SHOWN]]
        for row in self.rows:
            self._layout.addWidget(row)
        self._title.setText(
            translate("Agent", "{count} waiting, the oldest goes first").format(count=len(waiting))
        )
        self.setVisible(bool(waiting))

    def _row(self, message: Message) -> QWidget:
        row = QWidget()
        words = " ".join(message.text.split())
        if message.sender:
            words = f"{message.sender}: {words}"
        label = ElidedLabel(words[:_LONGEST])
        label.setToolTip(as_tip(message.text[:2_000]))
        button = QPushButton(translate("Agent", "Take back"))
        button.setProperty("link", True)
        button.setAccessibleName(translate("Agent", "Take back: {message}").format(message=words))
        button.clicked.connect(lambda: self.withdrawn.emit(message.id))
        self.buttons.append(button)
        across = QHBoxLayout(row)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(label, 1)
        across.addWidget(button)
        return row

"""What stands over or in place of a canvas: that the runtime is gone, and that there is no Workspace yet."""

from __future__ import annotations

from kavor.canvas.labels import Label
from kavor.canvas.link import LinkState
from kavor.canvas.qt import QFrame, QHBoxLayout, QLabel, QPushButton, Qt, QVBoxLayout, QWidget, translate
from kavor.canvas.runtime_words import as_sentence, spoken


class Banner(QFrame):
    """Says plainly that the runtime is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self._words = Label(wraps=True)
        self.button = QPushButton(translate("Banner", "Start the runtime"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.addWidget(self._words, 1)
        layout.addWidget(self.button)
        self.hide()

    def say_gone(self, why: str) -> None:
        sentence = as_sentence(spoken(why))
        self._words.setText(
            translate(
                "Banner", "{why}. Nothing fires until it runs again; what you see is as it was last known."
            ).format(why=sentence)
        )
        self.button.setEnabled(True)
        self.show()


class EmptyPage(QWidget):
    """Before there is a Workspace."""

    def __init__(self) -> None:
        super().__init__()
        self._title = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._title.setProperty("title", True)
        self._words = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._words.setProperty("quiet", True)
        self.button = QPushButton(translate("Empty", "Open a folder…"), default=True)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch(1)
        layout.addWidget(self._title)
        layout.addWidget(self._words)
        layout.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(1)
        self.say(LinkState.STARTING)

    def say(self, state: LinkState) -> None:
        if state is LinkState.CONNECTED:
            self._title.setText(translate("Empty", "No Workspace yet"))
            self._words.setText(
                translate(
                    "Empty", "A Workspace is a folder of yours, with Schedules and Terminals around it."
                )
            )
        else:
            self._title.setText(translate("Empty", "Starting…"))
            self._words.setText(translate("Empty", "The runtime is on its way."))
        self.button.setVisible(state is LinkState.CONNECTED)

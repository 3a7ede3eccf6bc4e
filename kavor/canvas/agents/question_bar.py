"""What an agent asks, with a button for each answer."""

from __future__ import annotations

from kavor.canvas.labels import ElidedButton, Label
from kavor.canvas.qt import QFrame, QGridLayout, Qt, QVBoxLayout, Signal, translate
from kavor.canvas.things import Question

_IN_A_ROW = 2
_ROWS = 3
_SHORT = 20
"""Characters of an answer that has room beside another one."""


class QuestionBar(QFrame):
    answered = Signal(str, str)
    """The ids of the question and of the option."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("note", True)
        self.question: Question | None = None
        self.words = Label(wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons: list[ElidedButton] = []
        self._grid = QGridLayout()
        self._grid.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self.words)
        layout.addLayout(self._grid)
        self.hide()

    def show_question(self, question: Question | None) -> None:
        """None: it asks nothing any more."""
        if question == self.question:
            return
        self.question = question
        for button in self.buttons:
            self._grid.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        if question is None:
            self.hide()
            return
        self.words.setText(question.text)
        self.setAccessibleName(
            translate("Agent", "The agent asks: {question}").format(question=question.text)
        )
        in_a_row = 1 if _have_room_one_by_one(question) else _IN_A_ROW
        for number, option in enumerate(question.options):
            button = ElidedButton(option.label)
            button.setProperty("primary", number == 0 and option.kind.startswith("allow"))
            button.setAutoDefault(True)
            button.clicked.connect(lambda _=False, answer=option.id: self.answered.emit(question.id, answer))
            self.buttons.append(button)
            self._grid.addWidget(button, number // in_a_row, number % in_a_row)
        self.show()


def _have_room_one_by_one(question: Question) -> bool:
    """Whether its answers are too long to stand beside each other, and few enough to stand in rows."""
    options = question.options
    return len(options) <= _ROWS and any(len(option.label) > _SHORT for option in options)

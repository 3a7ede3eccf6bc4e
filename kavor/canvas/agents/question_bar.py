"""What an agent asks, with a button for each answer."""

from __future__ import annotations

from kavor.canvas.cards.coding_agent import answers_in_a_row
from kavor.canvas.labels import ElidedButton, Label
from kavor.canvas.qt import QFrame, QGridLayout, Qt, QVBoxLayout, Signal, translate
from kavor.canvas.things import Question


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
        in_a_row = answers_in_a_row(question)
        for number, option in enumerate(question.options):
            button = ElidedButton(option.label, lines=2 if in_a_row == 1 else 1)
            button.setProperty("primary", number == 0 and option.kind.startswith("allow"))
            button.setAutoDefault(True)
            button.clicked.connect(lambda _=False, answer=option.id: self.answered.emit(question.id, answer))
            self.buttons.append(button)
            self._grid.addWidget(button, number // in_a_row, number % in_a_row)
        self.show()

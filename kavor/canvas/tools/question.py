"""A question before something that cannot be taken back, in the middle of the canvas."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas.labels import Label
from kavor.canvas.qt import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QKeyEvent,
    QPushButton,
    Qt,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)

_WIDTH = 380


class Question(QFrame):
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self._parent = parent
        self._agreed: Callable[[], None] = lambda: None
        self._title = Label(parent=self, wraps=True)
        self._title.setProperty("heading", True)
        self._words = Label(parent=self, wraps=True)
        self._words.setProperty("quiet", True)
        self._instead: Callable[[], None] = lambda: None
        self.no = QPushButton(translate("Question", "Cancel"), self)
        self.other = QPushButton(self)
        self.yes = QPushButton(self)
        self.no.clicked.connect(self.close_question)
        self.other.clicked.connect(self._choose_other)
        self.yes.clicked.connect(self._agree)
        buttons = QHBoxLayout()
        buttons.addWidget(self.other)
        buttons.addStretch(1)
        buttons.addWidget(self.no)
        buttons.addWidget(self.yes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(self._title)
        layout.addWidget(self._words)
        layout.addSpacing(6)
        layout.addLayout(buttons)
        self.hide()

    def ask(
        self,
        title: str,
        words: str,
        yes: str,
        agreed: Callable[[], None],
        *,
        harms: bool = True,
        instead: tuple[str, Callable[[], None]] | None = None,
    ) -> None:
        """Enter agrees, Escape does not. ``harms``: something is lost by agreeing; ``instead``: another
        answer, and what it does."""
        self._title.setText(title)
        self._words.setText(words)
        self.yes.setText(yes)
        self._agreed = agreed
        self.yes.setProperty("danger", harms)
        self.yes.setDefault(not harms)
        self.yes.style().polish(self.yes)
        self.other.setVisible(instead is not None)
        if instead is not None:
            words_instead, self._instead = instead
            self.other.setText(words_instead)
        if self.isHidden():
            _application().focusChanged.connect(self._on_focus)
        self.setAccessibleName(f"{title} {words}")
        self.setFixedWidth(_WIDTH)
        self.setFixedHeight(self.heightForWidth(_WIDTH))
        self.place()
        self.show()
        self.raise_()
        self.yes.setFocus()

    def place(self) -> None:
        self.move(self._parent.rect().center() - self.rect().center())

    def close_question(self) -> None:
        if self.isVisible():
            _application().focusChanged.disconnect(self._on_focus)
            self.hide()
            self.closed.emit()

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """Whoever turns to something else has not agreed."""
        if now is not None and not self.isAncestorOf(now):
            self.close_question()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_question()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._answer_in_focus()
            case _:
                super().keyPressEvent(event)

    def _answer_in_focus(self) -> None:
        if self.no.hasFocus():
            self.close_question()
        elif self.other.hasFocus():
            self._choose_other()
        else:
            self._agree()

    def _choose_other(self) -> None:
        self.close_question()
        self._instead()

    def _agree(self) -> None:
        self.close_question()
        self._agreed()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application

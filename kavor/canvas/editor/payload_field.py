"""What is handed over: several lines, in letters of one width, checked as they are typed."""

from __future__ import annotations

from kavor.canvas.editor.fields import Problem, caption, column, mark
from kavor.canvas.plain_field import PlainField
from kavor.canvas.qt import QFontMetricsF, QSizePolicy, QWidget, Signal, translate
from kavor.canvas.theme import mono_font
from kavor.domain.errors import BadInput
from kavor.domain.payload import check_payload

_LINES = 5


class PayloadField(QWidget):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._caption = caption("")
        self._caption.setWordWrap(True)
        self._caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # a long name
        self.text = PlainField()
        self.text.setFont(mono_font(13))
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(round(QFontMetricsF(self.text.font()).lineSpacing() * _LINES + 22))
        self.problem = Problem()
        layout = column()
        self.setLayout(layout)
        layout.addWidget(self._caption)
        layout.addWidget(self.text)
        layout.addWidget(self.problem)
        self.text.textChanged.connect(self._on_change)

    def payload(self) -> str:
        return self.text.exact_text()

    def show_payload(self, payload: str) -> None:
        """Not told as a change; the caret stays where the text is the same."""
        if payload != self.payload():
            self.text.blockSignals(True)
            self.text.show_exact(payload)
            self.text.blockSignals(False)
        self._say(None)

    def show_target(self, kind_is_agent: bool, name: str | None) -> None:
        """A prompt for a CodingAgent, a command for a Terminal (K4, K5)."""
        if name is None:
            words = translate("Payload", "COMMAND OR PROMPT")
            hint = translate("Payload", "What to hand over. Connect one target to say to whom.")
        elif kind_is_agent:
            words = translate("Payload", "PROMPT FOR {name}").format(name=name)
            hint = translate("Payload", "The aim, what to look at, what evidence you want, when to stop")
        else:
            words = translate("Payload", "COMMAND FOR {name}").format(name=name)
            hint = translate("Payload", "A shell command that ends by itself, such as: make test")
        self._caption.setText(words)
        self.text.setPlaceholderText(hint)
        self.text.setAccessibleName(words)

    def _on_change(self) -> None:
        try:
            check_payload(self.payload())
        except BadInput as error:
            self._say(error)
        else:
            self._say(None)
        self.changed.emit()

    def _say(self, error: BadInput | None) -> None:
        self.problem.say(error)
        mark(self.text, "wrong", error is not None)

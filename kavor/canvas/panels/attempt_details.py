"""One attempt whole: what was handed over, what was seen of it, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.api.client import Document
from kavor.canvas.attempt_words import told
from kavor.canvas.editor.fields import Problem, caption, quiet
from kavor.canvas.labels import ElidedLabel, as_tip
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panel import Panel
from kavor.canvas.plain_field import PlainField
from kavor.canvas.qt import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    Qt,
    QVBoxLayout,
    QWidget,
    translate,
)
from kavor.canvas.states import action_words
from kavor.canvas.theme import mono_font
from kavor.canvas.things import Attempt
from kavor.canvas.transcript_text import seen_words
from kavor.domain.printed import readable_output

_CALL_SIGNS = {"completed": "✓", "failed": "✗", "interrupted": "✗", "refused": "✗"}
_CALLS_SHOWN = 5
_LONGEST_TIP = 4_000


class AttemptDetails(QWidget):
    def __init__(self, link: Link, model: Model, panel: Panel) -> None:
        """``panel`` is the one it is a part of."""
        super().__init__()
        self._model = model
        self._link = link
        self._panel = panel
        self._attempt: Attempt | None = None
        self.diagnostic = quiet()
        self.payload = PlainField()
        self.output = PlainField()
        self.output.setObjectName("output")
        self.problem = Problem()
        self._buttons: dict[str, QPushButton] = {}
        self._title = QLabel()
        self._output_caption = caption("")
        self.calls = ElidedLabel()
        self.calls.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._calls_caption = caption(translate("Attempt", "WHAT IT CALLED"))
        self._content = QWidget()
        self._nothing = quiet(translate("Attempt", "Choose an attempt to see what happened."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._build()
        self.show_attempt(None)

    def _build(self) -> None:
        for field in (self.payload, self.output):
            field.setReadOnly(True)
            field.setFont(mono_font(12))
            field.setTabChangesFocus(True)
        self.payload.setAccessibleName(translate("Attempt", "What was handed over"))
        self.output.setAccessibleName(translate("Attempt", "Output"))
        self.payload.setFixedHeight(58)
        across = QHBoxLayout()
        across.setSpacing(8)
        across.addWidget(self._title, 1)
        for action in ("Run now", "Dismiss", "Withdraw"):
            button = self._buttons[action] = QPushButton(action_words(action))
            button.clicked.connect(lambda _=False, action=action: self.act(action))
            across.addWidget(button)
        content = QVBoxLayout(self._content)
        content.setContentsMargins(0, 0, 0, 0)
        content.setSpacing(6)
        content.addLayout(across)
        content.addWidget(self.problem)
        content.addWidget(self.diagnostic)
        content.addWidget(caption(translate("Attempt", "HANDED OVER")))
        content.addWidget(self.payload)
        content.addWidget(self._calls_caption)
        content.addWidget(self.calls)
        content.addWidget(self._output_caption)
        content.addWidget(self.output, 1)
        content.addStretch(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 12)
        layout.addWidget(self._content, 1)
        layout.addWidget(self._nothing, 1)

    def button(self, action: str) -> QPushButton:
        return self._buttons[action]

    # --- Showing

    def show_attempt(self, attempt: Attempt | None) -> None:
        """At once what is known; then, as the runtime answers, the rest."""
        other = attempt is None or self._attempt is None or attempt.id != self._attempt.id
        self._attempt = attempt
        self._content.setVisible(attempt is not None)
        self._nothing.setVisible(attempt is None)
        if attempt is None:
            return
        if other:
            self.problem.say(None)
            self.payload.clear()
            self.output.clear()
            self._show_calls([])
        self._title.setText(translate("Attempt", "Attempt {number}").format(number=attempt.id))
        self.diagnostic.setText(told(attempt))
        self.diagnostic.setVisible(bool(self.diagnostic.text()))
        for action, button in self._buttons.items():
            button.setVisible(action in attempt.actions)
        self._ask(attempt.id)

    def _ask(self, attempt_id: int) -> None:
        def answered(document: Document) -> None:
            if self._attempt is not None and self._attempt.id == attempt_id:
                self._show_whole(document)

        self._link.ask(
            lambda client: client.get(f"/api/attempts/{attempt_id}"),
            self._panel.while_open(answered),
            self._panel.while_open(self.problem.say),
        )

    def _show_whole(self, document: Document) -> None:
        self.payload.show_exact(document["payload"])
        evidence = document["evidence"]
        output = "" if evidence is None else readable_output(evidence["output"])
        calls = [] if evidence is None else evidence["tool_calls"]
        self._show_calls(calls)
        is_cut = evidence is not None and evidence["truncated"]
        self._output_caption.setText(_evidence_words(self._to_agent, seen=bool(output), is_cut=is_cut))
        if output != self.output.exact_text():
            self.output.show_exact(output)
        self.output.setVisible(bool(output))

    def _show_calls(self, calls: Sequence[Document]) -> None:
        """What an agent called on the way, each with how it ended."""
        lines = [_call_line(call) for call in calls]
        shown, more = lines[:_CALLS_SHOWN], len(lines) - _CALLS_SHOWN
        if more > 0:
            shown.append(translate("Attempt", "and {count} more").format(count=more))
        self.calls.say("\n".join(shown))
        self.calls.setToolTip(as_tip("\n".join(lines)[:_LONGEST_TIP]))
        self.calls.setVisible(bool(lines))
        self._calls_caption.setVisible(bool(lines))

    @property
    def _to_agent(self) -> bool:
        target = None if self._attempt is None else self._model.nodes.get(self._attempt.target or "")
        return target is not None and target.agent is not None

    # --- Acting

    def act(self, action: str) -> None:
        """Run now, Dismiss or Withdraw; a refusal is said right here."""
        attempt = self._attempt
        if attempt is None:
            return
        path = {
            "Run now": f"/api/schedules/{attempt.schedule}/run",
            "Dismiss": f"/api/attempts/{attempt.id}/dismiss",
            "Withdraw": f"/api/attempts/{attempt.id}/withdraw",
        }[action]
        self.problem.say(None)
        self._link.change(
            lambda client: client.post(path, {}), lambda _: None, self._panel.while_open(self.problem.say)
        )


def _call_line(call: Document) -> str:
    line = f"{_CALL_SIGNS.get(call['status'], '·')} {' '.join(call['title'].split())}"
    return f"{line} – {seen_words(call['status'], call['detail'])}" if call["detail"] else line


def _evidence_words(to_agent: bool, *, seen: bool, is_cut: bool) -> str:
    if not seen:
        return (
            translate("Attempt", "IT SAID NOTHING")
            if to_agent
            else translate("Attempt", "NO OUTPUT WAS SEEN")
        )
    if to_agent:
        return translate("Attempt", "ITS LAST MESSAGE")
    return translate("Attempt", "OUTPUT (THE BEGINNING IS CUT)") if is_cut else translate("Attempt", "OUTPUT")

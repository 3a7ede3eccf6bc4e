"""How a CodingAgent is set up: its provider, what it may do, and its session.

A session that is open keeps its provider, folder and model until it is opened anew.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from kavor.api.client import Document, EditedElsewhere
from kavor.canvas import theme as themes
from kavor.canvas.commands.change_node import SavedFields
from kavor.canvas.editor.fields import CheckBox, ComboBox, Duration, Problem, caption, quiet, rule
from kavor.canvas.editor.style import form_style
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panels.panel import Panel
from kavor.canvas.qt import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStandardItemModel,
    QToolButton,
    QVBoxLayout,
    Signal,
    translate,
)
from kavor.canvas.theme import Theme, mono_font
from kavor.canvas.things import Node
from kavor.domain.errors import BadInput, KavorError

_EDGE = 18


class AgentSettings(Panel):
    acted = Signal(str)
    """open or close."""
    saved = Signal(object)
    """A SavedFields: what this form has changed."""
    history_wanted = Signal()

    def __init__(self, node_id: str, model: Model, link: Link, theme: Theme) -> None:
        super().__init__(node_id)
        self._model = model
        self._link = link
        self._saved: Node = model.nodes[node_id]
        self._providers: dict[str, Document] = {}
        self._is_unreadable = False
        """Whether the problem that is said is one of what is typed."""
        self._when_settled: Callable[[bool], None] | None = None
        self.title = QLineEdit()
        self.provider = ComboBox()
        self.provider_note = quiet()
        self.command = QLineEdit()
        self.model = QLineEdit()
        self.directory = QLineEdit()
        self.limit = Duration("mh", translate("AgentSettings", "Longest turn"))
        self.keep_open = CheckBox(translate("AgentSettings", "Keep its session open"))
        self.allow_editing = CheckBox(translate("AgentSettings", "Allow workspace editing"))
        self.problem = Problem()
        self.save_button = QPushButton(translate("Settings", "Save"))
        self.cancel_button = QPushButton(translate("Editor", "Cancel"))
        self.session_button = QPushButton()
        self.history_button = QPushButton(translate("AgentSettings", "Past turns"))
        self._command_caption = caption(translate("AgentSettings", "COMMAND"))
        self._close = QToolButton()
        self._build()
        self._show_node()
        self._follow()
        self.set_theme(theme)
        self._ask_for_providers()

    def release(self) -> None:
        self._model.node_changed.disconnect(self._on_node_changed)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(form_style(theme))
        self._close.setIcon(themes.icon("close", theme.muted))

    # --- Building

    def _build(self) -> None:
        self.title.setObjectName("title")
        self.setFocusProxy(self.title)
        self._close.setToolTip(translate("Settings", "Close (Esc)"))
        for widget, name in (
            (self.title, translate("Settings", "Name")),
            (self._close, translate("Settings", "Close")),
            (self.provider, translate("AgentSettings", "Provider")),
            (self.command, translate("AgentSettings", "Command")),
            (self.model, translate("AgentSettings", "Model")),
            (self.directory, translate("Settings", "Folder")),
        ):
            widget.setAccessibleName(name)
        for field in (self.command, self.model, self.directory):
            field.setFont(mono_font(13))
        self.model.setPlaceholderText(translate("AgentSettings", "the provider's own choice"))
        self.directory.setPlaceholderText(translate("Settings", "the Workspace's folder"))
        self.save_button.setProperty("primary", True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        layout.addWidget(rule())
        layout.addLayout(self._form(), 1)
        layout.addWidget(rule())
        layout.addLayout(self._foot())

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(_EDGE - 7, 12, 10, 12)
        head.addWidget(self.title, 1)
        head.addWidget(self._close)
        return head

    def _form(self) -> QVBoxLayout:
        form = QVBoxLayout()
        form.setContentsMargins(_EDGE, 16, _EDGE, 16)
        form.setSpacing(7)
        for words, field in (
            (translate("AgentSettings", "PROVIDER"), self.provider),
            (translate("AgentSettings", "MODEL"), self.model),
            (translate("Settings", "FOLDER"), self.directory),
            (translate("AgentSettings", "LONGEST TURN"), self.limit),
        ):
            form.addWidget(caption(words))
            form.addWidget(field)
            if field is self.provider:
                form.addWidget(self.provider_note)
                form.addWidget(self._command_caption)
                form.addWidget(self.command)
            form.addSpacing(4)
        form.addSpacing(4)
        form.addWidget(self.keep_open)
        form.addWidget(
            quiet(
                translate(
                    "AgentSettings",
                    "It is opened again with the runtime, where a Running Schedule aims at it.",
                )
            )
        )
        form.addSpacing(4)
        form.addWidget(self.allow_editing)
        form.addWidget(
            quiet(
                translate(
                    "AgentSettings",
                    "It may add, connect, rename and move Nodes, and set Schedules, which stay Paused.",
                )
            )
        )
        form.addStretch(1)
        return form

    def _foot(self) -> QVBoxLayout:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.session_button)
        buttons.addWidget(self.history_button)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.save_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(_EDGE, 12, _EDGE, 14)
        foot.addWidget(self.problem)
        foot.addLayout(buttons)
        return foot

    def _follow(self) -> None:
        self._close.clicked.connect(self.closed)
        self.save_button.clicked.connect(self.save)
        self.cancel_button.clicked.connect(self._cancel)
        self.history_button.clicked.connect(self.history_wanted)
        self.session_button.clicked.connect(lambda: self.acted.emit("close" if self._is_open else "open"))
        for field in (self.title, self.command, self.model, self.directory):
            field.textEdited.connect(self._show_state)
            field.returnPressed.connect(self.save)
        self.provider.activated.connect(self._on_provider)
        self.limit.changed.connect(self._show_state)
        for switch in (self.keep_open, self.allow_editing):
            switch.toggled.connect(self._show_state)
        self._model.node_changed.connect(self._on_node_changed)

    # --- Providers

    def _ask_for_providers(self) -> None:
        def answered(document: Document) -> None:
            self._providers = {each["name"]: each for each in document["providers"]}
            self._fill_providers()

        self._link.ask(
            lambda client: client.get("/api/providers"),
            self.while_open(answered),
            self.while_open(self.problem.say),
        )

    def _fill_providers(self) -> None:
        """Those that are installed first; the others can be seen, not chosen."""
        present = str(self.provider.currentData())
        self.provider.clear()
        for each in sorted(self._providers.values(), key=lambda each: not each["installed"]):
            words = each["label"]
            if each["version"]:
                words += f"  {each['version']}"
            if not each["installed"]:
                words = translate("AgentSettings", "{label} – not installed").format(label=words)
            self.provider.addItem(words, each["name"])
            if not each["installed"] and each["name"] != present:
                rows = self.provider.model()
                assert isinstance(rows, QStandardItemModel)
                item = rows.item(self.provider.count() - 1)
                item.setEnabled(False)
                item.setToolTip(each["install"])
        self.provider.setCurrentIndex(max(0, self.provider.findData(present)))
        self._show_state()

    def _on_provider(self) -> None:
        """Another provider has other models."""
        if self.provider.currentData() != self._agent.provider:
            self.model.clear()
        self._show_state()

    # --- What is typed and what is saved

    @property
    def _agent(self) -> Any:
        assert self._saved.agent is not None
        return self._saved.agent

    @property
    def _is_open(self) -> bool:
        session = self._model.sessions.get(self.node_id)
        return session is not None and session.state == "open"

    def _as_saved(self) -> dict[str, object]:
        agent = self._agent
        return {
            "name": self._saved.name,
            "provider": agent.provider,
            "command": list(agent.command),
            "model": agent.model,
            "directory": self._saved.directory or "",
            "turn_limit_s": agent.turn_limit_s,
            "keep_open": agent.keep_open,
            "allow_editing": agent.allow_editing,
        }

    def _typed(self) -> dict[str, object]:
        """Raises BadInput for a command that cannot be read."""
        try:
            command = shlex.split(self.command.text()) if self.command.isVisibleTo(self) else []
        except ValueError:
            raise BadInput(
                translate("AgentSettings", "A quotation mark of the command is not closed")
            ) from None
        return {
            "name": self.title.text(),
            "provider": self.provider.currentData(),
            "command": command,
            "model": self.model.text() or None,
            "directory": self.directory.text(),
            "turn_limit_s": float(self.limit.seconds()),
            "keep_open": self.keep_open.isChecked(),
            "allow_editing": self.allow_editing.isChecked(),
        }

    def _changes(self) -> dict[str, object]:
        saved = self._as_saved()
        return {name: value for name, value in self._typed().items() if value != saved[name]}

    @property
    def is_changed(self) -> bool:
        """Whether something is typed that is not saved."""
        try:
            return bool(self._changes())
        except BadInput:
            return True

    def _show_node(self) -> None:
        agent = self._agent
        self.title.setText(self._saved.name)
        if self.provider.findData(agent.provider) < 0:
            self.provider.addItem(self._model.providers.get(agent.provider, agent.provider), agent.provider)
        self.provider.setCurrentIndex(self.provider.findData(agent.provider))
        self.command.setText(shlex.join(agent.command))
        self.model.setText(agent.model or "")
        self.directory.setText(self._saved.directory or "")
        self.limit.show_seconds(agent.turn_limit_s)
        self.keep_open.setChecked(agent.keep_open)
        self.allow_editing.setChecked(agent.allow_editing)
        self._show_state()

    def _show_state(self) -> None:
        chosen = self._providers.get(str(self.provider.currentData()))
        takes_command = bool(chosen and chosen["takes_command"]) or bool(self._agent.command)
        self.command.setVisible(takes_command)
        self._command_caption.setVisible(takes_command)
        self.provider_note.setText(_note_of(chosen))
        self.provider_note.setVisible(bool(self.provider_note.text()))
        words = translate("Settings", "Close session") if self._is_open else translate("Settings", "Open")
        self.session_button.setText(words)
        try:
            changes = self._changes()
        except BadInput as error:
            self._show_unreadable(error)
        else:
            self._show_unreadable(None)
            self.save_button.setEnabled(bool(changes))

        self.cancel_button.setVisible(self.is_changed)
        self.history_button.setVisible(not self.is_changed)  # there is room for one of both

    def _cancel(self) -> None:
        """Nothing that was typed is wanted."""
        self._show_node()
        self.closed.emit()

    def _show_unreadable(self, error: BadInput | None) -> None:
        """What is typed can be read again, or cannot; what the runtime refused stays said."""
        if error is not None:
            self.save_button.setEnabled(False)
            self.problem.say(error)
        elif self._is_unreadable:
            self.problem.say(None)
        self._is_unreadable = error is not None

    # --- Saving

    def save(self) -> None:
        """A refusal is said above the buttons; after an edit elsewhere the next save is over that one."""
        if not self.save_button.isEnabled():
            return
        changes, revision, before = self._changes(), self._saved.revision, self._as_saved()
        self.problem.say(None)
        self.save_button.setEnabled(False)
        path = f"/api/nodes/{self.node_id}"

        def saved(answer: Document) -> None:
            self._saved = Node.read(answer)
            self._show_state()
            was = {name: before[name] for name in changes}
            self.saved.emit(SavedFields(self.node_id, was, changes))
            self._settle(saved=True)

        self._link.change(
            lambda client: client.patch(path, changes, revision=revision),
            self.while_open(saved),
            self.while_open(self._on_refused),
        )

    def save_then(self, settled: Callable[[bool], None]) -> None:
        """Save, and be told whether that succeeded; what is refused is said in the form."""
        self._when_settled = settled
        if self._is_unreadable:
            self._settle(saved=False)
        else:
            self.save()

    def _settle(self, *, saved: bool) -> None:
        told, self._when_settled = self._when_settled, None
        if told is not None:
            told(saved)

    def _on_refused(self, error: KavorError) -> None:
        if isinstance(error, EditedElsewhere):
            self._saved = Node.read(error.present)
        self.problem.say(error)
        self._show_state()
        self._settle(saved=False)

    def _on_node_changed(self, node_id: str) -> None:
        if node_id != self.node_id:
            return
        node = self._model.nodes[node_id]
        if node.revision > self._saved.revision and not self.is_changed:
            self._saved = node
            self._show_node()
        self._show_state()


def _note_of(provider: Document | None) -> str:
    """What to install, or how to sign in."""
    if provider is None:
        return ""
    if not provider["installed"]:
        needs = f" ({provider['needs']})" if provider["needs"] else ""
        words = translate("Providers", "Not installed: {command}")
        return words.format(command=provider["install"] + needs)
    return str(provider["sign_in"])

"""How a CodingAgent is set up: its provider, what it may do, and its session.

A session that is open keeps its provider, folder and model until it is opened anew.
"""

from __future__ import annotations

import shlex

from kavor.api.client import Document
from kavor.canvas.editor.fields import CheckBox, ComboBox, Duration, caption, quiet
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panels.settings_form import EDGE, SettingsForm
from kavor.canvas.providers import missing_words, setup_note
from kavor.canvas.qt import QLineEdit, QPushButton, QStandardItemModel, QVBoxLayout, Signal, translate
from kavor.canvas.theme import Theme, mono_font
from kavor.canvas.things import Agent
from kavor.domain.errors import BadInput


class AgentSettings(SettingsForm):
    history_wanted = Signal()

    def __init__(self, node_id: str, model: Model, link: Link, theme: Theme) -> None:
        super().__init__(node_id, model, link)
        self._providers: dict[str, Document] = {}
        self.provider = ComboBox()
        self.provider_note = quiet()
        self.command = QLineEdit()
        self.model = QLineEdit()
        self.directory = QLineEdit()
        self.limit = Duration("mh", translate("AgentSettings", "Longest turn"))
        self.keep_open = CheckBox(translate("AgentSettings", "Keep its session open"))
        self.allow_editing = CheckBox(translate("AgentSettings", "Allow workspace editing"))
        self.session_button = QPushButton()
        self.history_button = QPushButton(translate("AgentSettings", "Past turns"))
        self._command_caption = caption(translate("AgentSettings", "COMMAND"))
        self._prepare()
        buttons = (self.session_button, self.history_button)
        self.build(self._form(), (self.command, self.model, self.directory), buttons, theme)
        self._follow()
        self._ask_for_providers()

    # --- Building

    def _prepare(self) -> None:
        for widget, name in (
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

    def _form(self) -> QVBoxLayout:
        form = QVBoxLayout()
        form.setContentsMargins(EDGE, 16, EDGE, 16)
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

    def _follow(self) -> None:
        self.history_button.clicked.connect(self.history_wanted)
        self.session_button.clicked.connect(
            lambda: self.acted.emit("close" if self.session_is_open else "open")
        )
        self.provider.activated.connect(self._on_provider)
        self.limit.changed.connect(self.show_state)
        for switch in (self.keep_open, self.allow_editing):
            switch.toggled.connect(self.show_state)

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
                item.setToolTip(missing_words(each))
        self.provider.setCurrentIndex(max(0, self.provider.findData(present)))
        self.show_state()

    def _on_provider(self) -> None:
        """Another provider has other models."""
        if self.provider.currentData() != self._agent.provider:
            self.model.clear()
        self.show_state()

    # --- What is typed and what is saved

    @property
    def _agent(self) -> Agent:
        assert self._saved.agent is not None
        return self._saved.agent

    def as_saved(self) -> dict[str, object]:
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

    def typed(self) -> dict[str, object]:
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

    def show_fields(self) -> None:
        agent = self._agent
        if self.provider.findData(agent.provider) < 0:
            self.provider.addItem(self._model.providers.get(agent.provider, agent.provider), agent.provider)
        self.provider.setCurrentIndex(self.provider.findData(agent.provider))
        self.command.setText(shlex.join(agent.command))
        self.model.setText(agent.model or "")
        self.directory.setText(self._saved.directory or "")
        self.limit.show_seconds(agent.turn_limit_s)
        self.keep_open.setChecked(agent.keep_open)
        self.allow_editing.setChecked(agent.allow_editing)

    def show_state(self) -> None:
        """A provider without a command of its own has a field for it."""
        chosen = self._providers.get(str(self.provider.currentData()))
        takes_command = bool(chosen and chosen["takes_command"]) or bool(self._agent.command)
        self.command.setVisible(takes_command)
        self._command_caption.setVisible(takes_command)
        super().show_state()

    def show_rest(self) -> None:
        self.provider_note.setText(setup_note(self._providers.get(str(self.provider.currentData()))))
        self.provider_note.setVisible(bool(self.provider_note.text()))
        words = (
            translate("Settings", "Close session") if self.session_is_open else translate("Settings", "Open")
        )
        self.session_button.setText(words)
        self.history_button.setVisible(not self.is_changed)  # there is room for one of both

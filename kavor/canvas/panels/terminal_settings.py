"""A Terminal's name, shell and folder. A session that is open keeps its own until it is restarted."""

from __future__ import annotations

from kavor.canvas.editor.fields import caption, quiet
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panels.settings_form import EDGE, SettingsForm
from kavor.canvas.qt import QLineEdit, QPushButton, QVBoxLayout, translate
from kavor.canvas.theme import Theme, mono_font


class TerminalSettings(SettingsForm):
    def __init__(self, node_id: str, model: Model, link: Link, theme: Theme) -> None:
        super().__init__(node_id, model, link)
        self.shell = QLineEdit()
        self.directory = QLineEdit()
        self.session_buttons = {
            "open": QPushButton(translate("Settings", "Open")),
            "restart": QPushButton(translate("Settings", "Restart")),
            "close": QPushButton(translate("Settings", "Close session")),
        }
        for verb, button in self.session_buttons.items():
            button.clicked.connect(lambda _=False, verb=verb: self.acted.emit(verb))
        lines = (self.shell, self.directory)
        self.build(self._form(), lines, list(self.session_buttons.values()), theme)

    def _form(self) -> QVBoxLayout:
        for field in (self.shell, self.directory):
            field.setFont(mono_font(13))
        self.shell.setPlaceholderText(translate("Settings", "your login shell"))
        self.directory.setPlaceholderText(translate("Settings", "the Workspace's folder"))
        self.shell.setAccessibleName(translate("Settings", "Shell"))
        self.directory.setAccessibleName(translate("Settings", "Folder"))
        form = QVBoxLayout()
        form.setContentsMargins(EDGE, 16, EDGE, 16)
        form.setSpacing(8)
        form.addWidget(caption(translate("Settings", "SHELL")))
        form.addWidget(self.shell)
        form.addSpacing(6)
        form.addWidget(caption(translate("Settings", "FOLDER")))
        form.addWidget(self.directory)
        form.addWidget(
            quiet(translate("Settings", "An open session keeps its shell and folder until it is restarted."))
        )
        form.addStretch(1)
        return form

    def as_saved(self) -> dict[str, object]:
        return {
            "name": self._saved.name,
            "shell": self._saved.shell,
            "directory": self._saved.directory or "",
        }

    def typed(self) -> dict[str, object]:
        return {
            "name": self.title.text(),
            "shell": self.shell.text() or None,
            "directory": self.directory.text(),
        }

    def show_fields(self) -> None:
        self.shell.setText(self._saved.shell or "")
        self.directory.setText(self._saved.directory or "")

    def show_rest(self) -> None:
        is_open = self.session_is_open
        self.session_buttons["open"].setVisible(not is_open)
        self.session_buttons["restart"].setVisible(is_open)
        self.session_buttons["close"].setVisible(is_open and not self.is_changed)  # Cancel takes its room

"""A Terminal's name, shell and folder. A session that is open keeps its own until it is restarted."""

from __future__ import annotations

from kavor.api.client import Document, EditedElsewhere
from kavor.canvas import theme as themes
from kavor.canvas.editor.fields import Problem, caption, quiet, rule
from kavor.canvas.editor.style import form_style
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panels.panel import Panel
from kavor.canvas.qt import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    Signal,
    translate,
)
from kavor.canvas.theme import Theme, mono_font
from kavor.canvas.things import Node
from kavor.domain.errors import KavorError

_EDGE = 18


class TerminalSettings(Panel):
    acted = Signal(str)
    """open, close or restart."""

    def __init__(self, node_id: str, model: Model, link: Link, theme: Theme) -> None:
        super().__init__(node_id)
        self._model = model
        self._link = link
        self._saved: Node = model.nodes[node_id]
        self.title = QLineEdit(self._saved.name)
        self.shell = QLineEdit(self._saved.shell or "")
        self.directory = QLineEdit(self._saved.directory or "")
        self.save_button = QPushButton(translate("Settings", "Save"))
        self.session_buttons = {
            "open": QPushButton(translate("Settings", "Open")),
            "restart": QPushButton(translate("Settings", "Restart")),
            "close": QPushButton(translate("Settings", "Close session")),
        }
        self.problem = Problem()
        self.said = quiet()
        self._close = QToolButton()
        self._build()
        self._follow()
        self.set_theme(theme)
        self._show_state()

    def release(self) -> None:
        self._model.node_changed.disconnect(self._on_node_changed)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(form_style(theme))
        self._close.setIcon(themes.icon("close", theme.muted))

    def _build(self) -> None:
        self.title.setObjectName("title")
        self.title.setAccessibleName(translate("Settings", "Name"))
        self.setFocusProxy(self.title)
        self._close.setToolTip(translate("Settings", "Close (Esc)"))
        self._close.setAccessibleName(translate("Settings", "Close"))
        for field in (self.shell, self.directory):
            field.setFont(mono_font(13))
        self.shell.setPlaceholderText(translate("Settings", "your login shell"))
        self.directory.setPlaceholderText(translate("Settings", "the Workspace's folder"))
        self.shell.setAccessibleName(translate("Settings", "Shell"))
        self.directory.setAccessibleName(translate("Settings", "Folder"))
        self.save_button.setProperty("primary", True)
        self.said.setText(
            translate("Settings", "An open session keeps its shell and folder until it is restarted.")
        )
        head = QHBoxLayout()
        head.setContentsMargins(_EDGE - 7, 12, 10, 12)
        head.addWidget(self.title, 1)
        head.addWidget(self._close)
        form = QVBoxLayout()
        form.setContentsMargins(_EDGE, 16, _EDGE, 16)
        form.setSpacing(8)
        form.addWidget(caption(translate("Settings", "SHELL")))
        form.addWidget(self.shell)
        form.addSpacing(6)
        form.addWidget(caption(translate("Settings", "FOLDER")))
        form.addWidget(self.directory)
        form.addWidget(self.said)
        form.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in self.session_buttons.values():
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.save_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(_EDGE, 12, _EDGE, 14)
        foot.addWidget(self.problem)
        foot.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(rule())
        layout.addLayout(form, 1)
        layout.addWidget(rule())
        layout.addLayout(foot)

    def _follow(self) -> None:
        self._close.clicked.connect(self.closed)
        self.save_button.clicked.connect(self.save)
        for field in (self.title, self.shell, self.directory):
            field.textEdited.connect(self._show_state)
            field.returnPressed.connect(self.save)
        for verb, button in self.session_buttons.items():
            button.clicked.connect(lambda _=False, verb=verb: self.acted.emit(verb))
        self._model.node_changed.connect(self._on_node_changed)

    def _changes(self) -> dict[str, object]:
        typed: dict[str, object] = {
            "name": self.title.text(),
            "shell": self.shell.text() or None,
            "directory": self.directory.text(),
        }
        saved = {
            "name": self._saved.name,
            "shell": self._saved.shell,
            "directory": self._saved.directory or "",
        }
        return {name: value for name, value in typed.items() if value != saved[name]}

    def _show_state(self) -> None:
        self.save_button.setEnabled(bool(self._changes()))
        session = self._model.sessions.get(self.node_id)
        is_open = session is not None and session.state == "open"
        self.session_buttons["open"].setVisible(not is_open)
        self.session_buttons["restart"].setVisible(is_open)
        self.session_buttons["close"].setVisible(is_open)

    def save(self) -> None:
        """A refusal is said above the buttons; after an edit elsewhere the next save is over that one."""
        changes, revision = self._changes(), self._saved.revision
        if not changes:
            return
        self.problem.say(None)
        self.save_button.setEnabled(False)
        path = f"/api/nodes/{self.node_id}"
        self._link.change(
            lambda client: client.patch(path, changes, revision=revision),
            self.while_open(self._on_saved),
            self.while_open(self._on_refused),
        )

    def _on_saved(self, answer: Document) -> None:
        self._saved = Node.read(answer)
        self._show_state()

    def _on_refused(self, error: KavorError) -> None:
        if isinstance(error, EditedElsewhere):
            self._saved = Node.read(error.present)
        self.problem.say(error)
        self._show_state()

    def _on_node_changed(self, node_id: str) -> None:
        if node_id != self.node_id:
            return
        node = self._model.nodes[node_id]
        if not self._changes() and node.revision > self._saved.revision:
            self._saved = node
            self.title.setText(node.name)
            self.shell.setText(node.shell or "")
            self.directory.setText(node.directory or "")
        self._show_state()

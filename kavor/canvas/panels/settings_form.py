"""A form that sets up a Node beside the canvas: what is typed, what is saved, and what a save changed.

A session that is open keeps what it was opened with until it is opened anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kavor.api.client import Document, EditedElsewhere
from kavor.canvas import theme as themes
from kavor.canvas.commands.change_node import SavedFields
from kavor.canvas.editor.fields import Problem, rule
from kavor.canvas.editor.style import form_style
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panel import Panel
from kavor.canvas.qt import (
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    Signal,
    translate,
)
from kavor.canvas.theme import Theme
from kavor.canvas.things import Node
from kavor.domain.errors import BadInput, KavorError

EDGE = 18
"""Pixels of room at both sides."""


class SettingsForm(Panel):
    """The kinds of Nodes say what their fields are. ``build`` is called once those are there."""

    acted = Signal(str)
    """Of the session: open, close or restart."""
    saved = Signal(object)
    """A SavedFields: what this form has changed."""

    def __init__(self, node_id: str, model: Model, link: Link) -> None:
        super().__init__(node_id)
        self._model = model
        self._link = link
        self._saved: Node = model.nodes[node_id]
        self._is_unreadable = False
        """Whether the problem that is said is one of what is typed."""
        self._when_settled: Callable[[bool], None] | None = None
        self.title = QLineEdit()
        self.problem = Problem()
        self.save_button = QPushButton(translate("Settings", "Save"))
        self.cancel_button = QPushButton(translate("Editor", "Cancel"))
        self._close = QToolButton()

    # --- What a kind of Node says

    def as_saved(self) -> dict[str, object]:
        """The fields of the Node as it was read, as the API names them."""
        raise NotImplementedError

    def typed(self) -> dict[str, object]:
        """The same fields as they are typed. Raises BadInput for what cannot be read."""
        raise NotImplementedError

    def show_fields(self) -> None:
        """Fill them anew with what is saved."""
        raise NotImplementedError

    def show_rest(self) -> None:
        """What else follows from what is typed, and from the session's state."""
        raise NotImplementedError

    # --- Building

    def build(
        self, middle: QLayout, lines: Sequence[QLineEdit], buttons: Sequence[QPushButton], theme: Theme
    ) -> None:
        """``lines`` are those fields of one line in which Enter saves, beside the name; ``buttons`` stand at
        the left of Cancel and Save."""
        self.title.setObjectName("title")
        self.title.setAccessibleName(translate("Settings", "Name"))
        self.setFocusProxy(self.title)
        self._close.setToolTip(translate("Settings", "Close (Esc)"))
        self._close.setAccessibleName(translate("Settings", "Close"))
        self.save_button.setProperty("primary", True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        layout.addWidget(rule())
        layout.addLayout(middle, 1)
        layout.addWidget(rule())
        layout.addLayout(self._foot(buttons))
        self._show_node()
        self._close.clicked.connect(self.closed)
        self.save_button.clicked.connect(self.save)
        self.cancel_button.clicked.connect(self._cancel)
        for line in (self.title, *lines):
            line.textEdited.connect(self.show_state)
            line.returnPressed.connect(self.save)
        self._model.node_changed.connect(self._on_node_changed)
        self.set_theme(theme)

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(EDGE - 7, 12, 10, 12)
        head.addWidget(self.title, 1)
        head.addWidget(self._close)
        return head

    def _foot(self, others: Sequence[QPushButton]) -> QVBoxLayout:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in others:
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.save_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(EDGE, 12, EDGE, 14)
        foot.addWidget(self.problem)
        foot.addLayout(buttons)
        return foot

    def release(self) -> None:
        self._model.node_changed.disconnect(self._on_node_changed)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(form_style(theme))
        self._close.setIcon(themes.icon("close", theme.muted))

    # --- What is typed and what is saved

    @property
    def is_changed(self) -> bool:
        """Whether something is typed that is not saved."""
        try:
            return bool(self._changes())
        except BadInput:
            return True

    @property
    def session_is_open(self) -> bool:
        session = self._model.sessions.get(self.node_id)
        return session is not None and session.state == "open"

    def _changes(self) -> dict[str, object]:
        saved = self.as_saved()
        return {name: value for name, value in self.typed().items() if value != saved[name]}

    def _show_node(self) -> None:
        self.title.setText(self._saved.name)
        self.title.setCursorPosition(0)  # a long name is shown from its beginning
        self.show_fields()
        self.show_state()

    def show_state(self) -> None:
        """Something was typed, or the Node or its session is different."""
        try:
            changes = self._changes()
        except BadInput as error:
            self._show_unreadable(error)
        else:
            self._show_unreadable(None)
            self.save_button.setEnabled(bool(changes))
        self.cancel_button.setVisible(self.is_changed)
        self.show_rest()

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
        changes, revision, before = self._changes(), self._saved.revision, self.as_saved()
        self.problem.say(None)
        self.save_button.setEnabled(False)
        path = f"/api/nodes/{self.node_id}"

        def saved(answer: Document) -> None:
            self._saved = Node.read(answer)
            self.show_state()
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
        self.show_state()
        self._settle(saved=False)

    def _on_node_changed(self, node_id: str) -> None:
        if node_id != self.node_id:
            return
        node = self._model.nodes[node_id]
        if node.revision > self._saved.revision and not self.is_changed:
            self._saved = node
            self._show_node()
        self.show_state()

"""The person is told when an agent waits for an answer that they cannot see: by a notice of the desktop."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas import theme as themes
from kavor.canvas.model import Model
from kavor.canvas.observe import Notice
from kavor.canvas.qt import QObject, QSystemTrayIcon, translate
from kavor.canvas.theme import Theme
from kavor.canvas.things import Question

_LONGEST = 200
"""Characters of a question."""
_SHOWN_MS = 15_000


class DesktopNotices(QObject):
    """Through the system's tray, where there is one. Its icon is there only while something is told."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.clicked = Notice[[]]()
        """The person wants to see what the last one was about."""
        self._theme = theme
        self._tray: QSystemTrayIcon | None = None

    def show(self, title: str, words: str) -> None:
        if not QSystemTrayIcon.isSystemTrayAvailable() or not QSystemTrayIcon.supportsMessages():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(themes.icon("coding-agent", self._theme.accent), self)
            self._tray.messageClicked.connect(self._on_clicked)
            self._tray.activated.connect(self._on_clicked)
        self._tray.show()
        self._tray.showMessage(title, words, self._tray.icon(), _SHOWN_MS)

    def take_back(self) -> None:
        """Nothing is asked any more."""
        if self._tray is not None:
            self._tray.hide()

    def _on_clicked(self, *_: object) -> None:
        self.clicked.emit()


class Attention:
    """Hears of every question that an agent asks, once."""

    def __init__(self, model: Model, is_on_view: Callable[[str], bool], notices: DesktopNotices) -> None:
        """``is_on_view``: whether the person has this Node's card before them."""
        self.last = ""
        """The Node that asked last."""
        self._model = model
        self._is_on_view = is_on_view
        self._notices = notices
        self._asked: dict[str, str] = {}
        """By Node, the question that was heard of."""
        model.node_changed.connect(self._on_node)
        model.node_removed.connect(lambda node: self._forget(node.id))
        model.reloaded.connect(self._on_reloaded)

    def _on_node(self, node_id: str) -> None:
        question = self._model.question_of(node_id)
        if question is None:
            self._forget(node_id)
        elif self._asked.get(node_id) != question.id:
            self._asked[node_id] = question.id
            self.last = node_id
            if not self._is_on_view(node_id):
                self._tell(node_id, question)

    def _tell(self, node_id: str, question: Question) -> None:
        name = self._model.nodes[node_id].name
        title = translate("Attention", "{name} waits for your answer").format(name=name)
        self._notices.show(title, question.text[:_LONGEST])

    def _forget(self, node_id: str) -> None:
        if self._asked.pop(node_id, None) is not None and not self._asked:
            self._notices.take_back()

    def _on_reloaded(self) -> None:
        """What is asked already when the window opens is on its canvases, and in the count above them."""
        asked = {node_id: self._model.question_of(node_id) for node_id in self._model.nodes}
        self._asked = {node_id: each.id for node_id, each in asked.items() if each is not None}

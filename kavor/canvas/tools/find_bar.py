"""Find a Node by what it says: its name, its payload, its directory, its recurrence in words."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.canvas import theme as themes
from kavor.canvas.model import Model
from kavor.canvas.observe import Notice
from kavor.canvas.places import reading_order
from kavor.canvas.qt import (
    QFrame,
    QHBoxLayout,
    QKeyEvent,
    QLabel,
    QLineEdit,
    Qt,
    QToolButton,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.recurrence_words import recurrence_words
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.states import kind_word, state_word
from kavor.canvas.theme import Theme


def find_nodes(canvas: CanvasScene, typed: str) -> list[str]:
    """The Nodes whose text holds every word that was typed, in the order of reading."""
    words = typed.casefold().split()
    if not words:
        return []
    found = {
        node_id: canvas.card_rect(node_id)
        for node_id in canvas.node_items
        if all(word in _text_of(canvas.model, node_id) for word in words)
    }
    return reading_order(found)


def _text_of(model: Model, node_id: str) -> str:
    node, schedule = model.nodes[node_id], model.schedules.get(node_id)
    said = [node.name, kind_word(node.kind), node.directory or ""]
    if schedule is not None:
        said += [schedule.payload, schedule.description, recurrence_words(schedule)]
        said += [schedule.state, state_word(schedule.state)]
    return "\n".join(said).casefold()


class FindBar(QFrame):
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("floating")
        self.found = Notice[[str]]()
        """A Node is to be shown."""
        self._canvas: CanvasScene | None = None
        self._matches: Sequence[str] = ()
        self._number = 0
        self._sign = QLabel(self)
        self.field = QLineEdit(self, placeholderText=translate("Find", "Find by name, payload, place…"))
        self.field.setAccessibleName(translate("Find", "Find"))
        self.field.setFixedWidth(260)
        self.field.textChanged.connect(self._search)
        self._count = QLabel(self)
        self._count.setProperty("quiet", True)
        self._count.setMinimumWidth(52)
        self._count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._close = QToolButton(self)
        self._close.setAccessibleName(translate("Find", "Close"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.close_bar)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 6, 6, 6)
        layout.setSpacing(6)
        for widget in (self._sign, self.field, self._count, self._close):
            layout.addWidget(widget)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._sign.setPixmap(themes.pixmap("search", theme.muted, 16, self.devicePixelRatioF()))
        self._close.setIcon(themes.icon("dismiss", theme.muted))

    def open_on(self, canvas: CanvasScene) -> None:
        self._canvas = canvas
        self.adjustSize()
        self.show()
        self.raise_()
        self.field.selectAll()
        self.field.setFocus()
        self._search(self.field.text())

    def close_bar(self) -> None:
        if self.isVisible():
            self.hide()
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_bar()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self._step(-1 if back else 1)
            case Qt.Key.Key_Down:
                self._step(1)
            case Qt.Key.Key_Up:
                self._step(-1)
            case _:
                super().keyPressEvent(event)

    def _search(self, typed: str) -> None:
        self._number = 0
        self._matches = [] if self._canvas is None else find_nodes(self._canvas, typed)
        self._show()

    def _step(self, step: int) -> None:
        if self._matches:
            self._number = (self._number + step) % len(self._matches)
            self._show()

    def _show(self) -> None:
        if self._matches:
            words = translate("Find", "{number} of {count}")
            self._count.setText(words.format(number=self._number + 1, count=len(self._matches)))
            self.found.emit(self._matches[self._number])
        else:
            self._count.setText(translate("Find", "None") if self.field.text().strip() else "")

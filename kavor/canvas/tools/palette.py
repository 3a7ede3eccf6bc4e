"""The thin bar beside the canvas: what can be added, found, undone."""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.cards import card_of
from kavor.canvas.observe import Notice
from kavor.canvas.qt import (
    QApplication,
    QFrame,
    QGridLayout,
    QMouseEvent,
    QPoint,
    QSize,
    Qt,
    QToolButton,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.states import kind_word
from kavor.canvas.theme import Theme
from kavor.domain.graph import NodeKind

KINDS = (
    NodeKind.SCHEDULE,
    NodeKind.CODING_AGENT,
    NodeKind.TERMINAL,
    NodeKind.SPECIFICATION,
    NodeKind.FILE,
    NodeKind.STICKY_NOTE,
)
"""The kinds that can be added, in the order of the bar."""

_ICON = 20


def kind_words(kind: NodeKind) -> str:
    """What adding one is called."""
    return translate("Palette", "Add a {kind}").format(kind=kind_word(kind))


class Palette(QFrame):
    find_clicked = Signal()
    undo_clicked = Signal()
    redo_clicked = Signal()
    help_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("floating")
        self.setAccessibleName(translate("Palette", "Tools"))
        self.added = Notice[[NodeKind]]()
        """A kind was clicked."""
        self.carried = Notice[[NodeKind, QPoint]]()
        """A kind is being dragged; where on the screen the hand is."""
        self.dropped = Notice[[QPoint]]()
        """It was let go."""
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(5, 5, 5, 5)
        self._layout.setSpacing(2)
        self.kinds = {kind: self._kind_button(kind) for kind in KINDS}
        self.find_button = self._button(translate("Palette", "Find"), self.find_clicked)
        self.undo_button = self._button(translate("Palette", "Undo"), self.undo_clicked)
        self.redo_button = self._button(translate("Palette", "Redo"), self.redo_clicked)
        self.help_button = self._button(translate("Palette", "Keyboard shortcuts"), self.help_clicked)
        self._rules = [self._rule() for _ in range(3)]
        self._columns = 0
        self._arrange(columns=1)
        self.set_theme(theme)
        self.show_history("", "")

    def fit_into(self, height: int) -> None:
        """In two columns where there is no room for one of all buttons."""
        self._arrange(columns=1)
        if self.sizeHint().height() > height:
            self._arrange(columns=2)
        self.adjustSize()

    def _arrange(self, *, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        while self._layout.takeAt(0) is not None:
            pass
        row = 0
        groups = (
            tuple(self.kinds.values()),
            (self.find_button,),
            (self.undo_button, self.redo_button),
            (self.help_button,),
        )
        for number, buttons in enumerate(groups):
            if number:
                self._layout.addWidget(self._rules[number - 1], row, 0, 1, columns)
                row += 1
            for place, button in enumerate(buttons):
                self._layout.addWidget(button, row + place // columns, place % columns)
            row += -(-len(buttons) // columns)

    def set_theme(self, theme: Theme) -> None:
        for kind, kind_button in self.kinds.items():
            kind_button.setIcon(themes.icon(card_of(kind).icon, theme.of_kind(kind)))
        for button, name in (
            (self.find_button, "search"),
            (self.undo_button, "undo"),
            (self.redo_button, "redo"),
            (self.help_button, "keyboard"),
        ):
            button.setIcon(themes.icon(name, theme.muted, theme.border_strong))

    def show_keys(self, keys: dict[str, str]) -> None:
        """The shortcut of each button, by the command's name, shown with its words."""
        buttons = {"find": self.find_button, "undo": self.undo_button, "redo": self.redo_button}
        buttons |= {"help": self.help_button}
        buttons |= {f"add {kind.value}": button for kind, button in self.kinds.items()}
        for command, button in buttons.items():
            button.setProperty("keys", keys.get(command, ""))
            self._say(button, button.accessibleName())

    def show_history(self, undo: str, redo: str) -> None:
        """The words of the steps that undo and redo would take; empty where there is none."""
        for button, verb, words in (
            (self.undo_button, translate("Palette", "Undo"), undo),
            (self.redo_button, translate("Palette", "Redo"), redo),
        ):
            button.setEnabled(bool(words))
            self._say(button, f"{verb}: {words}" if words else verb)

    def _say(self, button: QToolButton, words: str) -> None:
        keys = button.property("keys")
        button.setAccessibleName(words)
        button.setToolTip(f"{words}   {keys}" if keys else words)

    def _kind_button(self, kind: NodeKind) -> _KindButton:
        button = _KindButton(kind, self)
        self._dress(button, kind_words(kind))
        button.clicked.connect(lambda: self.added.emit(kind))
        button.carried.connect(self.carried.emit)
        button.dropped.connect(self.dropped.emit)
        return button

    def _button(self, words: str, pressed: object) -> QToolButton:
        button = QToolButton(self)
        self._dress(button, words)
        button.clicked.connect(pressed)
        return button

    def _dress(self, button: QToolButton, words: str) -> None:
        button.setIconSize(QSize(_ICON, _ICON))
        button.setFixedSize(36, 36)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(words)
        button.setAccessibleName(words)

    def _rule(self) -> QWidget:
        """With a little room around it."""
        room = QWidget(self)
        line = QFrame(room)
        line.setObjectName("rule")
        line.setFixedHeight(1)
        around = QVBoxLayout(room)
        around.setContentsMargins(0, 3, 0, 3)
        around.addWidget(line)
        return room


class _KindButton(QToolButton):
    """Clicked, or dragged onto the canvas."""

    def __init__(self, kind: NodeKind, parent: QWidget) -> None:
        super().__init__(parent)
        self.carried = Notice[[NodeKind, QPoint]]()
        self.dropped = Notice[[QPoint]]()
        self._kind = kind
        self._pressed_at: QPoint | None = None
        self._carrying = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is None:
            super().mouseMoveEvent(event)
            return
        far = (event.position().toPoint() - self._pressed_at).manhattanLength()
        self._carrying = self._carrying or far >= QApplication.startDragDistance()
        if self._carrying:
            self.setDown(False)
            self.carried.emit(self._kind, event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = None
        if self._carrying:
            self._carrying = False
            self.dropped.emit(event.globalPosition().toPoint())
            return
        super().mouseReleaseEvent(event)

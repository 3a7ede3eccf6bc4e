"""The sheet of keys, over the canvas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kavor.canvas.qt import (
    QAction,
    QFocusEvent,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QKeyEvent,
    QLabel,
    Qt,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.tools.shortcuts import gestures, groups, in_a_terminal, shown_keys


class ShortcutSheet(QFrame):
    """``others``: titles and actions of other parts, whose keys are told too. Any key closes it for good."""

    closed = Signal()

    def __init__(self, others: Mapping[str, Sequence[QAction]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self.setAccessibleName(translate("Keys", "Keyboard shortcuts"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._parent = parent
        title = QLabel(translate("Keys", "Keys and gestures"), self)
        title.setProperty("title", True)
        left, right = QVBoxLayout(), QVBoxLayout()
        for group in groups():
            rows = [(shortcut.words, shortcut.shown) for shortcut in group.shortcuts]
            left.addLayout(_table(group.title, rows, self))
        on_canvas = [(gesture.words, gesture.how) for gesture in gestures()]
        right.addLayout(_table(translate("Keys", "On the canvas"), on_canvas, self))
        in_use = [(gesture.words, gesture.how) for gesture in in_a_terminal()]
        right.addLayout(_table(translate("Keys", "In a Terminal"), in_use, self))
        for number, (words, actions) in enumerate(others.items()):
            rows = [(action.text(), _shown(action)) for action in actions if action.shortcuts()]
            (left, right)[number % 2].addLayout(_table(words, rows, self))
        for column in (left, right):
            column.setSpacing(18)
            column.addStretch(1)
        columns = QHBoxLayout()
        columns.setSpacing(44)
        columns.addLayout(left)
        columns.addLayout(right)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(28, 22, 28, 24)
        whole.setSpacing(18)
        whole.addWidget(title)
        whole.addLayout(columns)
        self.adjustSize()

    def open_sheet(self) -> None:
        self.place()
        self.show()
        self.raise_()
        self.setFocus()

    def place(self) -> None:
        self.move(self._parent.rect().center() - self.rect().center())

    def _close(self) -> None:
        if self.isVisible():
            self.hide()
            self.deleteLater()
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
            self._close()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._close()


def _shown(action: QAction) -> str:
    return shown_keys(action.shortcuts()[0].toString())


def _table(title: str, rows: Sequence[tuple[str, str]], parent: QWidget) -> QVBoxLayout:
    heading = QLabel(title, parent)
    heading.setProperty("heading", True)
    grid = QGridLayout()
    grid.setHorizontalSpacing(28)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(0, 1)
    for number, (words, keys) in enumerate(rows):
        grid.addWidget(QLabel(words, parent), number, 0)
        shown = QLabel(keys, parent)
        shown.setProperty("keys", True)
        grid.addWidget(shown, number, 1, Qt.AlignmentFlag.AlignRight)
    whole = QVBoxLayout()
    whole.setSpacing(8)
    whole.addWidget(heading)
    whole.addLayout(grid)
    return whole

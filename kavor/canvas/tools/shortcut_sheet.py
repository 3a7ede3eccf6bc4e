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
    QScrollArea,
    QSize,
    Qt,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.tools.shortcuts import gestures, groups, in_a_terminal, shown_keys, with_agents_and_texts

_SIDE, _ABOVE, _BELOW, _SPACE = 28, 22, 24, 18
_MARGIN = 12
"""Between the sheet and the edge of the canvas."""
_WIDE = 1240
"""From so many pixels on, there is room for three columns."""


_SCROLLS = frozenset(
    {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End}
)


class ShortcutSheet(QFrame):
    """``others``: titles and actions of other parts, whose keys are told too. Any key closes it for good, but
    those that scroll, where there is more than has room."""

    closed = Signal()

    def __init__(self, others: Mapping[str, Sequence[QAction]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self.setAccessibleName(translate("Keys", "Keyboard shortcuts"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._parent = parent
        self._title = QLabel(translate("Keys", "Keys and gestures"), self)
        self._title.setProperty("title", True)
        left, right = QVBoxLayout(), QVBoxLayout()
        is_wide = parent.width() >= _WIDE
        middle = QVBoxLayout() if is_wide else right
        for group in groups():
            rows = [(shortcut.words, shortcut.shown) for shortcut in group.shortcuts]
            left.addLayout(_table(group.title, rows, self))
        for column, title, told in (
            (middle, translate("Keys", "On the canvas"), gestures()),
            (middle, translate("Keys", "In a Terminal"), in_a_terminal()),
            (right, translate("Keys", "Agents and texts"), with_agents_and_texts()),
        ):
            column.addLayout(_table(title, [(gesture.words, gesture.how) for gesture in told], self))
        for number, (words, actions) in enumerate(others.items()):
            rows = [(action.text(), _shown(action)) for action in actions if action.shortcuts()]
            (right if is_wide or number % 2 else left).addLayout(_table(words, rows, self))
        in_columns = (left, middle, right) if is_wide else (left, right)
        for column in in_columns:
            column.setSpacing(18)
            column.addStretch(1)
        self._tables = QWidget()
        columns = QHBoxLayout(self._tables)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(44)
        for column in in_columns:
            columns.addLayout(column)
        self._area = _scrolling(self._tables)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_SIDE, _ABOVE, _SIDE, _BELOW)
        whole.setSpacing(_SPACE)
        whole.addWidget(self._title)
        whole.addWidget(self._area)

    def open_sheet(self) -> None:
        self.show()  # from now on its parts know their fonts
        for label in self.findChildren(QLabel):
            label.updateGeometry()  # its layout remembers the size that it had without them
        self.place()
        self.raise_()
        self.setFocus()

    def place(self) -> None:
        """In the middle; where there is little room, its tables scroll."""
        room = self._parent.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        whole = self._tables.sizeHint() + self.size() - self.contentsRect().size()
        whole += QSize(_SIDE + _SIDE, _ABOVE + self._title.sizeHint().height() + _SPACE + _BELOW)
        fits = whole.height() <= room.height()
        policy = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(policy.ScrollBarAlwaysOff if fits else policy.ScrollBarAlwaysOn)
        if not fits:
            whole += QSize(self._area.verticalScrollBar().sizeHint().width() + _SPACE, 0)
        self.resize(whole.boundedTo(room.size()))
        self.move(self._parent.rect().center() - self.rect().center())

    def _close(self) -> None:
        if self.isVisible():
            self.hide()
            self.deleteLater()
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._area.verticalScrollBar()
        if event.key() in _SCROLLS and bar.isVisible():
            bar.event(event)
        elif event.key() not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
            self._close()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._close()


def _scrolling(content: QWidget) -> QScrollArea:
    area = QScrollArea(widgetResizable=True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    for ground in (area.viewport(), content):
        ground.setAutoFillBackground(False)  # the sheet's own shows through
    return area


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

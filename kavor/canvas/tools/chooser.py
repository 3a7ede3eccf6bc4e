"""A short list to choose from by typing: what to add here, what to connect to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kavor.canvas import theme as themes
from kavor.canvas.qt import (
    QEvent,
    QFocusEvent,
    QFrame,
    QKeyEvent,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QModelIndex,
    QObject,
    QPainter,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    Qt,
    QVBoxLayout,
    QWidget,
    Signal,
)
from kavor.canvas.theme import Theme, mixed

_WIDTH = 320
_ROWS_AT_ONCE = 6
_NOTE = Qt.ItemDataRole.UserRole + 1
_TONE = Qt.ItemDataRole.UserRole + 2
_ICON = Qt.ItemDataRole.UserRole + 3


@dataclass(frozen=True)
class Choice:
    """``note`` says more, or why it cannot be chosen where ``allowed`` is not set."""

    id: str
    words: str
    icon: str
    tone: str
    note: str = ""
    allowed: bool = True


class Chooser(QFrame):
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("floating")
        self._parent = parent
        self._choices: Sequence[Choice] = ()
        self._chosen: Callable[[str], None] = lambda _: None
        self._lit: Callable[[str | None], None] = lambda _: None
        self.field = QLineEdit(self)
        self.field.textEdited.connect(self._fill)
        self.field.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setObjectName("choices")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._choose)
        self.list.currentItemChanged.connect(lambda item: self._lit(self._id_of(item)))
        self._rows = _Rows(theme, self.list)
        self.list.setItemDelegate(self._rows)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.setSpacing(6)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._rows.theme = theme

    def ask(
        self,
        prompt: str,
        choices: Sequence[Choice],
        at: QPoint,
        chosen: Callable[[str], None],
        lit: Callable[[str | None], None] = lambda _: None,
    ) -> None:
        """``at`` is a point of the parent; ``lit`` hears what Enter would choose, and None in the end."""
        self.close_list()
        self.list.clear()  # while nobody hears of it: its rows mean nothing to who asks now
        self._choices, self._chosen, self._lit = choices, chosen, lit
        self.field.clear()
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self._fill("")
        room = self._parent.rect().adjusted(8, 8, -8, -8)
        self.move(
            max(room.left(), min(at.x(), room.right() - self.width())),
            max(room.top(), min(at.y(), room.bottom() - self.height())),
        )
        self.show()
        self.raise_()
        self.field.setFocus()

    def close_list(self) -> None:
        if self.isHidden():
            return
        lit, self._lit = self._lit, lambda _: None
        lit(None)
        self.hide()
        self.closed.emit()

    def _fill(self, typed: str) -> None:
        self.list.clear()
        wanted = typed.casefold().split()
        found = [each for each in self._choices if all(word in each.words.casefold() for word in wanted)]
        for choice in sorted(found, key=lambda each: not each.allowed):
            item = QListWidgetItem(choice.words, self.list)
            item.setData(Qt.ItemDataRole.UserRole, choice.id)
            item.setData(_NOTE, choice.note)
            item.setData(_TONE, choice.tone)
            item.setData(_ICON, choice.icon)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{choice.words}. {choice.note}")
            if not choice.allowed:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
        if found and self.list.item(0).flags():
            self.list.setCurrentRow(0)
        height = sum(self.list.sizeHintForRow(row) for row in range(min(len(found), _ROWS_AT_ONCE)))
        self.list.setFixedHeight(height + 4)
        self.list.setVisible(bool(found))
        self.setFixedSize(_WIDTH, self.field.sizeHint().height() + (height + 10 if found else 0) + 12)

    def _id_of(self, item: QListWidgetItem | None) -> str | None:
        return None if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None or not item.flags():
            return
        chosen, chosen_id = self._chosen, str(item.data(Qt.ItemDataRole.UserRole))
        self.close_list()
        chosen(chosen_id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event.key())
        if watched is self.field and isinstance(event, QFocusEvent) and event.lostFocus():
            self.close_list()
        return super().eventFilter(watched, event)

    def _on_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Escape:
                self.close_list()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._choose(self.list.currentItem())
            case Qt.Key.Key_Down | Qt.Key.Key_Tab:
                self._step(1)
            case Qt.Key.Key_Up | Qt.Key.Key_Backtab:
                self._step(-1)
            case _:
                return False
        return True

    def _step(self, step: int) -> None:
        """Round the rows that can be chosen, which come first."""
        rows = sum(bool(self.list.item(row).flags()) for row in range(self.list.count()))
        if rows:
            self.list.setCurrentRow((self.list.currentRow() + step) % rows)


class _Rows(QStyledItemDelegate):
    """An icon, words, and a quieter line under them."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(_WIDTH - 24, 48 if index.data(_NOTE) else 36)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = self.theme
        room: QRect = option.rect
        state = option.state
        allowed = bool(state & QStyle.StateFlag.State_Enabled)
        if state & QStyle.StateFlag.State_Selected and allowed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(theme.accent, theme.card, 0.16))
            painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), 6, 6)
        tone = theme.tone(index.data(_TONE)) if allowed else theme.faint
        ratio = painter.device().devicePixelRatio()
        middle = room.center().y()
        painter.drawPixmap(room.left() + 10, middle - 9, themes.pixmap(index.data(_ICON), tone, 18, ratio))
        words, note = str(index.data(Qt.ItemDataRole.DisplayRole)), str(index.data(_NOTE))
        left = room.left() + 38
        line = QRect(
            left, room.top() + (5 if note else 0), room.right() - left - 6, 20 if note else room.height()
        )
        painter.setPen(theme.text if allowed else theme.muted)
        painter.setFont(themes.ui_font(13))
        _draw(painter, line, words)
        if note:
            painter.setPen(theme.muted)
            painter.setFont(themes.ui_font(11))
            _draw(painter, line.translated(0, 19), note)


def _draw(painter: QPainter, room: QRect, words: str) -> None:
    """Shortened where it does not fit."""
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

"""A short list to choose from by typing: what to add here, what to connect to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kavor.canvas import theme as themes
from kavor.canvas.lines import broken_lines
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

_WIDTH = 340
_ROWS_AT_ONCE = 6
NOTE_LINES = 2
NOTE_PIXELS = 11
_WORDS_LEFT = 38
NOTE_WIDTH = _WIDTH - 24 - _WORDS_LEFT - 12

NOTE = Qt.ItemDataRole.UserRole + 1
_TONE = Qt.ItemDataRole.UserRole + 2
_ICON = Qt.ItemDataRole.UserRole + 3
_ALLOWED = Qt.ItemDataRole.UserRole + 4


@dataclass(frozen=True)
class Choice:
    """``note`` says more, or why it cannot be chosen where ``allowed`` is not set; ``refusal`` says that at
    length, to who tries."""

    id: str
    words: str
    icon: str
    tone: str
    note: str = ""
    allowed: bool = True
    refusal: str = ""


class Chooser(QFrame):
    closed = Signal()
    refused = Signal(str)
    """Why what was tried cannot be chosen; the list stays."""

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
        self.list.currentItemChanged.connect(lambda item: self._lit(self._allowed_id(item)))
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
            item.setData(NOTE, choice.note)
            item.setData(_TONE, choice.tone)
            item.setData(_ICON, choice.icon)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{choice.words}. {choice.note}")
            item.setData(_ALLOWED, choice.allowed)
        if found:
            self.list.setCurrentRow(0)
        height = sum(self.list.sizeHintForRow(row) for row in range(min(len(found), _ROWS_AT_ONCE)))
        self.list.setFixedHeight(height + 4)
        self.list.setVisible(bool(found))
        self.setFixedSize(_WIDTH, self.field.sizeHint().height() + (height + 10 if found else 0) + 12)

    def _allowed_id(self, item: QListWidgetItem | None) -> str | None:
        if item is None or not item.data(_ALLOWED):
            return None
        return str(item.data(Qt.ItemDataRole.UserRole))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        chosen, chosen_id = self._chosen, str(item.data(Qt.ItemDataRole.UserRole))
        choice = next(each for each in self._choices if each.id == chosen_id)
        if not choice.allowed:
            self.refused.emit(choice.refusal or choice.note)
            return
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
        """Round the rows; those that can be chosen come first."""
        if self.list.count():
            self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())


class _Rows(QStyledItemDelegate):
    """An icon, words, and a quieter line under them."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        lines = self._note_lines(str(index.data(NOTE) or ""))
        return QSize(_WIDTH - 24, 34 + 15 * len(lines) if lines else 36)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = self.theme
        room: QRect = option.rect
        state = option.state
        allowed = bool(index.data(_ALLOWED))
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(theme.accent if allowed else theme.faint, theme.card, 0.16))
            painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), 6, 6)
        tone = theme.tone(index.data(_TONE)) if allowed else theme.faint
        ratio = painter.device().devicePixelRatio()
        middle = room.center().y()
        painter.drawPixmap(room.left() + 10, middle - 9, themes.pixmap(index.data(_ICON), tone, 18, ratio))
        words, note = str(index.data(Qt.ItemDataRole.DisplayRole)), self._note_lines(str(index.data(NOTE)))
        line = QRect(
            room.left() + _WORDS_LEFT,
            room.top() + (5 if note else 0),
            NOTE_WIDTH,
            20 if note else room.height(),
        )
        painter.setPen(theme.text if allowed else theme.muted)
        painter.setFont(themes.ui_font(13))
        _draw(painter, line, words)
        painter.setPen(theme.muted)
        painter.setFont(themes.ui_font(NOTE_PIXELS))
        for number, words in enumerate(note):
            _draw(painter, line.translated(0, 19 + 15 * number), words)

    def _note_lines(self, note: str) -> list[str]:
        return broken_lines(note, themes.ui_font(NOTE_PIXELS), NOTE_WIDTH, NOTE_LINES) if note else []


def _draw(painter: QPainter, room: QRect, words: str) -> None:
    """Shortened where it does not fit."""
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

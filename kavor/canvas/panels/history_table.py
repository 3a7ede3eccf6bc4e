"""The attempts of a Schedule as the rows of a table, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from enum import IntEnum
from zoneinfo import ZoneInfo

from kavor.canvas import theme as themes
from kavor.canvas.attempt_words import told, trigger_word
from kavor.canvas.qt import (
    QAbstractTableModel,
    QModelIndex,
    QPalette,
    QPersistentModelIndex,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    Qt,
    translate,
)
from kavor.canvas.runtime_words import spoken
from kavor.canvas.states import look_of, state_word
from kavor.canvas.theme import Theme
from kavor.canvas.things import Attempt
from kavor.canvas.times import elapsed_words, moment_words
from kavor.domain.instant import Instant
from kavor.domain.zones import to_local

Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole


class Column(IntEnum):
    RESULT = 0
    PLANNED = 1
    TRIGGER = 2
    DELIVERED = 3
    LATE = 4
    RAN = 5
    EXIT_CODE = 6
    DIAGNOSTIC = 7


_NUMBERS = frozenset({Column.LATE, Column.RAN, Column.EXIT_CODE})


class HistoryTable(QAbstractTableModel):
    def __init__(self, zone: ZoneInfo, theme: Theme) -> None:
        super().__init__()
        self._zone = zone
        self._theme = theme
        self._attempts: list[Attempt] = []
        self._today = datetime.now(zone).date()

    # --- Rows

    def attempt_at(self, row: int) -> Attempt:
        return self._attempts[row]

    def newest(self, count: int) -> Sequence[Attempt]:
        return self._attempts[:count]

    def row_of(self, attempt_id: int) -> int | None:
        found = (row for row, each in enumerate(self._attempts) if each.id == attempt_id)
        return next(found, None)

    def show_attempts(self, attempts: Sequence[Attempt], today: date) -> None:
        """In place of those that were shown."""
        self.beginResetModel()
        self._attempts = list(attempts)
        self._today = today
        self.endResetModel()

    def take(self, attempt: Attempt, *, wanted: bool) -> None:
        """One was recorded or went on; ``wanted``: whether the filter lets it through."""
        row = self.row_of(attempt.id)
        if row is not None and wanted:
            self._attempts[row] = attempt
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))
        elif row is not None:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._attempts[row]
            self.endRemoveRows()
        elif wanted:
            self._insert(attempt)

    def _insert(self, attempt: Attempt) -> None:
        """Newest first; one older than all that is shown belongs to a page not yet read."""
        row = next((row for row, each in enumerate(self._attempts) if each.id < attempt.id), None)
        if row is None:
            if self._attempts:
                return
            row = 0
        self.beginInsertRows(QModelIndex(), row, row)
        self._attempts.insert(row, attempt)
        self.endInsertRows()

    def keep_newest(self, count: int) -> bool:
        """Let go of those that are older; whether there were any."""
        if len(self._attempts) <= count:
            return False
        self.beginRemoveRows(QModelIndex(), count, len(self._attempts) - 1)
        del self._attempts[count:]
        self.endRemoveRows()
        return True

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._tell_all_changed()

    def set_today(self, today: date) -> None:
        """Another day has begun."""
        if today != self._today:
            self._today = today
            self._tell_all_changed()

    def _tell_all_changed(self) -> None:
        if self._attempts:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._attempts) - 1, len(Column) - 1))

    # --- What Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._attempts)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == _Role.DisplayRole:
            return _title(Column(section))
        return _alignment(Column(section)) if role == _Role.TextAlignmentRole else None

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        attempt, column = self._attempts[index.row()], Column(index.column())
        match role:
            case _Role.DisplayRole:
                return self.text(attempt, column)
            case _Role.TextAlignmentRole:
                return _alignment(column)
            case _Role.ToolTipRole if column is Column.DIAGNOSTIC:
                return spoken(attempt.diagnostic) or None
            case _Role.DecorationRole if column is Column.RESULT:
                look = look_of(attempt.state)
                return themes.icon(look.sign, self._theme.tone(look.tone))
            case _Role.ForegroundRole:
                if column is Column.RESULT:
                    return self._theme.tone(look_of(attempt.state).tone)
                return self._theme.text if column is Column.PLANNED else self._theme.muted
        return None

    def text(self, attempt: Attempt, column: Column) -> str:
        match column:
            case Column.RESULT:
                word = state_word(attempt.state)
                return (
                    translate("History", "{state}, dismissed").format(state=word)
                    if attempt.dismissed
                    else word
                )
            case Column.PLANNED:
                return self._moment(attempt.nominal_at)
            case Column.TRIGGER:
                return trigger_word(attempt.trigger)
            case Column.DELIVERED:
                return self._moment(attempt.delivered_at)
            case Column.LATE:
                return "" if attempt.lateness_ms is None else elapsed_words(attempt.lateness_ms)
            case Column.RAN:
                return "" if attempt.duration_ms is None else elapsed_words(attempt.duration_ms)
            case Column.EXIT_CODE:
                return "" if attempt.exit_code is None else str(attempt.exit_code)
            case Column.DIAGNOSTIC:
                return told(attempt)

    def _moment(self, at: Instant | None) -> str:
        if at is None:
            return "–"
        return moment_words(to_local(at, self._zone).replace(microsecond=0), self._today)


class RowDelegate(QStyledItemDelegate):
    """A chosen row keeps the colours of its results."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus
        colour = index.data(_Role.ForegroundRole)
        if colour is not None:
            option.palette.setColor(QPalette.ColorRole.HighlightedText, colour)


def _title(column: Column) -> str:
    return {
        Column.RESULT: translate("History", "RESULT"),
        Column.PLANNED: translate("History", "PLANNED"),
        Column.TRIGGER: translate("History", "TRIGGER"),
        Column.DELIVERED: translate("History", "DELIVERED"),
        Column.LATE: translate("History", "LATE"),
        Column.RAN: translate("History", "RAN"),
        Column.EXIT_CODE: translate("History", "EXIT"),
        Column.DIAGNOSTIC: translate("History", "DIAGNOSTIC"),
    }[column]


def _alignment(column: Column) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)

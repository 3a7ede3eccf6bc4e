"""What really happened: every attempt of a Schedule (K60, K61), read in pages and kept fresh by events."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from kavor.api.client import Document
from kavor.canvas import theme as themes
from kavor.canvas.editor.fields import ComboBox, Problem, quiet
from kavor.canvas.editor.style import form_style
from kavor.canvas.labels import Label
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panel import Panel
from kavor.canvas.panels.attempt_details import AttemptDetails
from kavor.canvas.panels.history_table import Column, HistoryTable, RowDelegate
from kavor.canvas.qt import (
    QAbstractItemView,
    QEvent,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QModelIndex,
    QObject,
    QResizeEvent,
    QSplitter,
    Qt,
    QTableView,
    QToolButton,
    QVBoxLayout,
    translate,
)
from kavor.canvas.states import look_of, state_word
from kavor.canvas.theme import Theme
from kavor.canvas.things import Attempt
from kavor.domain.attempts import AttemptState
from kavor.domain.errors import KavorError

PAGE = 100
"""So many attempts are read first; each further page doubles what is shown, so that reading them all costs
no more than twice their number."""

_ROW_HEIGHT = 30
_BESIDE_TEXT, _SIGN = 28, 24
"""Pixels of a cell beside its text, and of the sign before a result."""
_DIAGNOSTIC_LEAST = 110
_HIDDEN_FIRST = (Column.DIAGNOSTIC, Column.LATE, Column.TRIGGER)
"""What there is no room for, in this order: a diagnostic is read beside the table, too."""


class HistoryPanel(Panel):
    def __init__(self, schedule_id: str, model: Model, link: Link, zone: ZoneInfo, theme: Theme) -> None:
        super().__init__(schedule_id)
        self._model = model
        self._link = link
        self._zone = zone
        self._theme = theme
        self._limit = PAGE
        self._asked = 0
        self._asking = False
        self._more = False
        self._widths = dict.fromkeys(Column, 0)
        """What each column has needed so far."""
        self.rows = HistoryTable(zone, theme)
        self.table = QTableView()
        self.filter = ComboBox()
        self.details = AttemptDetails(link, model, self)
        self.problem = Problem()
        self._title = Label()
        self._count = quiet()
        self._close = QToolButton()
        self._build()
        self._follow()
        self.set_theme(theme)
        self._ask()

    def release(self) -> None:
        self._model.attempt_changed.disconnect(self._on_attempt)
        self._model.node_changed.disconnect(self._on_node)
        self._model.reloaded.disconnect(self._ask)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setStyleSheet(form_style(theme))
        self.rows.set_theme(theme)
        self._close.setIcon(themes.icon("close", theme.muted))
        for place in range(1, self.filter.count()):
            look = look_of(self.filter.itemData(place))
            self.filter.setItemIcon(place, themes.icon(look.sign, theme.tone(look.tone)))

    def tick(self) -> None:
        """A minute went by."""
        self.rows.set_today(self._today())

    # --- Building

    def _build(self) -> None:
        self.filter.addItem(translate("History", "All results"), None)
        for state in AttemptState:
            self.filter.addItem(state_word(state), str(state))
        self.filter.setAccessibleName(translate("History", "Which results"))
        self._close.setToolTip(translate("History", "Close (Esc)"))
        self._close.setAccessibleName(translate("History", "Close"))
        self._count.setWordWrap(False)
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 10, 8)
        head.setSpacing(12)
        head.addWidget(self._title)
        head.addWidget(self._count, 1)
        head.addWidget(self.filter)
        head.addWidget(self._close)
        self._build_table()
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.addWidget(self.table)
        split.addWidget(self.details)
        split.setStretchFactor(0, 5)
        split.setStretchFactor(1, 3)
        split.setChildrenCollapsible(False)
        self.details.setMinimumWidth(280)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.problem)
        self.problem.setContentsMargins(16, 0, 16, 8)
        layout.addWidget(split, 1)
        self.setAccessibleName(translate("History", "History"))
        self._show_title()

    def _build_table(self) -> None:
        table = self.table
        table.setModel(self.rows)
        table.setItemDelegate(RowDelegate(table))
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setTabKeyNavigation(False)
        table.setObjectName("attempts")
        table.setAccessibleName(translate("History", "Attempts"))
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.table and isinstance(event, QResizeEvent):
            self._show_columns(event.size().width())
        return super().eventFilter(watched, event)

    def _fit_columns(self) -> None:
        """As wide as what stands in them; one that a person has drawn to a width of theirs grows only with
        something longer."""
        header, metrics = self.table.horizontalHeader(), self.table.fontMetrics()
        for column in Column:
            if column is Column.DIAGNOSTIC:
                self._widths[column] = _DIAGNOSTIC_LEAST
                continue
            texts = {self.rows.text(attempt, column) for attempt in self.rows.newest(PAGE)}
            beside = _BESIDE_TEXT + (_SIGN if column is Column.RESULT else 0)
            widest = max((metrics.horizontalAdvance(text) + beside for text in texts), default=0)
            needed = max(widest, header.sectionSizeHint(column))
            if needed > self._widths[column]:
                self._widths[column] = needed
                self.table.setColumnWidth(column, needed)
        self._show_columns(self.table.width())

    def _show_columns(self, room: int) -> None:
        """Those that there is room for, whole."""
        shown = set(Column)
        for column in _HIDDEN_FIRST:
            if sum(self._widths[each] for each in shown) > room:
                shown.discard(column)
        for column in Column:
            self.table.setColumnHidden(column, column not in shown)

    def _follow(self) -> None:
        self._close.clicked.connect(self.closed)
        self.filter.currentIndexChanged.connect(self._on_filter)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.table.verticalScrollBar().valueChanged.connect(self._on_scroll)
        self._model.attempt_changed.connect(self._on_attempt)
        self._model.node_changed.connect(self._on_node)
        self._model.reloaded.connect(self._ask)

    # --- Reading

    def _ask(self) -> None:
        """Read as many as are wanted; the answer to an older question is passed over."""
        self._asked += 1
        number, limit, state = self._asked, self._limit, self.filter.currentData()
        self._asking = True

        def answered(document: Document) -> None:
            if number == self._asked:
                self._asking = False
                self._show_attempts([Attempt.read(each) for each in document["attempts"]], limit)

        path = f"/api/schedules/{self.node_id}/history"
        self._link.ask(
            lambda client: client.get(path, limit=limit, state=state),
            self.while_open(answered),
            self.while_open(self._on_failed),
        )

    def _on_failed(self, error: KavorError) -> None:
        self._asking = False
        self.problem.say(error)

    def _show_attempts(self, attempts: list[Attempt], limit: int) -> None:
        self._more = len(attempts) == limit
        chosen = self._chosen()
        place = self.table.verticalScrollBar().value()
        self.problem.say(None)
        self.rows.show_attempts(attempts, self._today())
        self._fit_columns()
        row = None if chosen is None else self.rows.row_of(chosen.id)
        if row is None:
            row = 0 if attempts and chosen is None else None
        if row is not None:
            self.table.selectRow(row)
        else:
            self.details.show_attempt(None)
        self.table.verticalScrollBar().setValue(place)
        self._show_count()

    def _on_scroll(self, place: int) -> None:
        """Near the end of what was read: read on."""
        near = place >= self.table.verticalScrollBar().maximum() - 4 * _ROW_HEIGHT
        if near and self._more and not self._asking:
            self._limit *= 2
            self._ask()

    def _on_filter(self) -> None:
        self._limit = PAGE
        self._ask()

    # --- What happens

    def _on_attempt(self, attempt: Attempt) -> None:
        if attempt.schedule != self.node_id:
            return
        wanted = self.filter.currentData() in (None, attempt.state)
        at_newest = self.table.currentIndex().row() <= 0
        self.rows.take(attempt, wanted=wanted)
        self._fit_columns()
        if at_newest and self.rows.keep_newest(self._limit):
            self._more = True  # they are read again when somebody scrolls there
        chosen = self._chosen()
        if at_newest and wanted and self.rows.attempt_at(0).id == attempt.id:
            self.table.selectRow(0)  # who looks at the newest goes on doing so
            self.details.show_attempt(attempt)
        elif chosen is not None and chosen.id == attempt.id:
            self.details.show_attempt(attempt)
        self._show_count()

    def _on_node(self, node_id: str) -> None:
        if node_id == self.node_id:
            self._show_title()

    def _on_row(self, current: QModelIndex, _: QModelIndex) -> None:
        self.details.show_attempt(self.rows.attempt_at(current.row()) if current.isValid() else None)

    # --- Showing

    def _chosen(self) -> Attempt | None:
        index = self.table.currentIndex()
        return self.rows.attempt_at(index.row()) if index.isValid() else None

    def _show_title(self) -> None:
        node = self._model.nodes.get(self.node_id)
        name = "" if node is None else node.name
        self._title.setText(translate("History", "History of {name}").format(name=name))

    def _show_count(self) -> None:
        count = self.rows.rowCount()
        if not count:
            words = translate("History", "Nothing has happened yet")
            if self.filter.currentData() is not None:
                words = translate("History", "None with this result")
        elif self._more:
            words = translate("History", "the latest {count}").format(count=count)
        else:
            words = str(count)
        self._count.setText(words)

    def _today(self) -> date:
        return datetime.now(self._zone).date()

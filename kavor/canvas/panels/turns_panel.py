"""What became of all that a CodingAgent was asked: its turns, each with what it said and did."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from kavor.canvas import theme as themes
from kavor.canvas.agents.transcript_view import TranscriptView
from kavor.canvas.conversation import Entry
from kavor.canvas.editor.fields import Problem, quiet
from kavor.canvas.editor.style import form_style
from kavor.canvas.labels import Label, as_tip
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panel import Panel
from kavor.canvas.qt import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSize,
    QSplitter,
    Qt,
    QToolButton,
    QVBoxLayout,
    QWidget,
    translate,
)
from kavor.canvas.runtime_words import spoken
from kavor.canvas.states import look_of, state_word
from kavor.canvas.theme import Theme
from kavor.canvas.things import Document
from kavor.canvas.times import elapsed_words, moment_words
from kavor.domain.errors import KavorError
from kavor.domain.instant import parse_instant
from kavor.domain.zones import to_local

PAGE = 50
"""So many turns are read at once; more when the person scrolls to the last one."""

_ROW_HEIGHT = 44
_PIXELS = 13
_TURN = Qt.ItemDataRole.UserRole


class TurnsPanel(Panel):
    def __init__(self, node_id: str, model: Model, link: Link, zone: ZoneInfo, theme: Theme) -> None:
        super().__init__(node_id)
        self._model = model
        self._link = link
        self._zone = zone
        self._theme = theme
        self._asking = False
        self._more = True
        self._shown: int | None = None
        self.table = QListWidget()
        self.whole = TranscriptView(theme, themes.ui_font(_PIXELS))
        self.diagnostic = quiet()
        self.problem = Problem()
        self._title = Label()
        self._nothing = quiet(translate("Turns", "It has not finished anything yet."))
        self._close = QToolButton()
        self._build()
        self._follow()
        self.set_theme(theme)
        self._ask(None)

    def release(self) -> None:
        self._model.turn_ended.disconnect(self._on_turn)
        self._model.node_changed.disconnect(self._on_node)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setStyleSheet(form_style(theme))
        self._close.setIcon(themes.icon("close", theme.muted))
        self.whole.set_look(theme, themes.ui_font(_PIXELS))
        for row in range(self.table.count()):
            self._show_sign(self.table.item(row))

    # --- Building

    def _build(self) -> None:
        self._close.setToolTip(translate("History", "Close (Esc)"))
        self._close.setAccessibleName(translate("History", "Close"))
        self.table.setObjectName("turns")
        self.table.setAccessibleName(translate("Turns", "Turns"))
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setIconSize(QSize(18, 18))
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 10, 8)
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(12, 4, 12, 8)
        beside.addWidget(self.diagnostic)
        beside.addWidget(self._nothing)
        beside.addWidget(self.whole, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.addWidget(self.table)
        split.addWidget(right)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.problem)
        layout.addWidget(split, 1)
        self.setAccessibleName(translate("Turns", "Past turns"))
        self._on_node(self.node_id)
        self._show_emptiness()

    def _follow(self) -> None:
        self._close.clicked.connect(self.closed)
        self.table.currentItemChanged.connect(lambda item: self._on_row(item))
        self.table.verticalScrollBar().valueChanged.connect(self._on_scroll)
        self._model.turn_ended.connect(self._on_turn)
        self._model.node_changed.connect(self._on_node)

    # --- Reading

    def _ask(self, before: int | None) -> None:
        """The newest ones, or those before a number."""
        self._asking = True

        def answered(document: Document) -> None:
            self._asking = False
            self._more = len(document["turns"]) == PAGE
            for turn in document["turns"]:
                self._add(turn, self.table.count())
            self._show_emptiness()
            if before is None and self.table.count():
                self.table.setCurrentRow(0)

        def failed(error: KavorError) -> None:
            self._asking = False
            self.problem.say(error)

        self._link.ask(
            lambda client: client.get(f"/api/nodes/{self.node_id}/turns", before=before, limit=PAGE),
            self.while_open(answered),
            self.while_open(failed),
        )

    def _on_scroll(self, place: int) -> None:
        if place >= self.table.verticalScrollBar().maximum() and self._more and not self._asking:
            self._ask(self.table.item(self.table.count() - 1).data(_TURN)["id"])

    def _on_row(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        turn = item.data(_TURN)
        self._shown = turn["id"]
        said = [state_word(turn["state"]), spoken(turn["diagnostic"])]
        self.diagnostic.setText(" · ".join(filter(None, said)))

        def answered(document: Document) -> None:
            if document["id"] == self._shown:
                self.whole.show_entries([Entry.read(each) for each in document["entries"]])
                self.whole.to_end()

        self._link.ask(
            lambda client: client.get(f"/api/turns/{turn['id']}"),
            self.while_open(answered),
            self.while_open(self.problem.say),
        )

    # --- Showing

    def _add(self, turn: Document, row: int) -> None:
        if any(self.table.item(known).data(_TURN)["id"] == turn["id"] for known in range(self.table.count())):
            return
        started = parse_instant(turn["started_at"])
        local = to_local(started, self._zone).replace(second=0)
        when = moment_words(local, self.today(self._zone))
        ran = elapsed_words(parse_instant(turn["finished_at"]) - started)
        prompt = " ".join(turn["prompt"].split())
        item = QListWidgetItem(f"{prompt[:200]}\n{state_word(turn['state'])} · {when} · {ran}")
        item.setData(_TURN, turn)
        item.setSizeHint(QSize(0, _ROW_HEIGHT))
        item.setToolTip(as_tip(turn["prompt"][:2_000]))
        self._show_sign(item)
        at_newest = self.table.currentRow() <= 0 and row == 0
        self.table.insertItem(row, item)
        if at_newest and row == 0:
            self.table.setCurrentRow(0)  # who looks at the newest goes on doing so

    def _show_sign(self, item: QListWidgetItem) -> None:
        look = look_of(item.data(_TURN)["state"])
        item.setIcon(themes.icon(look.sign, self._theme.tone(look.tone)))

    def _show_emptiness(self) -> None:
        is_empty = not self.table.count()
        self._nothing.setVisible(is_empty)
        self.whole.setVisible(not is_empty)
        self.diagnostic.setVisible(not is_empty)

    # --- What happens

    def _on_turn(self, agent_id: str, turn: Document) -> None:
        if agent_id == self.node_id:
            self._add(turn, 0)
            self._show_emptiness()

    def _on_node(self, node_id: str) -> None:
        if node_id == self.node_id:
            name = self._model.nodes[node_id].name
            self._title.setText(translate("Turns", "Past turns of {name}").format(name=name))

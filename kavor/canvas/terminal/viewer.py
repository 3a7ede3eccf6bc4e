"""One look at one terminal: its stream, the screen it adds up to, and the picture of that."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from kavor.api.terminal_stream import Screen
from kavor.canvas.cards.cells import GridSize
from kavor.canvas.qt import QObject, Qt, Signal
from kavor.canvas.terminal.feed import Feed
from kavor.canvas.terminal.history import History
from kavor.canvas.terminal.pace import Attention, Pace
from kavor.canvas.terminal.screen_picture import RowPainter, ScreenPicture
from kavor.domain.errors import KavorError
from kavor.home import Home
from kavor.terminal_frames import Ended, Frame, Modes, Problem, Row, Scrollback


class Viewer(QObject):
    drawn = Signal(set)
    """Lines of the picture that are different, those of the cursor among them."""
    resized = Signal()
    """The screen has another size, as every other look at it."""
    over = Signal(object)
    """Nothing comes any more: a KavorError, or None where the session ended."""
    finished = Signal()
    """Its threads are done."""

    def __init__(self, home: Home, node_id: str, painter: RowPainter) -> None:
        super().__init__()
        self.node_id = node_id
        self.screen = Screen()
        self.picture = ScreenPicture()
        self.history = History()
        self.problem: Problem | None = None
        """The newest that the engine told of."""
        self._painter = painter
        self._scale = 1.0
        self._scrolled_to: int | None = None
        self._closed = False
        self._pace = Pace(self._grant, self)
        self._feed = Feed(home, node_id, self._pace.begin())
        self._feed.said.connect(self._hear, Qt.ConnectionType.QueuedConnection)
        self._feed.over.connect(self._on_over, Qt.ConnectionType.QueuedConnection)

    def open(self) -> None:
        self._feed.start()

    def close(self) -> None:
        """Look no longer. ``finished`` comes when that is done."""
        self._closed = True
        self._pace.stop()
        self._feed.close()

    @property
    def threads(self) -> list[threading.Thread]:
        """What still works for it, soon after ``close`` no longer."""
        return self._feed.threads

    # --- What is seen

    @property
    def size(self) -> GridSize:
        return GridSize(self.screen.columns, len(self.screen.rows))

    @property
    def is_here(self) -> bool:
        """Whether a screen has come yet."""
        return self.screen.columns > 0

    @property
    def top(self) -> int:
        """The number of the row that is shown on the first line; rows are counted from the oldest that is
        kept above the screen, and go on into the screen."""
        return self.screen.scrollback if self._scrolled_to is None else self._scrolled_to

    @property
    def is_scrolled(self) -> bool:
        return self._scrolled_to is not None

    def row(self, number: int) -> Row:
        """By the same count; blank where there is none, or not here yet."""
        line = number - self.screen.scrollback
        if 0 <= line < len(self.screen.rows):
            return self.screen.rows[line]
        return self.history.row(number) or Row(0, False, ())

    def scroll_by(self, lines: int) -> None:
        """Towards older rows; negative towards the screen, on which it stays from then on."""
        target = max(0, self.top - lines)
        self._scrolled_to = target if target < self.screen.scrollback else None
        self._show_scrolled()

    def scroll_to_end(self) -> None:
        if self.is_scrolled:
            self._scrolled_to = None
            self._show_scrolled()

    def set_scale(self, scale: float) -> None:
        """Device pixels per canvas unit, at which the picture is sharp."""
        self._scale = scale
        self._fit()

    def set_painter(self, painter: RowPainter) -> None:
        """Other colours."""
        self._painter = painter
        self._draw_all()

    def attend(self, attention: Attention) -> None:
        self._pace.attend(attention)

    # --- What a person does

    def type(self, data: bytes) -> None:
        if data:
            self._feed.type(data)

    def resize(self, size: GridSize) -> None:
        """Ask for another size; it is there when ``resized`` comes."""
        self._feed.resize(size.columns, size.lines)

    # --- What the stream says

    def _hear(self, message: object) -> None:
        if self._closed:
            return
        match message:
            case Frame():
                self._take(message)
                self._pace.taken()
            case Scrollback():
                self.history.take(message)
                if self.is_scrolled:
                    self._draw_all()
            case Problem():
                self.problem = message
            case Ended():
                pass  # the end of the stream follows

    def _take(self, frame: Frame) -> None:
        size, modes, cursor, above = self.size, self.screen.modes, self.screen.cursor, self.screen.scrollback
        changed = self.screen.apply(frame)
        if self.size != size or self.screen.scrollback < above:
            self.history.forget()
        if self.size != size:
            self._scrolled_to = None
            self._fit()
            self.resized.emit()
        elif self.is_scrolled:
            self._scrolled_to = min(self.top, self.screen.scrollback)
            self._show_scrolled()
        elif (modes ^ self.screen.modes) & Modes.REVERSE_VIDEO:
            self._draw_all()
        else:
            self._draw(changed)
            self.drawn.emit(changed | {cursor.y, self.screen.cursor.y})

    def _on_over(self, error: KavorError | None) -> None:
        if not self._closed:
            self.over.emit(error)
        self.finished.emit()

    def _grant(self, frames: int) -> None:
        self._feed.grant(frames)

    # --- Drawing

    def _show_scrolled(self) -> None:
        first, lines, total = self.top, self.size.lines, self.screen.scrollback
        for start, count in self.history.to_ask(first, min(lines, max(0, total - first)), total):
            self._feed.read_scrollback(start, count)
        self._draw_all()

    def _fit(self) -> None:
        if self.is_here and self.picture.fit(self.size, self._scale):
            self._draw_all()

    def _draw_all(self) -> None:
        if self.is_here:
            lines = set(range(self.size.lines))
            self._draw(lines)
            self.drawn.emit(lines)

    def _draw(self, lines: Iterable[int]) -> None:
        top = self.top
        self.picture.paint_rows(
            self._painter,
            ((line, self.row(top + line)) for line in lines),
            reversed_screen=bool(self.screen.modes & Modes.REVERSE_VIDEO),
        )

"""One terminal's stream, off the GUI thread: one thread reads it and one writes it, and the window waits for
neither."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable

from kavor.api.terminal_stream import TerminalStream
from kavor.canvas.qt import QObject, Signal
from kavor.domain.errors import KavorError
from kavor.home import Home

log = logging.getLogger(__name__)

_NUMBERS = itertools.count(1)

Order = Callable[[TerminalStream], object]


class Feed(QObject):
    """Its signals are for the GUI thread: connect them queued."""

    said = Signal(object)
    """A message of `kavor.terminal_frames`."""
    over = Signal(object)
    """The last word: a KavorError, or None where the stream ended in order."""

    def __init__(self, home: Home, node_id: str, credit: int) -> None:
        super().__init__()
        number = next(_NUMBERS)
        self._stream = TerminalStream(home, node_id, credit=credit)
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._reader = threading.Thread(
            target=self._read, name=f"canvas-terminal-reads-{number}", daemon=True
        )
        self._writer = threading.Thread(
            target=self._write, name=f"canvas-terminal-writes-{number}", daemon=True
        )

    def start(self) -> None:
        self._reader.start()
        self._writer.start()

    def close(self) -> None:
        """Look no longer. ``over`` still comes, soon after."""
        self._stream.close()
        self._orders.put(None)

    @property
    def threads(self) -> list[threading.Thread]:
        """They end soon after ``close``."""
        return [self._reader, self._writer]

    def grant(self, frames: int) -> None:
        self._orders.put(lambda stream: stream.grant(frames))

    def type(self, data: bytes) -> None:
        self._orders.put(lambda stream: stream.type(data))

    def resize(self, columns: int, lines: int) -> None:
        self._orders.put(lambda stream: stream.resize(columns, lines))

    def read_scrollback(self, first: int, count: int) -> None:
        """The answer is the Scrollback whose first row is ``first``."""
        self._orders.put(lambda stream: stream.read_scrollback(first, count))

    def _read(self) -> None:
        last: KavorError | None = None
        try:
            for message in self._stream:
                self.said.emit(message)
        except KavorError as error:
            last = error
        except Exception:
            log.exception("a terminal's stream failed")
            last = KavorError("the terminal's stream failed", "look at it again")
        self._orders.put(None)
        self.over.emit(last)

    def _write(self) -> None:
        while (order := self._orders.get()) is not None:
            order(self._stream)

"""A face's view of one terminal: the stream of its screen, and the screen that its frames add up to.

Plain Python: a window draws a `Screen`, and whoever tests or scripts can read it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from kavor.api.web_socket import WebSocket
from kavor.domain.errors import Refused
from kavor.home import Home
from kavor.terminal_frames import (
    FRAMES_IN_FLIGHT,
    Credit,
    Cursor,
    Frame,
    FromEngine,
    FromViewer,
    Input,
    Modes,
    ReadScrollback,
    Resize,
    Row,
    decode_from_engine,
    encode,
)

_ORDERLY_ENDS = (1000, 1001)
"""As RFC 6455 numbers them: done, and going away."""
_MOST_INPUT = 32 * 1024
"""Bytes of input in one message; more goes in several."""


class Screen:
    """What a terminal shows, built from its frames."""

    def __init__(self) -> None:
        self.columns = 0
        self.rows: list[Row] = []
        """From the top; as many as the screen has lines."""
        self.cursor = Cursor()
        self.modes = Modes(0)
        self.title = ""
        self.scrollback = 0
        """Rows that lie above the screen and can be asked for."""

    def apply(self, frame: Frame) -> set[int]:
        """Take a frame over. The numbers of the rows that must be drawn again, without the cursor's."""
        resized = frame.full or (frame.columns, frame.lines) != (self.columns, len(self.rows))
        if resized:
            self.columns = frame.columns
            self.rows = [Row(y, False, ()) for y in range(frame.lines)]
        for row in frame.rows:
            self.rows[row.y] = row
        self.cursor = frame.cursor
        self.modes = Modes(frame.modes)
        self.scrollback = frame.scrollback
        if frame.title is not None:
            self.title = frame.title
        return set(range(frame.lines)) if resized else {row.y for row in frame.rows}

    @property
    def text(self) -> str:
        """The rows as lines, blanks at the ends cut."""
        return "\n".join(row.text.rstrip() for row in self.rows).rstrip("\n")


class TerminalStream(Iterator[FromEngine]):
    """The messages of one session's screen, one after the other; it connects when the first is asked for.

    Frames come only against credit: begin with ``grant(FRAMES_IN_FLIGHT)`` and grant one more for each frame
    that was drawn. Iterate in one thread; everything else may be called from any. Ends when the session's
    stream ends or another thread closes it. Raises Refused when the session cannot be looked at, and
    Unreachable when no runtime runs or it dies. No thread reads ahead: whoever leaves early leaves nothing
    behind that must be waited for.
    """

    def __init__(self, home: Home, node_id: str, *, credit: int = FRAMES_IN_FLIGHT) -> None:
        self._socket = WebSocket(home, f"/api/sessions/{node_id}/stream", "the terminal's stream")
        self._first_credit = credit
        self._begun = False
        self._closed = False
        self._requests = itertools.count(1)

    def __next__(self) -> FromEngine:
        if not self._begun:
            self._begun = True
            self._socket.connect()
            self.grant(self._first_credit)
        message = None if self._closed else self._socket.receive()
        if message is None:
            self._end()
            raise StopIteration
        return decode_from_engine(message)

    def grant(self, frames: int = 1) -> None:
        """Let the engine send so many frames more."""
        self._send(Credit(frames))

    def type(self, data: bytes) -> None:
        """Send input, in the form that `kavor.api.terminal_input` gives it."""
        for start in range(0, len(data), _MOST_INPUT):
            self._send(Input(data[start : start + _MOST_INPUT]))

    def resize(self, columns: int, lines: int) -> None:
        self._send(Resize(columns, lines))

    def read_scrollback(self, first: int, count: int) -> int:
        """Ask for rows above the screen, 0 being the oldest; the answer is a `Scrollback` with the number
        that this returns."""
        request = next(self._requests)
        self._send(ReadScrollback(request, first, count))
        return request

    def close(self) -> None:
        """Stop looking. The one who iterates sees the end of the stream at once."""
        self._closed = True
        self._socket.close()

    def _send(self, message: FromViewer) -> None:
        self._socket.send(encode(message))

    def _end(self) -> None:
        """Raises why it was closed, once, unless it came to its end."""
        last, closed = self._socket.farewell, self._closed
        self.close()
        if last is not None and last.code not in _ORDERLY_ENDS and not closed:
            raise Refused(last.reason or "the terminal's stream was closed", "look at it again")

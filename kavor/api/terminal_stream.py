"""A face's view of one terminal: the stream of its screen, and the screen that its frames add up to.

Plain Python: a window draws a `Screen`, and whoever tests or scripts can read it.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kavor.api.client import ANSWER_LIMIT_S, unreachable
from kavor.domain.errors import KavorError, Refused
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

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_LARGEST_MESSAGE = 16 * 1024 * 1024
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
    Unreachable when no runtime runs or it dies.
    """

    def __init__(self, home: Home, node_id: str, *, credit: int = FRAMES_IN_FLIGHT) -> None:
        self._home = home
        self._node_id = node_id
        self._first_credit = credit
        self._connection: ClientConnection | None = None
        self._closed = False
        self._requests = itertools.count(1)
        self._messages = self._read()

    def __next__(self) -> FromEngine:
        return next(self._messages)

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
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.socket.shutdown(socket.SHUT_RDWR)

    def _send(self, message: FromViewer) -> None:
        from websockets.exceptions import ConnectionClosed

        if self._connection is not None:  # what is said before or after the stream is lost with it
            with contextlib.suppress(ConnectionClosed, OSError):
                self._connection.send(encode(message))

    def _read(self) -> Iterator[FromEngine]:
        from websockets.exceptions import ConnectionClosedError, InvalidHandshake
        from websockets.sync.client import unix_connect

        self._home.check_socket_paths()
        try:
            with unix_connect(
                str(self._home.socket),
                f"ws://kavor/api/sessions/{self._node_id}/stream",
                max_size=_LARGEST_MESSAGE,
                compression=None,
                open_timeout=ANSWER_LIMIT_S,
            ) as self._connection:
                if self._closed:
                    return
                self.grant(self._first_credit)
                for message in self._connection:
                    if isinstance(message, bytes):
                        yield decode_from_engine(message)
        except InvalidHandshake as error:
            raise KavorError("the runtime refused the terminal's stream", "its log says more") from error
        except ConnectionClosedError as error:
            if self._closed:
                return
            if error.rcvd is None:  # it did not say goodbye
                raise unreachable(error, self._home) from error
            raise Refused(
                error.rcvd.reason or "the terminal's stream was closed", "look at it again"
            ) from error
        except OSError as error:
            if not self._closed:
                raise unreachable(error, self._home) from error

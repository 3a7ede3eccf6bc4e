"""The runtime's events as a face reads them: a WebSocket without a thread."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Self, TypeVar

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from kavor.api.client import ANSWER_LIMIT_S, Document, error_from_problem, open_socket, unreachable
from kavor.domain.errors import KavorError
from kavor.home import Home

_LARGEST_EVENT = 16 * 1024 * 1024
_READ_AT_ONCE = 64 * 1024

_ORDERLY_ENDS = (CloseCode.NORMAL_CLOSURE, CloseCode.GOING_AWAY, CloseCode.SERVICE_RESTART)

Answer = TypeVar("Answer")


class EventStream(Iterator[Document]):
    """The runtime's events, one after the other. It connects when it is entered, or else when the first
    event is asked for.

    Ends when the runtime stops, or once it is closed. Raises Unreachable when the runtime dies, or none
    runs, and another KavorError when it refuses the stream or cannot go on with it. No thread reads ahead,
    so whoever leaves early leaves nothing behind that must be waited for.
    """

    def __init__(self, home: Home, path: str, headers: Mapping[str, str]) -> None:
        self._home = home
        self._headers = dict(headers)
        self._protocol = ClientProtocol(parse_uri("ws://kavor" + path), max_size=_LARGEST_EVENT)
        self._socket: socket.socket | None = None
        self._frames: deque[Frame] = deque()
        self._closed = False
        self._reading = threading.RLock()

    def __enter__(self) -> Self:
        self._while_open(lambda _: None)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> Document:
        text = self._while_open(self._next_text)
        if text is None:
            self.close()
            raise StopIteration
        event: Document = json.loads(text)
        return event

    def close(self) -> None:
        """From any thread; one that waits for an event sees the end of the stream at once."""
        self._closed = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            with self._reading:
                self._socket.close()

    def _while_open(self, step: Callable[[socket.socket], Answer]) -> Answer | None:
        """What ``step`` answers on the connection; None where the stream is closed, be it meanwhile."""
        with self._reading:
            try:
                return None if self._closed else step(self._connected())
            except (OSError, KavorError) as error:
                if self._closed:
                    return None
                self.close()
                if isinstance(error, KavorError):
                    raise
                raise unreachable(error, self._home) from error

    def _connected(self) -> socket.socket:
        if self._socket is None:
            self._home.check_socket_paths()
            self._socket = open_socket(self._home, ANSWER_LIMIT_S)
            self._shake_hands(self._socket)
            self._socket.settimeout(None)
        return self._socket

    def _shake_hands(self, connection: socket.socket) -> None:
        request = self._protocol.connect()
        request.headers.update(self._headers)
        self._protocol.send_request(request)
        self._send(connection)
        while self._protocol.state is State.CONNECTING and self._protocol.handshake_exc is None:
            self._receive(connection)
        if self._protocol.handshake_exc is not None:
            raise _refusal(self._protocol.handshake_exc)

    def _next_text(self, connection: socket.socket) -> bytes | None:
        """The next message; None at the stream's orderly end."""
        parts = []
        while True:
            while self._frames:
                frame = self._frames.popleft()
                parts.append(bytes(frame.data))
                if frame.fin:
                    return b"".join(parts)
            if self._has_ended():
                return None
            self._receive(connection)

    def _receive(self, connection: socket.socket) -> None:
        data = connection.recv(_READ_AT_ONCE)
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        self._send(connection)
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.CONT):
                self._frames.append(event)

    def _send(self, connection: socket.socket) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has gone, but its last words are still to be read
            connection.sendall(b"".join(self._protocol.data_to_send()))

    def _has_ended(self) -> bool:
        """Raises what it broke off for."""
        last = self._protocol.close_rcvd
        if last is None:
            if self._protocol.state is State.CLOSED:
                raise ConnectionResetError  # it did not say goodbye
            return False
        if last.code not in _ORDERLY_ENDS:
            raise KavorError(
                f"the runtime broke its event stream off: {last.reason or f'code {last.code}'}",
                "ask again for what came after the last event",
            )
        return True


def _refusal(error: Exception) -> Exception:
    """Why there is no stream."""
    if isinstance(error.__cause__, EOFError):
        return ConnectionResetError()
    if isinstance(error, InvalidStatus):
        with contextlib.suppress(ValueError):
            problem = json.loads(error.response.body or b"")
            if isinstance(problem, dict):
                return error_from_problem(problem)
    return KavorError("the runtime refused its event stream", "its log says more")

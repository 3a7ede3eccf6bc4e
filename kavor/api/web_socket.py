"""A face's end of a WebSocket of the runtime, without a thread: whoever leaves it leaves nothing behind that
must be waited for."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TypeVar

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from kavor.api.connection import ANSWER_LIMIT_S, error_from_problem, open_socket, unreachable
from kavor.domain.errors import KavorError
from kavor.home import Home

_LARGEST_MESSAGE = 16 * 1024 * 1024
_READ_AT_ONCE = 64 * 1024
_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)

Answer = TypeVar("Answer")


class WebSocket:
    """One thread reads, any may send and close. It connects when told to, or when the first message is read.

    Reading raises Unreachable when the runtime dies, or none runs, and another KavorError when it refuses;
    ``name`` is what such a refusal calls this stream.
    """

    def __init__(self, home: Home, path: str, name: str, headers: Mapping[str, str] | None = None) -> None:
        self._home = home
        self._name = name
        self._headers = dict(headers or {})
        self._protocol = ClientProtocol(parse_uri("ws://kavor" + path), max_size=_LARGEST_MESSAGE)
        self._socket: socket.socket | None = None
        self._frames: deque[Frame] = deque()
        self._is_open = False
        self._closed = False
        self._reading = threading.RLock()
        self._speaking = threading.Lock()
        """Held while the protocol changes its mind or its words go out."""

    def connect(self) -> None:
        self._while_open(lambda _: None)

    def receive(self) -> bytes | None:
        """The next message; None once it is closed, or the runtime has said goodbye: see `farewell`."""
        return self._while_open(self._next_message)

    @property
    def farewell(self) -> Close | None:
        """The runtime's last word."""
        return self._protocol.close_rcvd

    def send(self, message: bytes) -> None:
        """What is said before or after the stream is lost with it."""
        connection = self._socket
        if connection is None or not self._is_open:
            return
        with contextlib.suppress(OSError), self._speaking:
            if self._protocol.state is State.OPEN:
                self._protocol.send_binary(message)
                self._send(connection)

    def close(self) -> None:
        """From any thread; one that waits for a message sees the end of the stream at once."""
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
            self._is_open = True
        return self._socket

    def _shake_hands(self, connection: socket.socket) -> None:
        request = self._protocol.connect()
        request.headers.update(self._headers)
        self._protocol.send_request(request)
        self._send(connection)
        while self._protocol.state is State.CONNECTING and self._protocol.handshake_exc is None:
            self._read(connection)
        if self._protocol.handshake_exc is not None:
            raise self._refusal(self._protocol.handshake_exc)

    def _next_message(self, connection: socket.socket) -> bytes | None:
        parts = []
        while True:
            while self._frames:
                frame = self._frames.popleft()
                parts.append(bytes(frame.data))
                if frame.fin:
                    return b"".join(parts)
            if self.farewell is not None:
                return None
            if self._protocol.state is State.CLOSED:
                raise ConnectionResetError  # it did not say goodbye
            self._read(connection)

    def _read(self, connection: socket.socket) -> None:
        data = connection.recv(_READ_AT_ONCE)
        with self._speaking:
            if data:
                self._protocol.receive_data(data)
            else:
                self._protocol.receive_eof()
            self._send(connection)
            for event in self._protocol.events_received():
                if isinstance(event, Frame) and event.opcode in _DATA:
                    self._frames.append(event)

    def _send(self, connection: socket.socket) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has gone, but its last words are still to be read
            connection.sendall(b"".join(self._protocol.data_to_send()))

    def _refusal(self, error: Exception) -> Exception:
        """Why there is no stream."""
        if isinstance(error.__cause__, EOFError):
            return ConnectionResetError()
        if isinstance(error, InvalidStatus):
            with contextlib.suppress(ValueError):
                problem = json.loads(error.response.body or b"")
                if isinstance(problem, dict):
                    return error_from_problem(problem)
        return KavorError(f"the runtime refused {self._name}", "its log says more")

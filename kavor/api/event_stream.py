"""The runtime's events as a face reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Self

from websockets.frames import CloseCode

from kavor.api.connection import Document
from kavor.api.web_socket import WebSocket
from kavor.domain.errors import KavorError
from kavor.home import Home

_ORDERLY_ENDS = (CloseCode.NORMAL_CLOSURE, CloseCode.GOING_AWAY, CloseCode.SERVICE_RESTART)


class EventStream(Iterator[Document]):
    """The runtime's events, one after the other. It connects when it is entered, or else when the first
    event is asked for.

    Ends when the runtime stops, or once it is closed. Raises Unreachable when the runtime dies, or none
    runs, and another KavorError when it refuses the stream or cannot go on with it. No thread reads ahead,
    so whoever leaves early leaves nothing behind that must be waited for.
    """

    def __init__(self, home: Home, path: str, headers: Mapping[str, str]) -> None:
        self._socket = WebSocket(home, path, "its event stream", headers)
        self._over = False

    def __enter__(self) -> Self:
        self._socket.connect()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> Document:
        text = None if self._over else self._socket.receive()
        if text is None:
            self._end()
            raise StopIteration
        event: Document = json.loads(text)
        return event

    def close(self) -> None:
        """From any thread; one that waits for an event sees the end of the stream at once."""
        self._over = True
        self._socket.close()

    def _end(self) -> None:
        """Raises what it broke off for, once."""
        last, over = self._socket.farewell, self._over
        self.close()
        if last is not None and last.code not in _ORDERLY_ENDS and not over:
            raise KavorError(
                f"the runtime broke its event stream off: {last.reason or f'code {last.code}'}",
                "ask again for what came after the last event",
            )

"""The engine's end of its connection to the PTY host.

What comes is read to where it is taken from: in a flood, copies on the way are a good part of the work.
"""

from __future__ import annotations

import asyncio

from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.protocol import Json, Message

_ROOM = 256 * 1024
"""In bytes, for what has come and was not taken yet. A longer message gets as much as it needs."""


async def connect(socket: str) -> HostConnection:
    """Raises OSError."""
    _, connection = await asyncio.get_running_loop().create_unix_connection(HostConnection, socket)
    return connection


class HostConnection(asyncio.BufferedProtocol):
    def __init__(self) -> None:
        self._buffer = bytearray(_ROOM)
        self._begin = self._end = 0
        """Between them lies what was not taken yet."""
        self._arrival = asyncio.Event()
        self._closed = asyncio.Event()

    async def read(self) -> Message | None:
        """The next message, or None when the host has closed. Raises ValueError for what is none."""
        while (message := self._take()) is None and not self._closed.is_set():
            self._transport.resume_reading()
            self._arrival.clear()
            await self._arrival.wait()
        return message

    def write(self, content: Json, attached: bytes = b"") -> None:
        self._transport.write(protocol.encode(content, attached))

    async def close(self) -> None:
        """When everything is written."""
        self._transport.close()
        await self._closed.wait()

    def _take(self) -> Message | None:
        head_end = self._buffer.find(b"\n", self._begin, self._end) + 1
        if not head_end:
            self._make_room(self._end - self._begin + 1)
            return None
        content, attached = protocol.decode_head(self._buffer[self._begin : head_end])
        end = head_end + attached
        if end > self._end:
            self._make_room(end - self._begin)
            return None
        self._begin = end
        return Message(content, bytes(memoryview(self._buffer)[head_end:end]))

    def _make_room(self, length: int) -> None:
        """For a message so long, the first part of which has come."""
        if self._begin + length > len(self._buffer):
            begun = self._buffer[self._begin : self._end]
            if len(self._buffer) != (size := max(length, _ROOM)):
                self._buffer = bytearray(size)
            self._buffer[: len(begun)] = begun
            self._begin, self._end = 0, len(begun)

    # --- as the transport calls it

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return memoryview(self._buffer)[self._end :]

    def buffer_updated(self, nbytes: int) -> None:
        self._end += nbytes
        if self._end == len(self._buffer):
            self._transport.pause_reading()  # until something was taken
        self._arrival.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()
        self._arrival.set()

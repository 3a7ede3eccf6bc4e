"""Messages as lines of JSON, from a program that may print anything else between them."""

from __future__ import annotations

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from typing import Any

from kavor.sessions.agent.pace import Pace

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes. A longer one is passed over like any other line that is no message."""

READ_SIZE = 16 * 1024
"""The most that is read in one turn of the loop, so that a flood delays nothing else."""


BYTES_A_SECOND, BYTES_AT_ONCE = 4 * 1024 * 1024, 64 * 1024 * 1024
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 1_000, 20_000
"""A model that speaks fast sends some hundred a second; a conversation that is told again, many at once."""
MOST_UNREAD = 1024 * 1024
"""Bytes that the program has not read yet: answers that come on top of so many are dropped."""


class JsonLines:
    """Reads and writes one JSON object a line. What is no such line is passed over and counted. A program
    that prints without end is read at a pace that leaves the runtime to others; ``slowed`` is told so, once.
    """

    def __init__(
        self, reader: StreamReader, writer: StreamWriter, slowed: Callable[[], None] = lambda: None
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._bytes = Pace(BYTES_A_SECOND, BYTES_AT_ONCE, slowed)
        self._messages = Pace(MESSAGES_A_SECOND, MESSAGES_AT_ONCE, slowed)
        self._unread = bytearray()
        self._searched = 0
        self._passing_over = False
        self.strays = 0
        """Lines that were no message."""
        self.at_end = asyncio.Event()

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None at the end."""
        while True:
            line = await self._line()
            if line is None:
                self.at_end.set()
                return None
            if not line.strip():
                continue
            message = _message_of(line)
            if message is not None:
                await self._messages.keep(1)
                return message
            self.strays += 1

    async def send(self, message: dict[str, Any]) -> None:
        """Raises OSError when nobody reads any more – but not for an answer: there is nobody to care."""
        if "method" not in message and self._writer.transport.get_write_buffer_size() > MOST_UNREAD:
            return
        try:
            self._writer.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            await self._writer.drain()
        except OSError:
            if "method" in message:
                raise

    async def close(self) -> None:
        self._writer.close()

    async def _line(self) -> bytes | None:
        while True:
            end = self._unread.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(self._unread[:end])
                del self._unread[: end + 1]
                self._searched = 0
                if not self._passing_over:
                    return line
                self._passing_over = False
                continue
            self._searched = len(self._unread)
            if self._passing_over or self._searched > LONGEST_LINE:
                self._pass_over()
            await asyncio.sleep(0)  # reading what is there already would keep the loop from all else
            try:
                chunk = await self._reader.read(READ_SIZE)
            except OSError:
                chunk = b""
            if not chunk:
                return None  # half a line is no message
            self._unread += chunk
            await self._bytes.keep(len(chunk))

    def _pass_over(self) -> None:
        if not self._passing_over:
            self._passing_over = True
            self.strays += 1
        self._unread.clear()
        self._searched = 0


def read_object(line: bytes) -> dict[str, Any] | None:
    """The JSON object in a line; None where it is none. What is no text in it is replaced, so that all of it
    can be kept and passed on."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(line.decode(errors="replace"))
        if b"\\u" in line:  # one half of a surrogate pair may be escaped in it
            found = json.loads(json.dumps(found, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _message_of(line: bytes) -> dict[str, Any] | None:
    """An error that is not told as it should be becomes one: else nobody would hear of it."""
    message = read_object(line)
    if message is None or not isinstance(message.get("id"), str | int | None):
        return None
    if "error" in message and not isinstance(message["error"], dict):
        message["error"] = {"message": str(message["error"])}
    return message

"""The PTY host's side of an engine process: one session's output as it comes, for whoever draws its screen.

A program is slowed down to the pace of the engine. One that does not read at all is let go of.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from dataclasses import asdict

from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.backpressure import Backpressure
from kavor.sessions.terminal.protocol import Json
from kavor.sessions.terminal.recording import Checkpoint, Recording

STUCK_SECONDS = 1.0
"""How long an engine may read nothing while output waits for it."""
_MOST_WAITING = 128 * 1024
"""Bytes on their way to an engine before the program is made to wait: some milliseconds of drawing."""
_MOST_UNREAD = 16 * 1024 * 1024
"""And when it has waited long enough, so many before the engine is let go of."""


class Feed:
    """One engine that follows a recording.

    ``engine`` is its process, which is killed when it does not read: whoever started it starts another.
    """

    def __init__(
        self,
        recording: Recording,
        writer: StreamWriter,
        engine: int,
        backpressure: Backpressure,
    ) -> None:
        self._recording = recording
        self._writer = writer
        self._engine = engine
        self._backpressure = backpressure
        self._said_goodbye = False
        self._draining: asyncio.Task[None] | None = None
        self._queries = itertools.count(1)
        self._cursor_asked: dict[int, Callable[[int, int], None]] = {}
        writer.transport.set_write_buffer_limits(high=_MOST_WAITING)

    async def serve(self, reader: StreamReader, number: int, ended: str | None) -> None:
        """Answer question ``number`` with all there is, then tell what comes, until the engine goes.

        ``ended`` says how the session ended, where it has.
        """
        output, sizes = self._recording.replay()
        answer = {"sizes": [asdict(size) for size in sizes], "offset": self._recording.length}
        self._send({"id": number, "answer": answer}, output)
        if ended is not None:
            self.ended(ended)
        self._recording.follow(self)
        try:
            while message := await protocol.read_message(reader):
                self._heard(message)
        finally:
            self._recording.unfollow(self, died=not self._said_goodbye)
            self._backpressure.consider_room()
            if self._draining is not None:
                self._draining.cancel()

    def output(self, data: bytes) -> None:
        self._send({"tell": "output"}, data)

    def resized(self, columns: int, rows: int) -> None:
        self._send({"tell": "size", "columns": columns, "rows": rows})

    def ask_cursor(self, answer: Callable[[int, int], None]) -> None:
        query = next(self._queries)
        self._cursor_asked[query] = answer
        self._send({"tell": "cursor", "query": query})

    def ended(self, reason: str) -> None:
        self._send({"tell": "ended", "reason": reason})

    def let_go(self) -> None:
        self._writer.transport.abort()

    def _heard(self, message: protocol.Message) -> None:
        said = message.content
        if said["ask"] == "cursor":
            if answer := self._cursor_asked.pop(said["query"], None):
                answer(said["row"], said["column"])
        elif said["ask"] == "checkpoint":
            checkpoint = Checkpoint(said["offset"], said["columns"], said["rows"], message.attached)
            self._recording.keep(checkpoint)
            self._backpressure.consider_room()
        elif said["ask"] == "goodbye":
            self._said_goodbye = True

    def _send(self, content: Json, attached: bytes = b"") -> None:
        if self._writer.is_closing():
            return
        self._writer.write(protocol.encode(content, attached))
        waiting = self._writer.transport.get_write_buffer_size()
        if waiting > _MOST_UNREAD:
            self._end_engine()
        elif waiting > _MOST_WAITING and self._draining is None:
            self._draining = asyncio.ensure_future(self._let_it_read())

    async def _let_it_read(self) -> None:
        self._backpressure.hold(self)
        try:
            await asyncio.wait_for(self._writer.drain(), STUCK_SECONDS)
        except TimeoutError:
            self._end_engine()
        except OSError:
            self._writer.transport.abort()
        finally:
            self._draining = None
            self._backpressure.release(self)

    def _end_engine(self) -> None:
        with contextlib.suppress(OSError):
            os.kill(self._engine, signal.SIGKILL)
        self._writer.transport.abort()

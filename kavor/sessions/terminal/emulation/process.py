"""The engine of one session that is looked at, a process that `fork_server` makes.

The runtime tells it which session to draw, and for whom. It gets the session's output from the PTY host over
its socket. It ends when the runtime or the host goes, and may die at any moment: nothing depends on it.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from asyncio import StreamReader, StreamWriter

from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.emulation import link
from kavor.sessions.terminal.emulation.engine import Engine, make_engine
from kavor.sessions.terminal.emulation.host_connection import HostConnection, connect
from kavor.sessions.terminal.emulation.look import play
from kavor.sessions.terminal.emulation.onlookers import Onlookers
from kavor.sessions.terminal.recording import KEPT_FOR_AN_ENGINE, Resize
from kavor.terminal_frames import Ended, Scrollback, encode

FRAME_SECONDS = 1 / 60
"""The shortest time between two frames."""
TIMES_OF_A_DRAWING = 20
"""In a flood, a frame is drawn once reading output has taken so many times as long as drawing one does."""
LONGEST_BETWEEN_SECONDS = 0.1
"""But so often it is drawn in any case."""
LOOK_AGAIN_SECONDS = 0.005
"""So long nothing must have come for a flood to be over."""
SETTLE_SECONDS = 0.001
"""How long a change is given to be whole."""
LONGEST_HOLD_SECONDS = 0.2
"""How long a program may hold drawing back."""
CHECKPOINT_SECONDS = 0.5
CHECKPOINT_BYTES = 256 * 1024
"""How much output makes a new checkpoint worth its while."""
CHECKPOINT_AT_ONCE_BYTES = KEPT_FOR_AN_ENGINE * 3 // 4
"""How much demands one, so that the program need not wait for it."""
MOST_ROWS = 1000
"""Of the scrollback, for one request."""


class Drawing:
    """One session's screen, from the host's feed to the onlookers' frames."""

    def __init__(
        self, engine: Engine, offset: int, replayed: int, host: HostConnection, runtime: StreamWriter
    ) -> None:
        """``offset``: how much output the session has had. The last of it, ``replayed``, was played."""
        self._engine = engine
        self._offset = offset
        self._host = host
        self._runtime = runtime
        self._onlookers = Onlookers(engine)
        self._loop = asyncio.get_running_loop()
        self._drawn_at = 0.0
        self._drawing_took = 0.0
        self._drawn_when_used = 0.0
        self._looked_at = offset
        self._coming: asyncio.TimerHandle | None = None
        self._held_since: float | None = None
        self._checkpoint_at = offset - replayed
        self._checkpoint_due: asyncio.TimerHandle | None = None
        self._ended: bytes | None = None
        self._consider_checkpoint()

    # --- from the host

    async def follow(self) -> None:
        while message := await self._host.read():
            told = message.content
            match told["tell"]:
                case "output":
                    self._output(message.attached)
                case "size":
                    self._engine.resize(told["columns"], told["rows"])
                    self._draw_soon()
                case "cursor":
                    self._tell_cursor(told["query"])
                case "ended":
                    self._end(told["reason"])

    def _output(self, data: bytes) -> None:
        self._engine.feed(data)
        self._offset += len(data)
        if self._coming is None:
            self._draw_soon()
        self._consider_checkpoint()

    def _tell_cursor(self, query: int) -> None:
        self._onlookers.look()
        cursor = self._engine.cursor
        answer = {"ask": "cursor", "query": query, "row": cursor.y + 1, "column": cursor.x + 1}
        self._host.write(answer)

    def _end(self, reason: str) -> None:
        self._ended = encode(Ended(reason))
        self._draw_soon()

    def _consider_checkpoint(self) -> None:
        since = self._offset - self._checkpoint_at
        if since > CHECKPOINT_AT_ONCE_BYTES:
            self._leave_checkpoint()
        elif since > CHECKPOINT_BYTES and self._checkpoint_due is None:
            self._checkpoint_due = self._loop.call_later(CHECKPOINT_SECONDS, self._leave_checkpoint)

    def say_goodbye(self) -> None:
        """Nobody looks any more, and no other engine will come in place of this one."""
        if self._offset != self._checkpoint_at:
            self._leave_checkpoint()
        self._host.write({"ask": "goodbye"})

    def _leave_checkpoint(self) -> None:
        """With the host, which has forgotten how the screen came about when it is needed again."""
        if self._checkpoint_due is not None:
            self._checkpoint_due.cancel()
            self._checkpoint_due = None
        self._checkpoint_at = self._offset
        columns, rows = self._engine.size
        said = {"ask": "checkpoint", "offset": self._offset, "columns": columns, "rows": rows}
        self._host.write(said, self._engine.checkpoint())

    # --- from the runtime

    async def obey(self, runtime: StreamReader) -> None:
        while True:
            message = await link.read_from_runtime(runtime)
            match message:
                case link.Attach(onlooker, credit):
                    self._onlookers.attach(onlooker, credit)
                case link.Detach(onlooker):
                    self._onlookers.detach(onlooker)
                case link.Grant(onlooker, frames):
                    self._onlookers.grant(onlooker, frames)
                case link.Read(onlooker, request, first, count):
                    self._send(onlooker, self._scrollback(request, first, count))
            self._draw_soon()

    def _scrollback(self, request: int, first: int, count: int) -> bytes:
        rows = self._engine.read_scrollback(first, min(count, MOST_ROWS))
        return encode(Scrollback(request, self._engine.scrollback, rows))

    # --- drawing

    def _draw_soon(self) -> None:
        if self._coming is None and self._onlookers.wait:
            pause = max(SETTLE_SECONDS, self._drawn_at + FRAME_SECONDS - time.monotonic())
            self._looked_at = self._offset
            self._coming = self._loop.call_later(pause, self._draw)

    def _draw(self) -> None:
        self._coming = None
        if self._is_held or self._is_flooded:
            self._coming = self._loop.call_later(LOOK_AGAIN_SECONDS, self._draw)
            return
        self._drawn_at, started = time.monotonic(), time.thread_time()
        self._onlookers.look()
        for onlooker, frame in self._onlookers.frames():
            self._send(onlooker, frame, takes_credit=True)
        self._drawn_when_used = time.thread_time()
        self._drawing_took = self._drawn_when_used - started
        if self._ended is not None:
            for onlooker in self._onlookers.up_to_date():
                self._send(onlooker, self._ended)
                self._onlookers.detach(onlooker)

    @property
    def _is_flooded(self) -> bool:
        """Output goes on coming, and drawing now would be too large a part of the work."""
        looked_at, self._looked_at = self._looked_at, self._offset
        return (
            looked_at != self._offset
            and time.thread_time() - self._drawn_when_used < TIMES_OF_A_DRAWING * self._drawing_took
            and time.monotonic() - self._drawn_at < LONGEST_BETWEEN_SECONDS
        )

    @property
    def _is_held(self) -> bool:
        if not self._engine.holds_drawing:
            self._held_since = None
            return False
        now = time.monotonic()
        self._held_since = self._held_since or now
        return now - self._held_since < LONGEST_HOLD_SECONDS

    def _send(self, onlooker: int, message: bytes, *, takes_credit: bool = False) -> None:
        self._runtime.write(link.to_onlooker(onlooker, message, takes_credit=takes_credit))


def run(runtime: socket.socket) -> int:
    """Until nobody looks any more, or the runtime or the host is gone; an exit code."""
    return asyncio.run(_serve(runtime))


async def _serve(runtime: socket.socket) -> int:
    runtime_reader, runtime_writer = await asyncio.open_connection(sock=runtime)
    runtime_writer.write(link.started(os.getpid()))
    try:
        begin = await link.read_from_runtime(runtime_reader)
    except asyncio.IncompleteReadError:
        return 0  # it was not needed
    if not isinstance(begin, link.Begin):
        return 1
    host = await connect(begin.socket)
    hello: protocol.Json = {"id": 0, "ask": "watch", "version": protocol.VERSION}
    host.write({**hello, "session": begin.session, "pid": os.getpid()})
    found = await host.read()
    if found is None or "answer" not in found.content:
        return 1
    known = found.content["answer"]
    sizes = [Resize(**size) for size in known["sizes"]]
    engine = make_engine(begin.engine, sizes[0].columns, sizes[0].rows)
    play(engine, found.attached, sizes[1:])
    drawing = Drawing(engine, known["offset"], len(found.attached), host, runtime_writer)
    follow = asyncio.ensure_future(drawing.follow())
    obey = asyncio.ensure_future(drawing.obey(runtime_reader))
    await asyncio.wait({follow, obey}, return_when=asyncio.FIRST_COMPLETED)
    if obey.done():
        obey.exception()
        drawing.say_goodbye()
        await host.close()
        return 0
    follow.result()
    return 1

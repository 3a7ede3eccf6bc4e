"""A program waits for those who take its output, but never for long: engines here are the test's own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from asyncio import StreamReader, StreamWriter, Task
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from dialects import BASH
from live_shell import own_session_of, until

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import Outcome
from kavor.sessions.terminal import backpressure as backpressure_module
from kavor.sessions.terminal import feed as feed_module
from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.backpressure import Backpressure
from kavor.sessions.terminal.recording import KEPT_FOR_AN_ENGINE, Recording
from kavor.sessions.terminal.session import TerminalSession

FLOOD_BYTES = 4 * KEPT_FOR_AN_ENGINE
FLOOD = f"echo painted on''ce; yes | head -c {FLOOD_BYTES}"
NEVER = 3600.0
_AT_MOST_IN_ONE_READ = 256 * 1024


class FakeEngine:
    """Follows a session as an engine does, and leaves checkpoints only where a test says so."""

    def __init__(self, process: Process, reader: StreamReader, writer: StreamWriter) -> None:
        self.process = process
        self.replay = b""
        self.offset = 0
        """In the session's output, behind what has been read."""
        self._reader = reader
        self._writer = writer
        self._reading: Task[None] | None = None
        self._every: int | None = None
        self._left_at = 0

    async def begin(self) -> None:
        found = await protocol.read_message(self._reader)
        assert found is not None
        self.replay, self.offset = found.attached, found.content["answer"]["offset"]

    def read_on(self, *, checkpoint_every: int | None = None) -> None:
        self._every = checkpoint_every
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        while message := await protocol.read_message(self._reader):
            self.offset += len(message.attached)
            if self._every is not None and self.offset - self._left_at > self._every:
                self.leave_checkpoint()

    def leave_checkpoint(self) -> None:
        self._left_at = self.offset
        said: protocol.Json = {"ask": "checkpoint", "offset": self.offset, "columns": 80, "rows": 24}
        self._writer.write(protocol.encode(said, b"painted once, and once more"))

    def say_goodbye(self) -> None:
        self._writer.write(protocol.encode({"ask": "goodbye"}))
        self.die()

    def die(self) -> None:
        """Also without a word."""
        if self._reading is not None:
            self._reading.cancel()
        self._writer.close()


Follow = Callable[[], Awaitable[FakeEngine]]


@pytest.fixture
def outcomes() -> list[Outcome]:
    return []


@pytest.fixture
async def session(user_home: Path, tmp_path: Path, outcomes: list[Outcome]) -> AsyncIterator[TerminalSession]:
    program = BASH.prepare(tmp_path / "folder", user_home)
    async with own_session_of(program, tmp_path / "folder", outcomes) as session:
        yield session


@pytest.fixture
async def follow(session: TerminalSession) -> AsyncIterator[Follow]:
    """What has one more engine follow the session."""
    engines: list[FakeEngine] = []
    served: list[Task[None]] = []

    async def follow() -> FakeEngine:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=-1)
        ours, its = socket.socketpair()
        its_streams = await asyncio.open_connection(sock=its)
        reader, writer = await asyncio.open_connection(sock=ours)
        served.append(asyncio.ensure_future(_serve(session, process.pid, reader, writer)))
        engines.append(FakeEngine(process, *its_streams))
        await engines[-1].begin()
        return engines[-1]

    yield follow
    for engine in engines:
        engine.die()
        with contextlib.suppress(ProcessLookupError):
            engine.process.kill()
        await engine.process.wait()
    await asyncio.gather(*served)


async def _serve(session: TerminalSession, engine: int, reader: StreamReader, writer: StreamWriter) -> None:
    with contextlib.suppress(OSError):
        await session.held.feed(writer, engine).serve(reader, 1, None)
    writer.close()


async def flood(session: TerminalSession) -> None:
    await until(lambda: session.waiting_for is None, "the prompt")
    assert (await session.deliver("flood", FLOOD)).accepted


async def flows_by(session: TerminalSession, outcomes: list[Outcome]) -> None:
    await until(
        lambda: outcomes, lambda: f"the end of the flood, of which {session.held.recording.length} came"
    )
    assert outcomes[0].state is AttemptState.COMPLETED
    assert session.held.recording.length > FLOOD_BYTES


async def stands_still(session: TerminalSession) -> int:
    """Wait until the program's output is no longer read; how much was."""
    await until(lambda: session.held.recording.is_full, "the end of the room")
    length = session.held.recording.length
    await asyncio.sleep(0.2)
    assert session.held.recording.length == length, "its output is still read"
    return length


async def test_a_flood_waits_until_the_next_engine_has_left_a_checkpoint(
    session: TerminalSession,
    follow: Follow,
    outcomes: list[Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However fast it is, and however late that engine comes: what was painted once is not lost."""
    monkeypatch.setattr(backpressure_module, "LONGEST_SECONDS", NEVER)
    first = await follow()
    first.read_on()
    await flood(session)
    await until(lambda: b"painted once" in session.held.recording.replay()[0], "what is painted once")
    first.die()
    length = await stands_still(session)
    assert length < KEPT_FOR_AN_ENGINE + _AT_MOST_IN_ONE_READ
    second = await follow()
    assert b"painted once" in second.replay
    assert second.offset == await stands_still(session) == length, "what it was given is still needed"
    second.read_on(checkpoint_every=KEPT_FOR_AN_ENGINE // 2)
    second.leave_checkpoint()
    await flows_by(session, outcomes)
    await until(lambda: second.offset == session.held.recording.length, "all of it at the engine")
    third = await follow()
    assert b"painted once, and once more" in third.replay


async def test_a_flood_waits_for_a_checkpoint_of_the_engine_that_follows_too(
    session: TerminalSession,
    follow: Follow,
    outcomes: list[Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may die before it has left one."""
    monkeypatch.setattr(backpressure_module, "LONGEST_SECONDS", NEVER)
    engine = await follow()
    engine.read_on()
    await flood(session)
    length = await stands_still(session)
    engine.die()
    assert await stands_still(session) == length
    assert b"painted once" in session.held.recording.replay()[0]
    (await follow()).say_goodbye()
    await flows_by(session, outcomes)


@pytest.mark.parametrize("follows", [False, True])
async def test_a_program_waits_for_a_checkpoint_only_once_and_not_for_long(
    session: TerminalSession,
    follow: Follow,
    outcomes: list[Outcome],
    monkeypatch: pytest.MonkeyPatch,
    follows: bool,
) -> None:
    """Where no engine comes, and where one comes that leaves none."""
    had_enough: list[Backpressure] = []
    give_up = Backpressure._enough

    def enough(backpressure: Backpressure) -> None:
        had_enough.append(backpressure)
        give_up(backpressure)

    monkeypatch.setattr(Backpressure, "_enough", enough)
    monkeypatch.setattr(backpressure_module, "LONGEST_SECONDS", 0.5)
    engine = await follow()
    engine.read_on()
    if not follows:
        engine.die()
    await flood(session)
    await flows_by(session, outcomes)
    assert len(had_enough) == 1
    assert len(session.held.recording.replay()[0]) < KEPT_FOR_AN_ENGINE + 1024 * 1024, "it stays bounded"


@pytest.mark.parametrize("was_looked_at", [False, True])
async def test_what_nobody_looks_at_does_not_wait(
    session: TerminalSession,
    follow: Follow,
    outcomes: list[Outcome],
    monkeypatch: pytest.MonkeyPatch,
    was_looked_at: bool,
) -> None:
    monkeypatch.setattr(backpressure_module, "LONGEST_SECONDS", NEVER)
    if was_looked_at:
        (await follow()).say_goodbye()
        await until(lambda: session.held.recording.follower is None, "the goodbye")
    await flood(session)
    await flows_by(session, outcomes)


async def test_an_engine_that_reads_too_slowly_for_too_long_is_ended(
    session: TerminalSession,
    follow: Follow,
    outcomes: list[Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that what waits for it does not grow without end once the program no longer waits."""
    monkeypatch.setattr(feed_module, "STUCK_SECONDS", NEVER)
    monkeypatch.setattr(backpressure_module, "LONGEST_SECONDS", 0.1)
    engine = await follow()
    await flood(session)
    await asyncio.wait_for(engine.process.wait(), 20)
    await flows_by(session, outcomes)


async def test_a_program_waits_so_long_in_a_row_whoever_has_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(backpressure_module, "LONGEST_SECONDS", 0.2)
    pressure = Backpressure(Recording(80, 24), lambda: done.append("pause"), lambda: done.append("resume"))
    pressure.hold("a")
    await asyncio.sleep(0.1)
    pressure.hold("b")
    pressure.release("a")
    pressure.hold("a")
    assert done == ["pause"]
    await asyncio.sleep(0.15)
    assert done == ["pause", "resume"], "though both have theirs, and one not for so long"
    pressure.hold("a")
    pressure.hold("b")
    assert done == ["pause", "resume"], "neither was released"
    pressure.release("a")
    pressure.hold("a")
    assert done == ["pause", "resume", "pause"]
    pressure.release("a")
    assert done == ["pause", "resume", "pause", "resume"]
    await asyncio.sleep(0.3)
    assert len(done) == 4

"""What tests of live shells speak through: a listener that remembers, and one open shell."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from kavor.sessions.session import HandOver, Outcome, Question, SessionSpec, SessionState, WaitingFor
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.session import TerminalSession

DEADLINE = 20.0
"""Seconds to wait for what must come; generous, since the machine may be busy."""


async def until(true: Callable[[], object], what: str | Callable[[], str] = "it") -> None:
    """Wait for a condition, looking often; fail when it does not come."""
    end = time.monotonic() + DEADLINE
    while not true():
        if time.monotonic() > end:
            pytest.fail(f"{what() if callable(what) else what} did not come within {DEADLINE} s")
        await asyncio.sleep(0.01)


_numbers = itertools.count(1)


class Heard:
    """A listener that keeps what it hears."""

    def __init__(self) -> None:
        self.states: list[SessionState] = []
        self.outcomes: list[Outcome] = []
        self.lost = 0
        self.gone: set[str] = set()

    def session_changed(self, state: SessionState) -> None:
        self.states.append(state)

    def outcome_observed(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)

    def attention_needed(self, key: str, question: Question) -> None: ...

    def attention_settled(self, key: str) -> None: ...

    def transcript_changed(self, session_id: str) -> None: ...

    def sessions_lost(self, session_ids: Collection[str]) -> None:
        self.lost += 1
        self.gone = set(session_ids)

    def last_state(self, session_id: str) -> SessionState | None:
        return next((state for state in reversed(self.states) if state.id == session_id), None)

    def outcomes_of(self, key: str) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.key == key]


class Shell:
    """One open session, as a test speaks to it."""

    def __init__(self, sessions: TerminalSessions, heard: Heard, state: SessionState) -> None:
        self.sessions = sessions
        self.heard = heard
        self.id = state.id
        assert state.pid is not None
        self.pid = state.pid
        self.first = state

    @property
    def state(self) -> SessionState:
        heard = self.heard.last_state(self.id)
        return heard if heard is not None and heard.pid == self.pid else self.first

    @property
    def waiting_for(self) -> WaitingFor | None:
        return self.state.waiting_for

    def next_key(self) -> str:
        return f"{self.id}-{next(_numbers)}"

    async def waits_for(self, waiting: WaitingFor | None) -> None:
        def arrived() -> bool:
            assert self.state.open, f"it ended: {self.state.diagnostic}"
            return self.waiting_for is waiting

        await until(arrived, lambda: f"waiting for {waiting}, with {self.heard.states[-4:]},")

    async def ready(self) -> None:
        await self.waits_for(None)

    async def type(self, data: bytes) -> None:
        await self.sessions.type(self.id, data)

    async def run(self, line: bytes) -> None:
        """Type a whole command, and wait until the shell is at its prompt again."""
        seen = len(self.heard.states)
        await self.type(line + b"\r")
        await until(lambda: len(self.heard.states) > seen, "the start")
        await self.ready()

    async def run_out(self, line: bytes) -> None:
        """Type a command that ends the shell, and wait for that."""
        await self.type(line + b"\r")
        await until(lambda: not self.state.open, "the end of the shell")

    async def offer(self, text: str, key: str | None = None) -> HandOver:
        """One try to deliver."""
        return await self.sessions.deliver(self.id, key or self.next_key(), text)

    async def refuses(self, waiting: WaitingFor) -> None:
        """An offered text is refused for this reason, and not one byte of it reaches the shell."""
        answer = await self.offer("echo INTRUDER")
        assert (answer.accepted, answer.closed, answer.waiting_for) == (False, False, waiting), self.id
        assert b"INTRUDER" not in await self.output(), self.id

    async def accept(self, text: str) -> str:
        """Deliver as the arbiter does, until it is accepted. Answers with the key."""
        key = self.next_key()
        end = time.monotonic() + DEADLINE
        while not (answer := await self.offer(text, key)).accepted:
            assert not answer.closed, "the session is closed"
            assert time.monotonic() < end, f"not accepted, waiting for {answer.waiting_for}"
            await asyncio.sleep(0.005)
        return key

    async def outcome(self, key: str) -> Outcome:
        await until(lambda: self.heard.outcomes_of(key), f"the outcome of {key}")
        return self.heard.outcomes_of(key)[0]

    async def deliver(self, text: str) -> Outcome:
        return await self.outcome(await self.accept(text))

    async def output(self) -> bytes:
        return await self.sessions.tail(self.id, 1_000_000)

    async def shows(self, text: bytes, times: int = 1) -> bytes:
        """Wait until the output has this text, so many times at least."""
        end = time.monotonic() + DEADLINE
        while (output := await self.output()).count(text) < times:
            assert time.monotonic() < end, f"{text!r} not seen in {output[-600:]!r}"
            await asyncio.sleep(0.01)
        return output


OpenShell = Callable[..., Awaitable[Shell]]


def open_shell_of(
    sessions: TerminalSessions, heard: Heard, program: str, folder: Path, prefix: str = ""
) -> OpenShell:
    """What opens shells of one kind, in ``folder``; ``prefix`` goes before the ids of their sessions."""

    async def open_shell(session_id: str = "node-1", *, wait: bool = True, **spec: Any) -> Shell:
        options = {"directory": str(folder), "shell": program, **spec}
        state = await sessions.open(SessionSpec(prefix + session_id, **options))
        shell = Shell(sessions, heard, state)
        if wait:
            await shell.ready()
        return shell

    return open_shell


@contextlib.asynccontextmanager
async def own_session_of(
    program: str, folder: Path, outcomes: list[Outcome]
) -> AsyncIterator[TerminalSession]:
    """A shell at its prompt, held by the test's own process; what it observes goes to ``outcomes``."""
    spec = SessionSpec("node-1", str(folder), shell=program)
    environment = dict(os.environ)
    session = TerminalSession(spec, folder / "sessions", environment, lambda state: None, outcomes.append)
    try:
        await until(lambda: session.waiting_for is None, "the prompt")
        yield session
    finally:
        await session.held.close()

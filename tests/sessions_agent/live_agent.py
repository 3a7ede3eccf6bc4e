"""What tests of live agents speak through: a listener that remembers, and one open session."""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import psutil
import pytest

from kavor.sessions.session import (
    AgentSessions,
    AgentSpec,
    Entry,
    HandOver,
    Outcome,
    Question,
    SessionState,
    WaitingFor,
)

DEADLINE = 20.0
"""Seconds to wait for what must come; generous, since the machine may be busy."""

_numbers = itertools.count(1)


async def until(true: Callable[[], object], what: str | Callable[[], str] = "it") -> None:
    """Wait for a condition, looking often; fail when it does not come."""
    end = time.monotonic() + DEADLINE
    while not true():
        if time.monotonic() > end:
            pytest.fail(f"{what() if callable(what) else what} did not come within {DEADLINE} s")
        await asyncio.sleep(0.01)


class Heard:
    """A listener that keeps what it hears, in its order."""

    def __init__(self) -> None:
        self.told: list[str] = []
        """outcome, asked, settled, and what a session waits for ("ready", "closed")."""
        self.states: list[SessionState] = []
        self.outcomes: list[Outcome] = []
        self.questions: list[tuple[str, Question]] = []
        self.changes: list[float] = []

    def session_changed(self, state: SessionState) -> None:
        self.states.append(state)
        self.told.append(str(state.waiting_for or "ready") if state.open else "closed")

    def outcome_observed(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.told.append("outcome")

    def attention_needed(self, key: str, question: Question) -> None:
        self.questions.append((key, question))
        self.told.append("asked")

    def attention_settled(self, key: str) -> None:
        self.told.append("settled")

    def transcript_changed(self, session_id: str) -> None:
        self.changes.append(time.monotonic())

    def sessions_lost(self, session_ids: Collection[str]) -> None:
        raise AssertionError("agents die with the runtime, so none is lost before it")


class Agent:
    """One session, as a test speaks to it."""

    def __init__(self, agents: AgentSessions, heard: Heard, state: SessionState) -> None:
        self.agents = agents
        self.heard = heard
        self.first = state
        self.id = state.id

    @property
    def state(self) -> SessionState:
        heard = [state for state in self.heard.states if state.id == self.id]
        return heard[-1] if heard else self.first

    @property
    def waiting_for(self) -> WaitingFor | None:
        return self.state.waiting_for

    async def ready(self) -> Agent:
        await until(lambda: self.state.ready or not self.state.open, lambda: f"readiness: {self.state}")
        assert self.state.open, self.state.diagnostic
        return self

    async def closed(self) -> SessionState:
        await until(lambda: not self.state.open, "the end of the session")
        return self.state

    async def offer(self, text: str, key: str | None = None) -> tuple[str, HandOver]:
        key = key or f"key-{next(_numbers)}"
        return key, await self.agents.deliver(self.id, key, text)

    async def accept(self, text: str) -> str:
        """The key of a prompt that was accepted."""
        key, answer = await self.offer(text)
        assert answer.accepted, answer
        return key

    async def play(self, text: str) -> Outcome:
        """The outcome of a whole turn."""
        return await self.outcome(await self.accept(text))

    async def outcome(self, key: str) -> Outcome:
        await until(lambda: self.outcomes(key), lambda: f"an outcome; {self.shown()}")
        await asyncio.sleep(0)
        (outcome,) = self.outcomes(key)
        return outcome

    def outcomes(self, key: str) -> list[Outcome]:
        return [outcome for outcome in self.heard.outcomes if outcome.key == key]

    async def question(self) -> Question:
        await until(lambda: self.state.question, lambda: f"a question; {self.shown()}")
        question = self.state.question
        assert question is not None
        return question

    def entries(self) -> Sequence[Entry]:
        return self.agents.transcript(self.id)[0]

    def kinds(self) -> list[tuple[str, str]]:
        return [(entry.kind, entry.text) for entry in self.entries()]

    def shown(self) -> str:
        return f"{self.state}\n{self.kinds()}"

    @property
    def pid(self) -> int:
        pid = self.first.pid
        assert pid is not None
        return pid


class OpenAgent(Protocol):
    async def __call__(self, *flags: str, node: str = ..., wait: bool = ..., **spec: object) -> Agent: ...


def scripted_spec(node: str, directory: Path, **spec: object) -> AgentSpec:
    return replace(AgentSpec(node, str(directory), "scripted"), **spec)  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def children() -> list[psutil.Process]:
    """Of this process: an agent that was not waited for is among them, as a zombie."""
    return psutil.Process(os.getpid()).children(recursive=True)

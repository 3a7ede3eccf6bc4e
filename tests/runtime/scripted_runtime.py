"""The whole runtime on a real database, with sessions in this process that do as a test tells them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from ledger_world import FakeClock

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.home import Home
from kavor.runtime.alarm import Alarm
from kavor.runtime.runtime import Runtime
from kavor.runtime.services import Services
from kavor.runtime.views import AttemptView, ScheduleView
from kavor.sessions.session import (
    AgentSpec,
    Entry,
    Evidence,
    HandOver,
    Listener,
    Option,
    Outcome,
    Question,
    SessionsLost,
    SessionSpec,
    SessionState,
    ToolCall,
    WaitingFor,
)
from kavor.store.database import Store, open_store

T = TypeVar("T")

START = "2026-11-02T09:59:30Z"
"""A Monday."""

PATIENCE = 20.0
"""Seconds that a condition is given to come true; reached only where something is broken."""


class StillAlarm(Alarm):
    """Rings when a test lets it look at the clock, and at no time of its own."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def _arm(self, at: Instant | None) -> None: ...

    def is_near(self) -> None:
        self._near()


class ScriptedSessions:
    """Sessions that accept a delivery when they are ready, and end it when the test says so."""

    def __init__(self) -> None:
        self.living: dict[str, SessionState] = {}
        self.told_at_start: list[Outcome] = []
        self.accepted: dict[str, bool] = {}
        """What ``known`` answers, by key."""
        self.surviving: dict[str, Sequence[tuple[int, str]]] = {}
        self.delivered: list[tuple[str, str, str]] = []
        """(session, key, text) of every delivery that was accepted."""
        self.declined: list[str] = []
        self.answers: deque[HandOver | KavorError | SessionsLost] = deque()
        """Taken in order in place of the true answer."""
        self.acknowledged: list[str] = []
        self.opened: list[SessionSpec] = []
        self.refuses_to_open: KavorError | None = None
        self.ended_on_stop: bool | None = None
        self.lost = False
        self.agents: set[str] = set()
        self.entries: dict[str, list[Entry]] = {}
        self.answers_given: list[tuple[str, str, str | None]] = []
        """(session, question, option)."""
        self.cancelled: list[str] = []
        self.interrupted: list[str] = []
        """What ran under these ids."""
        self._listener: Listener | None = None

    @property
    def listener(self) -> Listener:
        assert self._listener is not None
        return self._listener

    # --- What a test makes happen

    def becomes(
        self, session_id: str, waiting_for: WaitingFor | None = None, running: str | None = None
    ) -> None:
        self.living[session_id] = replace(self._open_state(session_id, waiting_for), running=running)
        self.listener.session_changed(self.living[session_id])

    def asks(self, text: str = "may it?") -> Question:
        """The agent that was given the latest delivery asks a person about it."""
        session, key, _ = self.delivered[-1]
        question = Question("q1", key, text, (Option("yes", "Allow", "allow_once"),))
        self.listener.attention_needed(key, question)
        self.becomes(session, WaitingFor.ANSWER)
        self.living[session] = replace(self.living[session], question=question)
        self.listener.session_changed(self.living[session])
        return question

    def asks_idle(self, session_id: str, question: Question) -> None:
        """An agent asks a person while it works on nothing."""
        state = replace(self._open_state(session_id, WaitingFor.ANSWER), question=question)
        self.living[session_id] = state
        self.listener.session_changed(state)

    def says(self, text: str) -> None:
        """The agent that was given the latest delivery says something."""
        session, key, _ = self.delivered[-1]
        entries = self.entries.setdefault(session, [])
        number = len(entries) + 1
        entries.append(Entry(number, number, "text", text, {}, Instant(0), key))
        self.listener.transcript_changed(session)

    def all_lost(self) -> None:
        """The holder of every session that lives is gone."""
        gone, self.living = self.living, {}
        self.listener.sessions_lost(gone)

    def dies(self, session_id: str, diagnostic: str = "its shell ended") -> None:
        self.living[session_id] = SessionState(
            session_id, open=False, waiting_for=None, exit_code=1, diagnostic=diagnostic
        )
        self.listener.session_changed(self.living[session_id])

    def end_latest(
        self,
        state: AttemptState = AttemptState.COMPLETED,
        exit_code: int | None = 0,
        output: str = "",
        session: str = "",
    ) -> Outcome:
        """What was delivered last, or last to this session, ends, and its session is ready again."""
        session_id, key, _ = next(one for one in self.delivered[::-1] if session in ("", one[0]))
        outcome = Outcome(key, state, exit_code, evidence=Evidence(output=output, duration_ms=250))
        self.listener.outcome_observed(outcome)
        self.becomes(session_id)
        return outcome

    # --- The protocol

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        self._listener = listener
        for outcome in self.told_at_start:
            listener.outcome_observed(outcome)
        return list(self.living.values())

    async def stop(self, *, end_sessions: bool) -> None:
        self.ended_on_stop = end_sessions

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        if self.refuses_to_open is not None:
            raise self.refuses_to_open
        self.opened.append(spec)
        if isinstance(spec, AgentSpec):
            self.agents.add(spec.id)
        self.living[spec.id] = self._open_state(spec.id, None)
        return self.living[spec.id]

    def _open_state(self, session_id: str, waiting_for: WaitingFor | None) -> SessionState:
        is_agent = session_id in self.agents
        return SessionState(
            session_id,
            open=True,
            waiting_for=waiting_for,
            pid=4711,
            conversation=f"conversation of {session_id}" if is_agent else None,
            provider="custom" if is_agent else None,
        )

    async def close(self, session_id: str) -> SessionState:
        self.living[session_id] = SessionState(session_id, open=False, waiting_for=None, diagnostic="closed")
        return self.living[session_id]

    async def deliver(self, session_id: str, key: str, text: str) -> HandOver:
        answer = self.answers.popleft() if self.answers else self._answer(session_id)
        if isinstance(answer, Exception):
            raise answer
        if answer.accepted:
            self.accepted[key] = True
            self.delivered.append((session_id, key, text))
            self.becomes(session_id, WaitingFor.BUSY, running=key)
        else:
            self.declined.append(key)
        return answer

    def _answer(self, session_id: str) -> HandOver:
        session = self.living.get(session_id)
        if session is None or not session.open:
            return HandOver(accepted=False, closed=True)
        return HandOver(accepted=session.ready, waiting_for=session.waiting_for)

    async def known(self, keys: Sequence[str]) -> Mapping[str, bool]:
        if self.lost:
            raise SessionsLost
        return {key: self.accepted.get(key, False) for key in keys}

    async def acknowledge(self, keys: Sequence[str]) -> None:
        self.acknowledged += keys

    async def survivors(self, session_id: str) -> Sequence[tuple[int, str]]:
        return self.surviving.get(session_id, ())

    async def type(self, session_id: str, data: bytes) -> None:
        self.becomes(session_id, WaitingFor.UNFINISHED_INPUT)

    async def tail(self, session_id: str, max_bytes: int) -> bytes:
        return b"$ "

    async def screen(self, session_id: str, *, whole: bool = False) -> str:
        return "$ "

    def holds(self, session_id: str) -> bool:
        return session_id in self.agents

    async def answer(self, session_id: str, question_id: str, option_id: str | None) -> None:
        self.answers_given.append((session_id, question_id, option_id))
        self.listener.attention_settled(self.delivered[-1][1])
        self.becomes(session_id, WaitingFor.BUSY)

    async def cancel(self, session_id: str) -> None:
        self.cancelled.append(session_id)
        self.end_latest(AttemptState.INTERRUPTED, None)

    async def interrupt(self, session_id: str, running: str) -> bool:
        if self.living[session_id].running != running:
            return False
        self.interrupted.append(running)
        return True

    def tools_listed(self, session_id: str) -> None: ...

    def note_call(self, session_id: str, key: str | None, call: ToolCall) -> int:
        entries = self.entries.setdefault(session_id, [])
        number = len(entries) + 1
        data = {"status": call.status, "detail": call.detail}
        entries.append(Entry(number, number, "tool", call.title, data, Instant(0), key))
        return number

    def change_call(self, session_id: str, entry: int, call: ToolCall) -> None:
        entries = self.entries[session_id]
        data = {"status": call.status, "detail": call.detail}
        entries[entry - 1] = replace(entries[entry - 1], data=data)

    def transcript(self, session_id: str, after_version: int = 0) -> tuple[Sequence[Entry], int]:
        entries = self.entries.get(session_id, [])
        return [entry for entry in entries if entry.version > after_version], len(entries)


class ScriptedRuntime:
    """A runtime that can be stopped, killed and started again on the same database."""

    zone = "Europe/Berlin"

    def __init__(self, home: Home, thread: ThreadPoolExecutor) -> None:
        self.home = home
        self.clock = FakeClock(START)
        self.sessions = ScriptedSessions()
        self.store: Store
        self.runtime: Runtime
        self.services: Services
        self._thread = thread
        self._runs = False

    @property
    def alarm(self) -> StillAlarm:
        assert isinstance(self.runtime._alarm, StillAlarm)
        return self.runtime._alarm

    # --- Life and death

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        self.store = await loop.run_in_executor(
            self._thread, open_store, self.home.database, self.home.backups
        )
        self.runtime = Runtime(self.store, self._thread, self.clock, self.sessions, StillAlarm)
        self.services = Services(self.runtime, self.home)
        await self.runtime.start()
        self._runs = True

    async def stop(self) -> None:
        if self._runs:
            self._runs = False
            await self.runtime.stop()

    async def kill(self) -> None:
        """The runtime ends between two turns, as by SIGKILL: nothing is written any more."""
        self._runs = False
        tasks = [task for task in asyncio.all_tasks() if task.get_name() in ("dispatcher", "recorder")]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.get_running_loop().run_in_executor(self._thread, self.store.close)
        former, self.sessions = self.sessions, ScriptedSessions()
        # Shells live on; agents were the runtime's children.
        self.sessions.living = {
            name: state for name, state in former.living.items() if name not in former.agents
        }
        of_agents = {key for session, key, _ in former.delivered if session in former.agents}
        self.sessions.accepted = dict.fromkeys(former.accepted.keys() - of_agents, True)

    # --- Time and truth

    async def at(self, when: str) -> None:
        """Time goes by until then, and the alarm rings."""
        self.clock.go_to(when)
        await self.ring()

    async def ring(self) -> None:
        await self.runtime.perform(lambda turn: None)

    async def eventually(self, question: Callable[[], Awaitable[T]], wanted: T) -> None:
        """Ask until the answer is the wanted one."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while (answer := await question()) != wanted:
            if asyncio.get_running_loop().time() > deadline:
                raise AssertionError(f"after {PATIENCE:g} s still {answer!r}, not {wanted!r}")
            await asyncio.sleep(0.005)

    async def attempts(self) -> list[AttemptView]:
        """Oldest first."""
        return (await self.services.attempts.listing())[::-1]

    async def states(self) -> list[str]:
        return [attempt["state"] for attempt in await self.attempts()]

    async def deliveries(self) -> int:
        return len(self.sessions.delivered)

    # --- Setting up

    async def workspace(self, name: str = "work") -> str:
        directory = self.home.data / name
        directory.mkdir(exist_ok=True)
        return (await self.services.workspaces.add(str(directory), name))["id"]

    async def terminal(self, name: str = "shell", *, open_session: bool = True) -> str:
        made = await self.services.graph.add_node(
            NodeKind.TERMINAL, {"name": name, "x": 0, "y": 0}, workspace=None, open_session=open_session
        )
        return made["id"]

    async def agent(self, name: str = "agent", *, keep_open: bool = True, open_session: bool = True) -> str:
        made = await self.services.graph.add_node(
            NodeKind.CODING_AGENT,
            {"name": name, "provider": "custom", "command": ["agent"], "keep_open": keep_open},
            workspace=None,
            open_session=open_session,
        )
        return made["id"]

    async def schedule(
        self,
        name: str = "check",
        *,
        target: str | None = "shell",
        cron: str = "0 * * * *",
        resume: bool = True,
    ) -> ScheduleView:
        made = await self.services.schedules.add(
            {"name": name, "payload": "make check", "recurrence": {"cron": cron}},
            self.zone,
            workspace=None,
            target=target,
        )
        return await self.services.schedules.resume(made["id"], self.zone) if resume else made

    async def world(self) -> ScheduleView:
        """A Workspace, a Terminal with an open session, and an hourly Schedule that aims at it."""
        await self.workspace()
        await self.terminal()
        return await self.schedule()

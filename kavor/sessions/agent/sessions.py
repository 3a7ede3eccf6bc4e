"""All sessions of CodingAgents, behind the `AgentSessions` protocol.

They live in the runtime's process, each agent a child of it, and end with it: what was at work then has no
outcome, and the next runtime knows no key (decision 15).
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from kavor.domain.errors import BadInput, NotFound, Refused
from kavor.domain.instant import Instant
from kavor.domain.payload import check_payload
from kavor.home import Home
from kavor.sessions.agent.agent_session import AgentSession
from kavor.sessions.agent.harness import Harness, Observer
from kavor.sessions.agent.login_environment import LoginEnvironment
from kavor.sessions.agent.own_screen import program_of
from kavor.sessions.agent.process import AgentProcess, kill_left_behind, new_mark
from kavor.sessions.agent.providers import (
    Availability,
    Provider,
    Providers,
    Transport,
    is_found,
    look_for,
    program_path,
)
from kavor.sessions.agent.transcript import Transcript
from kavor.sessions.session import (
    AgentSpec,
    Entry,
    HandOver,
    Listener,
    Outcome,
    SessionSpec,
    SessionState,
    ToolCall,
)
from kavor.sessions.terminal.deliveries import Deliveries
from kavor.sessions.terminal.environment import shell_environment
from kavor.sessions.terminal.session_folder import folder_of

SCREEN_SIZE = (120, 40)
"""Columns and rows of an agent's own screen, until somebody who looks at it has another size."""

log = logging.getLogger(__name__)


def system_now() -> Instant:
    return Instant(time.time_ns() // 1_000_000)


class CodingAgents:
    def __init__(self, home: Home, now: Callable[[], Instant] = system_now) -> None:
        self._home = home
        self._now = now
        self._login = LoginEnvironment()
        self._listener: Listener | None = None
        self._sessions: dict[str, AgentSession] = {}
        """The latest of each Node, also one that has ended."""
        self._transcripts: dict[str, Transcript] = {}
        self._deliveries = Deliveries()
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By Node: one session is opened or closed at a time."""

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        """None lives on; what a runtime that was killed left running is ended."""
        self._listener = listener
        left = await asyncio.to_thread(kill_left_behind, self._records)
        if left:
            log.warning("ended %d processes of agents that a former runtime left behind", left)
        return []

    async def stop(self, *, end_sessions: bool) -> None:
        """Ends them all: nobody else could hold them."""
        await asyncio.gather(*(self.close(session_id) for session_id in list(self._sessions)))

    async def available(self) -> list[Availability]:
        """Every provider, and whether its program is there for a session."""
        search_path = (await self._login.get()).get("PATH", "")
        providers = await asyncio.to_thread(Providers, self._home)
        return await asyncio.to_thread(lambda: [look_for(known, search_path) for known in providers.all()])

    # --- Open and close

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        """Raises NotFound for a provider there is none of, Refused or BadInput where its program or the
        directory is not there. It is open then, and starts: what goes wrong is told as a change of state."""
        if not isinstance(spec, AgentSpec):
            raise BadInput(f"{spec.id} is no CodingAgent", "a Terminal's session is held elsewhere")
        if self._listener is None:
            raise RuntimeError("start comes first")
        async with self._locks[spec.id]:
            former = self._sessions.get(spec.id)
            if former is not None and former.is_open:
                return former.state
            provider = (await asyncio.to_thread(Providers, self._home)).find(spec.provider)
            session = AgentSession(
                spec, provider, self._transcript_of(spec.id), self._listener, self._outcome, self._now
            )
            await session.open(partial(self._hold, spec, provider))
            self._sessions[spec.id] = session
        return session.state

    async def close(self, session_id: str) -> SessionState:
        async with self._locks[session_id]:
            session = self._sessions.get(session_id)
            if session is None:
                return SessionState(session_id, open=False, waiting_for=None)
            await session.close()
            return session.state

    async def on_screen(self, spec: AgentSpec) -> SessionSpec | None:
        """How the PTY host is to hold an agent that has a screen of its own; None for one that is held here.

        Raises NotFound for a provider there is none of, Refused where its program is not there.
        """
        provider = (await asyncio.to_thread(Providers, self._home)).find(spec.provider)
        if provider.transport is not Transport.TUI:
            return None
        login = await self._login_for(spec, provider)
        program, *arguments = provider.command_of(spec.command)
        path = await asyncio.to_thread(program_path, provider, program, login.get("PATH", ""), spec.directory)
        folder = folder_of(self._home.sessions, spec.id)
        columns, rows = SCREEN_SIZE
        return SessionSpec(
            id=spec.id,
            directory=spec.directory,
            environment=spec.environment,
            columns=columns,
            rows=rows,
            program=program_of(
                spec, provider.screen, [path, *arguments], provider.environment, login, folder
            ),
        )

    async def _hold(self, spec: AgentSpec, provider: Provider, observer: Observer) -> Harness:
        if not await asyncio.to_thread(Path(spec.directory).is_dir):
            raise Refused(f"the directory {spec.directory} is not there", "make it, or give another one")
        match provider.transport:
            case Transport.SOCKET:
                from kavor.sessions.agent.way_in import WayIn

                return WayIn(spec, provider, observer)
            case Transport.TUI:
                raise BadInput(f"{spec.id} has a screen of its own", "the PTY host holds its session")
            case Transport.ACP:
                acp, environment = await asyncio.gather(
                    asyncio.to_thread(importlib.import_module, "kavor.sessions.agent.acp"),
                    self._environment(spec, provider),
                )
                process = await self._start_program(spec, provider, environment)
                replay = len(self._transcripts[spec.id]) == 0
                harness: Harness = acp.AcpHarness(process, spec, provider, observer, replay=replay)
                return harness

    async def _start_program(
        self, spec: AgentSpec, provider: Provider, environment: Mapping[str, str]
    ) -> AgentProcess:
        program, *arguments = provider.command_of(spec.command)
        path = await asyncio.to_thread(program_path, provider, program, environment["PATH"], spec.directory)
        return await AgentProcess.start([path, *arguments], spec.directory, environment, self._records)

    async def _environment(self, spec: AgentSpec, provider: Provider) -> dict[str, str]:
        """What the login shell has, and no token: that goes over the protocol."""
        login = await self._login_for(spec, provider)
        shell = login.get("SHELL") or "/bin/sh"
        return {
            **shell_environment(login, spec.id, new_mark(), shell, spec.environment),
            **provider.environment,
        }

    async def _login_for(self, spec: AgentSpec, provider: Provider) -> dict[str, str]:
        """The login shell's environment; read anew where the agent's program is not on its PATH."""
        login = await self._login.get()
        program = provider.command_of(spec.command)[0]
        if await asyncio.to_thread(is_found, program, login.get("PATH", ""), spec.directory):
            return login
        return await self._login.get(anew=True)

    @property
    def _records(self) -> Path:
        return self._home.data / "agents"

    # --- Deliveries

    async def deliver(self, session_id: str, key: str, text: str) -> HandOver:
        """Raises BadInput for a text that is no payload."""
        prompt = check_payload(text)

        async def hand_over() -> HandOver:
            session = self._sessions.get(session_id)
            return HandOver(False, closed=True) if session is None else session.deliver(key, prompt)

        return await self._deliveries.once(key, hand_over)

    async def known(self, keys: Sequence[str]) -> Mapping[str, bool]:
        return await self._deliveries.known(keys)

    async def acknowledge(self, keys: Sequence[str]) -> None:
        self._deliveries.acknowledge(keys)

    def _outcome(self, outcome: Outcome) -> None:
        self._deliveries.ended(outcome)
        if self._listener is not None:
            self._listener.outcome_observed(outcome)

    # --- Looking, asking, stopping

    def holds(self, session_id: str) -> bool:
        return session_id in self._sessions

    async def answer(self, session_id: str, question_id: str, option_id: str | None) -> None:
        self._session(session_id).answer(question_id, option_id)

    async def cancel(self, session_id: str) -> None:
        self._session(session_id).cancel()

    def tools_listed(self, session_id: str) -> None:
        if session_id in self._sessions:
            self._sessions[session_id].tools_listed()

    def note_call(self, session_id: str, key: str | None, call: ToolCall) -> int:
        """Of an agent with a screen of its own too, whose transcript has nothing else."""
        return self._transcript_of(session_id).add("tool", call.title, _seen(call), key)

    def change_call(self, session_id: str, entry: int, call: ToolCall) -> None:
        self._transcript_of(session_id).change(entry, data=_seen(call))

    def transcript(self, session_id: str, after_version: int = 0) -> tuple[Sequence[Entry], int]:
        transcript = self._transcripts.get(session_id)
        return ([], 0) if transcript is None else transcript.since(after_version)

    async def survivors(self, session_id: str) -> Sequence[tuple[int, str]]:
        """None: what an agent started ends with it."""
        return []

    async def type(self, session_id: str, data: bytes) -> None:
        """Raises Refused: it has no keyboard."""
        raise Refused("an agent is not typed to", "send it a message")

    async def tail(self, session_id: str, max_bytes: int) -> bytes:
        """The end of what it printed beside its protocol: where it says what ails it."""
        return self._harness(session_id).errors[-max_bytes:]

    async def screen(self, session_id: str, *, whole: bool = False) -> str:
        """Its transcript as text, from the latest prompt on, or ``whole``."""
        entries, _ = self.transcript(session_id)
        if not whole:
            prompts = [place for place, entry in enumerate(entries) if entry.kind == "prompt"]
            entries = entries[prompts[-1] if prompts else 0 :]
        return "\n".join(_shown(entry) for entry in entries)

    def _session(self, session_id: str) -> AgentSession:
        if session_id not in self._sessions:
            raise NotFound(f"there is no session {session_id}", "open it first")
        return self._sessions[session_id]

    def _harness(self, session_id: str) -> Harness:
        harness = self._session(session_id).harness
        if harness is None:
            raise NotFound(f"there is no session {session_id}", "open it first")
        return harness

    def _transcript_of(self, session_id: str) -> Transcript:
        if session_id not in self._transcripts:
            changed = partial(self._transcript_changed, session_id)
            self._transcripts[session_id] = Transcript(self._now, changed)
        return self._transcripts[session_id]

    def _transcript_changed(self, session_id: str) -> None:
        if self._listener is not None:
            self._listener.transcript_changed(session_id)


_SIGNS: Mapping[str, str] = {"prompt": "> ", "tool": "* ", "question": "? ", "notice": "! "}


def _seen(call: ToolCall) -> dict[str, str]:
    return {"id": "", "kind": call.kind, "status": call.status, "detail": call.detail}


def _shown(entry: Entry) -> str:
    text = entry.text if entry.kind != "tool" else f"{entry.text} [{entry.data['status']}]"
    return _SIGNS.get(entry.kind, "") + text

"""Terminals and agents as one: what the supervisor speaks to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kavor.domain.errors import Refused
from kavor.sessions.agent.sessions import CodingAgents
from kavor.sessions.session import (
    AgentSpec,
    Entry,
    HandOver,
    Listener,
    ScreenSessions,
    Sessions,
    SessionSpec,
    SessionState,
    ToolCall,
)


class EverySession:
    """Each question goes to who holds the session; what concerns all goes to both."""

    def __init__(self, terminals: ScreenSessions, agents: CodingAgents) -> None:
        self._terminals = terminals
        self._agents = agents
        self._on_screens: set[str] = set()
        """Agents with a screen of their own: they are held as terminals are."""

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        living = await self._terminals.start(listener)
        self._on_screens |= {state.id for state in living if state.own_screen}
        return [*living, *await self._agents.start(listener)]

    async def stop(self, *, end_sessions: bool) -> None:
        try:
            await self._agents.stop(end_sessions=end_sessions)
        finally:
            await self._terminals.stop(end_sessions=end_sessions)

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        if not isinstance(spec, AgentSpec):
            return await self._terminals.open(spec)
        on_screen = await self._agents.on_screen(spec)
        if on_screen is None:
            self._on_screens.discard(spec.id)
            return await self._agents.open(spec)
        self._on_screens.add(spec.id)
        return await self._terminals.open(on_screen)

    async def close(self, session_id: str) -> SessionState:
        return await self._holder(session_id).close(session_id)

    async def deliver(self, session_id: str, key: str, text: str) -> HandOver:
        return await self._holder(session_id).deliver(session_id, key, text)

    async def known(self, keys: Sequence[str]) -> Mapping[str, bool]:
        agents, terminals = await self._agents.known(keys), await self._terminals.known(keys)
        return {key: agents.get(key, False) or terminals.get(key, False) for key in keys}

    async def acknowledge(self, keys: Sequence[str]) -> None:
        await self._agents.acknowledge(keys)
        await self._terminals.acknowledge(keys)

    async def survivors(self, session_id: str) -> Sequence[tuple[int, str]]:
        return await self._holder(session_id).survivors(session_id)

    async def type(self, session_id: str, data: bytes) -> None:
        await self._holder(session_id).type(session_id, data)

    async def tail(self, session_id: str, max_bytes: int) -> bytes:
        return await self._holder(session_id).tail(session_id, max_bytes)

    async def screen(self, session_id: str, *, whole: bool = False) -> str:
        return await self._holder(session_id).screen(session_id, whole=whole)

    def holds(self, session_id: str) -> bool:
        return session_id in self._on_screens or self._agents.holds(session_id)

    async def answer(self, session_id: str, question_id: str, option_id: str | None) -> None:
        """Raises Refused for an agent that is answered on its own screen."""
        if session_id in self._on_screens:
            raise Refused("this agent asks on its own screen", "answer it there, as in a Terminal")
        await self._agents.answer(session_id, question_id, option_id)

    async def cancel(self, session_id: str) -> None:
        if session_id in self._on_screens:
            await self._terminals.cancel(session_id)
        else:
            await self._agents.cancel(session_id)

    async def interrupt(self, session_id: str, running: str) -> bool:
        return await self._terminals.interrupt(session_id, running)

    def tools_listed(self, session_id: str) -> None:
        self._agents.tools_listed(session_id)

    def note_call(self, session_id: str, key: str | None, call: ToolCall) -> int:
        return self._agents.note_call(session_id, key, call)

    def change_call(self, session_id: str, entry: int, call: ToolCall) -> None:
        self._agents.change_call(session_id, entry, call)

    def transcript(self, session_id: str, after_version: int = 0) -> tuple[Sequence[Entry], int]:
        return self._agents.transcript(session_id, after_version)

    def _holder(self, session_id: str) -> Sessions:
        here = self._agents.holds(session_id) and session_id not in self._on_screens
        return self._agents if here else self._terminals

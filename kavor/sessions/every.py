"""Terminals and agents as one: what the supervisor speaks to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kavor.sessions.session import (
    AgentSessions,
    AgentSpec,
    Entry,
    HandOver,
    Listener,
    Sessions,
    SessionSpec,
    SessionState,
)


class EverySession:
    """Each question goes to who holds the session; what concerns all goes to both."""

    def __init__(self, terminals: Sessions, agents: AgentSessions) -> None:
        self._terminals = terminals
        self._agents = agents

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        return [*await self._terminals.start(listener), *await self._agents.start(listener)]

    async def stop(self, *, end_sessions: bool) -> None:
        try:
            await self._agents.stop(end_sessions=end_sessions)
        finally:
            await self._terminals.stop(end_sessions=end_sessions)

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        holder = self._agents if isinstance(spec, AgentSpec) else self._terminals
        return await holder.open(spec)

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
        return self._agents.holds(session_id)

    async def answer(self, session_id: str, question_id: str, option_id: str | None) -> None:
        await self._agents.answer(session_id, question_id, option_id)

    async def cancel(self, session_id: str) -> None:
        await self._agents.cancel(session_id)

    def tools_listed(self, session_id: str) -> None:
        self._agents.tools_listed(session_id)

    def transcript(self, session_id: str, after_version: int = 0) -> tuple[Sequence[Entry], int]:
        return self._agents.transcript(session_id, after_version)

    def _holder(self, session_id: str) -> Sessions:
        return self._agents if self._agents.holds(session_id) else self._terminals

"""An agent with an open session in a runtime, and what a test asks of the two."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from scripted_runtime import ScriptedRuntime

from kavor.runtime.events import Change
from kavor.sessions.session import AgentSpec, ToolsAccess


class Door:
    """Lets every agent in, and notes who is in."""

    def __init__(self) -> None:
        self.admitted: list[str] = []
        self.dismissed: list[str] = []

    async def admit(self, agent_id: str) -> ToolsAccess:
        self.admitted.append(agent_id)
        return ToolsAccess("http://127.0.0.1:1/mcp", f"word {len(self.admitted)}")

    def dismiss(self, agent_id: str) -> None:
        self.dismissed.append(agent_id)


async def agent_world(scripted: ScriptedRuntime) -> str:
    """A Workspace, an agent with an open session, and an hourly Schedule that aims at it."""
    await scripted.workspace()
    agent = await scripted.agent()
    await scripted.schedule(target="agent")
    return agent


async def delivered(scripted: ScriptedRuntime) -> str:
    agent = await agent_world(scripted)
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.eventually(waiting_for(scripted), "busy")
    return agent


def waiting_for(scripted: ScriptedRuntime) -> Callable[[], Awaitable[str | None]]:
    async def ask() -> str | None:
        (session,) = await scripted.services.sessions.listing(None)
        return session["waiting_for"] if session["open"] else session["state"]

    return ask


def messages(scripted: ScriptedRuntime, agent: str = "agent") -> Callable[[], Awaitable[list[str]]]:
    """The states of an agent's messages, oldest first."""

    async def ask() -> list[str]:
        found = await scripted.services.conversations.messages(agent, before=None, limit=100)
        return [one["state"] for one in found][::-1]

    return ask


def changes(scripted: ScriptedRuntime, kind: str) -> list[Change]:
    told = scripted.runtime.events.missed_since(0) or []
    return [event.change for event in told if event.change is not None and event.change.type == kind]


def acknowledged(scripted: ScriptedRuntime) -> Callable[[], Awaitable[list[str]]]:
    async def ask() -> list[str]:
        return scripted.sessions.acknowledged

    return ask


def opened(scripted: ScriptedRuntime, node: str) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        return scripted.runtime.targets.state(node).open

    return ask


def ready(scripted: ScriptedRuntime, node: str) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        return scripted.runtime.targets.state(node).ready

    return ask


def specs(scripted: ScriptedRuntime) -> Sequence[AgentSpec]:
    return [spec for spec in scripted.sessions.opened if isinstance(spec, AgentSpec)]

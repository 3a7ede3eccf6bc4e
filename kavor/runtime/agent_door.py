"""The door through which an agent reaches Kavor's tools: opened with its session, shut at its end."""

from __future__ import annotations

from typing import Protocol

from kavor.sessions.session import ToolsAccess


class AgentDoor(Protocol):
    """Belongs to the event loop."""

    async def admit(self, agent_id: str) -> ToolsAccess:
        """Let the session that is about to open in; what a former session of this agent had is void.

        Raises KavorError where the tools cannot be served.
        """
        ...

    def dismiss(self, agent_id: str) -> None:
        """A session has ended: what it was given, if anything, lets nobody in any more."""
        ...

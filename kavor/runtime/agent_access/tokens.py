"""The words that let agents in: one for each session, kept in memory, worth nothing after its end."""

from __future__ import annotations

import asyncio
import hashlib
import secrets

from kavor.domain.errors import NotAdmitted

TOKEN_BYTES = 32


class Tokens:
    """Belongs to the event loop. Holds digests, so that no dump of this process gives a token away."""

    def __init__(self) -> None:
        self._agents: dict[bytes, str] = {}
        self._listed: dict[str, asyncio.Event] = {}

    def issue(self, agent_id: str) -> str:
        """A new one for this agent; what it had before lets nobody in any more."""
        self.withdraw(agent_id)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._agents[_digest(token)] = agent_id
        self._listed[agent_id] = asyncio.Event()
        return token

    def withdraw(self, agent_id: str) -> None:
        self._agents = {digest: holder for digest, holder in self._agents.items() if holder != agent_id}
        self._listed.pop(agent_id, None)

    def agent_of(self, token: str) -> str:
        """Whose it is. Raises NotAdmitted, without a word about why."""
        agent_id = self._agents.get(_digest(token))
        if agent_id is None:
            raise NotAdmitted
        return agent_id

    def holds(self, agent_id: str) -> bool:
        """Whether this agent has a token now."""
        return agent_id in self._listed

    def tools_listed(self, agent_id: str) -> None:
        """Its session has read the list of tools: it can call them from now on."""
        if agent_id in self._listed:
            self._listed[agent_id].set()

    async def until_tools_listed(self, agent_id: str, limit_s: float) -> bool:
        """Wait until its session has read the list of tools: a prompt sent sooner may find none. False where
        that has not come within so many seconds."""
        listed = self._listed.get(agent_id)
        if listed is None:
            return False
        try:
            async with asyncio.timeout(limit_s):
                await listed.wait()
        except TimeoutError:
            return False
        return True


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()

"""The words that let agents in: one for each session, kept in memory, worth nothing after its end."""

from __future__ import annotations

import hashlib
import secrets

from kavor.domain.errors import NotAdmitted

TOKEN_BYTES = 32


class Tokens:
    """Belongs to the event loop. Holds digests, so that no dump of this process gives a token away."""

    def __init__(self) -> None:
        self._agents: dict[bytes, str] = {}

    def issue(self, agent_id: str) -> str:
        """A new one for this agent; what it had before lets nobody in any more."""
        self.withdraw(agent_id)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._agents[_digest(token)] = agent_id
        return token

    def withdraw(self, agent_id: str) -> None:
        self._agents = {digest: holder for digest, holder in self._agents.items() if holder != agent_id}

    def agent_of(self, token: str) -> str:
        """Whose it is. Raises NotAdmitted, without a word about why."""
        agent_id = self._agents.get(_digest(token))
        if agent_id is None:
            raise NotAdmitted
        return agent_id


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()

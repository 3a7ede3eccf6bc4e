"""The words that let agents in: one for each session, worth nothing after its end."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping

from kavor.domain.errors import NotAdmitted

TOKEN_BYTES = 32


class Tokens:
    """Belongs to the event loop. Holds digests alone, so that nothing that is kept gives a token away."""

    def __init__(self) -> None:
        self._agents: dict[str, str] = {}
        """By the digest of its token."""

    def issue(self, agent_id: str) -> str:
        """A new one for this agent; what it had before lets nobody in any more."""
        self.withdraw(agent_id)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._agents[_digest(token)] = agent_id
        return token

    def withdraw(self, agent_id: str) -> None:
        self._agents = {digest: holder for digest, holder in self._agents.items() if holder != agent_id}

    def digests(self) -> dict[str, str]:
        """By agent: what a later runtime has to know for this agent to be let in by it."""
        return {agent_id: digest for digest, agent_id in self._agents.items()}

    def let_in_again(self, digests: Mapping[str, str], agents: Collection[str]) -> list[str]:
        """Those of these agents that have no newer token keep the one that a former runtime gave them.
        Answers its digest, of each."""
        held = set(self._agents.values())
        again = {digests[agent_id]: agent_id for agent_id in set(agents) - held if agent_id in digests}
        self._agents.update(again)
        return list(again)

    def void(self, digests: Collection[str]) -> None:
        """The tokens that have these let nobody in any more."""
        for digest in digests:
            self._agents.pop(digest, None)

    def agent_of(self, token: str) -> str:
        """Whose it is. Raises NotAdmitted, without a word about why."""
        agent_id = self._agents.get(_digest(token))
        if agent_id is None:
            raise NotAdmitted
        return agent_id


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()

"""All that an agent may ask for through Kavor's tools, in one place: a service for each concern."""

from __future__ import annotations

from kavor.domain.errors import KavorError
from kavor.runtime.agent_access.conversing import Conversing
from kavor.runtime.agent_access.editing import Editing
from kavor.runtime.agent_access.papers import Papers
from kavor.runtime.agent_access.seeing import Seeing
from kavor.runtime.agent_access.terminals import Terminals
from kavor.runtime.agent_access.tokens import Tokens
from kavor.runtime.graph_service import OpenSession
from kavor.runtime.providers import ProviderService
from kavor.runtime.runtime import Runtime


class AgentAccess:
    """Every method of its services takes the id of the agent that asks, as its token says it."""

    def __init__(
        self, runtime: Runtime, tokens: Tokens, providers: ProviderService, open_session: OpenSession
    ) -> None:
        self.tokens = tokens
        self._runtime = runtime
        self.seeing = Seeing(runtime)
        self.papers = Papers(runtime)
        self.terminals = Terminals(runtime)
        self.conversing = Conversing(runtime)
        self.editing = Editing(runtime, providers, open_session)

    def refused(self, agent_id: str, tool: str, error: KavorError) -> None:
        """A call of its was refused: that is on record with what it works on."""
        self._runtime.supervisor.tools.refused(agent_id, tool, error)

    def tools_listed(self, agent_id: str) -> None:
        """Its session has read the list of tools: from now on a prompt finds them."""
        self._runtime.supervisor.sessions.tools_listed(agent_id)

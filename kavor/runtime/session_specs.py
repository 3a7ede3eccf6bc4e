"""How the session of a target is started, as the graph is now."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from kavor.domain.graph import NodeKind
from kavor.domain.schedule import ScheduleState
from kavor.runtime.environment import session_spec
from kavor.runtime.find import find_node
from kavor.sessions.session import AgentSpec, SessionSpec
from kavor.store import coding_agents, schedules, workspaces
from kavor.store.coding_agents import CodingAgentRow


def spec_of(view: Connection, node_id: str) -> SessionSpec | AgentSpec:
    """Raises NotFound for a Node that is gone. An agent's spec has no access to tools yet."""
    node = find_node(view, node_id)
    if node.kind is NodeKind.CODING_AGENT:
        agent = coding_agents.coding_agent(view, node.id)
        assert agent is not None, "a CodingAgent Node has its row"
        return _agent_spec(agent)
    terminal = workspaces.terminal(view, node.id)
    assert terminal is not None, "only Terminals and CodingAgents have sessions"
    return session_spec(view, terminal)


def wanted_at_start(view: Connection) -> list[str]:
    """The targets of Running Schedules whose sessions are to be open, unless closed on purpose (K+1, K74)."""
    running = {row.id for row in schedules.list_schedules(view, state=ScheduleState.RUNNING)}
    aimed_at = {target for schedule, target in workspaces.targets(view).items() if schedule in running}
    terminals = [row.node_id for row in workspaces.list_terminals(view) if row.wanted == "open"]
    agents = [
        row.node_id
        for row in coding_agents.coding_agents_by_id(view).values()
        if row.wanted == "open" and row.settings.keep_open
    ]
    return [node_id for node_id in (*terminals, *agents) if node_id in aimed_at]


def _agent_spec(agent: CodingAgentRow) -> AgentSpec:
    return AgentSpec(
        id=agent.node_id,
        directory=agent.directory,
        provider=agent.settings.provider,
        command=agent.settings.command,
        model=agent.settings.model,
        conversation=agent.conversation,
        turn_limit_ms=agent.settings.turn_limit_ms,
    )

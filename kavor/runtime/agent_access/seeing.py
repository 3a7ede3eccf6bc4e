"""Who an agent is, and what it reaches: Nodes with their state, Connections, places."""

from __future__ import annotations

from typing import Any

from sqlalchemy.engine import Connection

from kavor.domain.graph import NodeKind
from kavor.domain.recurrence import recurrence_to_json
from kavor.domain.schedule import ScheduleState
from kavor.domain.words import describe
from kavor.runtime.agent_access.sight import Sight, look
from kavor.runtime.runtime import Runtime
from kavor.runtime.targets import TargetBoard
from kavor.runtime.views import instant_or_none
from kavor.store import coding_agents, documents, schedules, workspaces
from kavor.store.schedules import ScheduleRow
from kavor.store.workspaces import NodeRow

LONGEST_PAYLOAD = 4_000
"""Characters of a Schedule's payload that are listed."""


class Seeing:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def whoami(self, agent_id: str) -> dict[str, Any]:
        def ask(view: Connection) -> dict[str, Any]:
            sight = look(view, agent_id)
            place = workspaces.workspace(view, sight.agent.workspace_id)
            row = coding_agents.coding_agent(view, agent_id)
            assert place is not None, "a Node is in a Workspace"
            assert row is not None, "a CodingAgent Node has its row"
            return {
                "node": agent_id,
                "name": sight.agent.name,
                "kind": sight.agent.kind,
                "workspace": {"id": place.id, "name": place.name, "directory": place.directory},
                "directory": row.directory,
                "provider": row.settings.provider,
                "allow_workspace_editing": row.settings.may_edit,
                "reachable_nodes": len(sight.nodes) - 1,
            }

        return await self._runtime.read(ask)

    async def list_nodes(self, agent_id: str, kind: NodeKind | None) -> dict[str, Any]:
        """Without contents; those are read by id."""

        def ask(view: Connection) -> dict[str, Any]:
            sight = look(view, agent_id)
            rows = [row for row in sight.nodes.values() if kind in (None, row.kind)]
            told = _StateOf(view, sight, self._runtime.targets)
            return {"you": agent_id, "nodes": [_listed(sight, row) | told.of(row) for row in rows]}

        return await self._runtime.read(ask)

    async def layout(self, agent_id: str) -> dict[str, Any]:
        """Positions in canvas units, x to the right and y down."""

        def ask(view: Connection) -> dict[str, Any]:
            sight = look(view, agent_id)
            return {
                "you": agent_id,
                "nodes": [
                    {"id": row.id, "kind": row.kind, "name": row.name, "x": row.x, "y": row.y}
                    for row in sight.nodes.values()
                ],
                "connections": [
                    {"a": joined.a, "b": joined.b, "env": joined.environment_name}
                    for joined in sight.connections
                ],
            }

        return await self._runtime.read(ask)


def _listed(sight: Sight, row: NodeRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "name": row.name,
        "revision": row.revision,
        "connected_to": [c.other(row.id) for c in sight.connections if row.id in (c.a, c.b)],
        "direct": sight.is_direct(row.id),
        "guardrail": sight.guardrails.get(row.id),
    }


class _StateOf:
    """What each kind of Node says of itself, asked for all of them at once."""

    def __init__(self, view: Connection, sight: Sight, targets: TargetBoard) -> None:
        ids = list(sight.nodes)
        self._targets = targets
        self._nodes = sight.nodes
        self._schedules = {row.id: row for row in schedules.list_schedules(view, ids=ids)}
        self._aims = workspaces.targets(view)
        self._paths = documents.paths(view, ids)
        self._states = documents.specification_states(view, ids)
        self._notes = documents.sticky_notes_by_id(view, ids)
        self._agents = coding_agents.coding_agents_by_id(view, ids)

    def of(self, row: NodeRow) -> dict[str, Any]:
        match row.kind:
            case NodeKind.SCHEDULE:
                return self._schedule(self._schedules[row.id])
            case NodeKind.TERMINAL:
                return self._session(row.id)
            case NodeKind.CODING_AGENT:
                return {"provider": self._agents[row.id].settings.provider, **self._session(row.id)}
            case NodeKind.SPECIFICATION:
                return {"path": self._paths[row.id], "state": self._states[row.id]}
            case NodeKind.FILE:
                return {"path": self._paths[row.id]}
            case NodeKind.STICKY_NOTE:
                note = self._notes[row.id]
                return {"colour": note.colour, "characters": len(note.text)}

    def _session(self, node_id: str) -> dict[str, Any]:
        state = self._targets.state(node_id)
        return {"session": "open" if state.open else "closed", "waiting_for": state.waiting_for}

    def _schedule(self, row: ScheduleRow) -> dict[str, Any]:
        cut = len(row.payload) > LONGEST_PAYLOAD
        return {
            "state": row.state,
            "pause_reason": row.pause_reason,
            "recurrence": recurrence_to_json(row.recurrence),
            "description": describe(row.recurrence),
            "zone": row.zone,
            "next_due": instant_or_none(row.next_due) if row.state is ScheduleState.RUNNING else None,
            "payload": row.payload[:LONGEST_PAYLOAD] + ("…" if cut else ""),
            "target": self._aims.get(row.id),
        }

"""What one agent reaches at this moment, and which Guardrails bind it. Made anew for every call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.engine import Connection

from kavor.domain.errors import Ambiguous, BadInput, NotAdmitted, NotFound
from kavor.domain.graph import NodeKind
from kavor.domain.guardrails import Guardrail, check_change
from kavor.domain.reachability import component
from kavor.store import workspaces
from kavor.store.workspaces import ConnectionRow, NodeRow


@dataclass(frozen=True)
class Sight:
    agent: NodeRow
    nodes: Mapping[str, NodeRow]
    """Of its component by id, in the order in which they were made; the agent is among them."""
    connections: Sequence[ConnectionRow]
    """Of its component."""
    guardrails: Mapping[str, Guardrail]
    """By the Node that each protects from this agent: those on its own Connections alone (decision 18)."""

    def find(self, ref: str, kind: NodeKind | None = None) -> NodeRow:
        """The Node of that id, or of that name where it is unique among these.

        Raises NotFound for one that is not reachable, in the words for one that does not exist; Ambiguous;
        BadInput where it is of another kind.
        """
        found = [self.nodes[ref]] if ref in self.nodes else self._called(ref, kind)
        if not found:
            raise NotFound(f"there is no Node {ref!r} that you can reach", "list_nodes names those there are")
        if len(found) > 1:
            raise Ambiguous(
                f"several Nodes are called {ref!r}",
                "name one by its id: " + ", ".join(row.id for row in found),
            )
        if kind is not None and found[0].kind is not kind:
            raise BadInput(
                f"{found[0].name!r} is a {found[0].kind.label}, not a {kind.label}", "list_nodes says"
            )
        return found[0]

    def find_to_change(self, ref: str, kind: NodeKind | None = None) -> NodeRow:
        """As ``find``. Raises Refused too, naming the rule, where a Guardrail protects it from the agent."""
        row = self.find(ref, kind)
        self.check_change(row)
        return row

    def check_change(self, row: NodeRow) -> None:
        """Raises Refused, naming the rule."""
        check_change(self.guardrails.get(row.id), row.name)

    def is_direct(self, node_id: str) -> bool:
        """Whether the agent itself is connected to this Node."""
        return any({c.a, c.b} == {self.agent.id, node_id} for c in self.connections)

    def _called(self, name: str, kind: NodeKind | None) -> list[NodeRow]:
        named = [row for row in self.nodes.values() if row.name == name]
        return [row for row in named if row.kind is kind] or named


def look(tx: Connection, agent_id: str) -> Sight:
    """Raises NotAdmitted where the agent is no more."""
    agent = workspaces.node(tx, agent_id)
    if agent is None or agent.kind is not NodeKind.CODING_AGENT:
        raise NotAdmitted
    joined = workspaces.list_connections(tx, workspace_id=agent.workspace_id)
    reached = component(agent_id, ((connection.a, connection.b) for connection in joined))
    nodes = workspaces.list_nodes(tx, workspace_id=agent.workspace_id)
    return Sight(
        agent=agent,
        nodes={row.id: row for row in nodes if row.id in reached},
        connections=[connection for connection in joined if connection.a in reached],
        guardrails={
            connection.other(agent_id): Guardrail(connection.guardrail)
            for connection in joined
            if agent_id in (connection.a, connection.b) and connection.guardrail is not None
        },
    )

"""Where a Node goes on the Canvas when nobody says; whoever asks, the rule is one."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from kavor.domain.graph import NodeKind
from kavor.domain.layout import Box, Place, free_place, partner_of, wire_between
from kavor.store import workspaces


def place_of_new_node(tx: Connection, workspace_id: str, kind: NodeKind, beside: str | None = None) -> Place:
    """Beside the Node with the id ``beside``, or beside the one that it is likely to be joined to."""
    nodes = workspaces.list_nodes(tx, workspace_id=workspace_id)  # the oldest first
    boxes = {node.id: Box.of(node.kind, node.x, node.y) for node in nodes}
    joined = workspaces.list_connections(tx, workspace_id=workspace_id)
    partner = boxes.get(beside or "")
    if partner is None:
        aimed = {each.schedule_id for each in joined}  # a Schedule is joined to one Node at most
        free = [node for node in nodes if node.id not in aimed] or nodes
        likely = partner_of(kind, [node.kind for node in free])
        partner = None if likely is None else boxes[free[likely].id]
    wires = [wire_between(boxes[each.a], boxes[each.b]) for each in joined]
    return free_place(kind, partner, list(boxes.values()), wires)

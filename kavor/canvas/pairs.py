"""Whether two Nodes may be joined, in the words the runtime would use: asked before anything is sent."""

from __future__ import annotations

from kavor.canvas.model import Model
from kavor.domain.errors import KavorError, Refused
from kavor.domain.graph import NodeKind, check_pair


def why_not(model: Model, one_id: str, other_id: str) -> KavorError | None:
    """None where they may be joined."""
    one, other = model.nodes[one_id], model.nodes[other_id]
    try:
        check_pair(one_id, one.kind, other_id, other.kind)
    except KavorError as error:
        return error
    if any(each.other(one_id) == other_id for each in model.connections_of(one_id)):
        return Refused(f"“{one.name}” and “{other.name}” are connected already")
    return _target_already(model, one_id) or _target_already(model, other_id)


def why_not_kind(model: Model, one_id: str, kind: NodeKind) -> KavorError | None:
    """Whether a new Node of this kind may be joined to one that is there."""
    try:
        check_pair(one_id, model.nodes[one_id].kind, "", kind)
    except KavorError as error:
        return error
    return _target_already(model, one_id)


def _target_already(model: Model, node_id: str) -> KavorError | None:
    node, joined = model.nodes[node_id], model.connections_of(node_id)
    if node.kind is not NodeKind.SCHEDULE or not joined:
        return None
    target = model.nodes[joined[0].other(node_id)]
    return Refused(
        f"“{node.name}” has a target already: {target.name}",
        "a Schedule has one direct target; disconnect that one first",
    )

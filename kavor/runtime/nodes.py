"""Making, changing and removing Nodes within a transaction, so that several may be done as one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from sqlalchemy.engine import Connection

from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import Conflict
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.runtime.environment import tell_terminals
from kavor.runtime.events import Change
from kavor.runtime.find import check_name
from kavor.runtime.node_kinds import NO_PATHS, OF_EVERY_KIND, FoundPaths, NodeFields, check_fields, rules_of
from kavor.runtime.placement import place_of_new_node
from kavor.runtime.turn import Turn
from kavor.store import workspaces
from kavor.store.workspaces import NodeRow, WorkspaceRow

_MOVES = frozenset({"x", "y"})


def make_node(
    tx: Connection,
    turn: Turn,
    place: WorkspaceRow,
    kind: NodeKind,
    fields: NodeFields,
    paths: FoundPaths,
    *,
    now: Instant,
    is_open: bool = False,
    beside: str | None = None,
) -> NodeRow:
    """A Node of any kind but a Schedule; without a position, at a free place (beside a Node with that id).
    ``paths`` are those that `find_paths` found at first. ``is_open``: its session is wanted. Raises
    BadInput."""
    check_fields(kind, fields, at_first=True)
    x, y = position(tx, place, kind, fields, beside)
    node = NodeRow(
        id=secrets.token_hex(4),
        workspace_id=place.id,
        kind=kind,
        name=new_name(kind, fields),
        x=x,
        y=y,
        revision=1,
        created_at=now,
    )
    workspaces.add_node(tx, node)
    rules_of(kind).add(tx, node, fields, paths, is_open)
    turn.changes.append(Change("node", node.id, "created"))
    return node


def position(
    tx: Connection, place: WorkspaceRow, kind: NodeKind, given: Mapping[str, object], beside: str | None
) -> tuple[float, float]:
    """Where a new Node goes: as it is given, else a free place."""
    x, y = (cast("float | None", given.get(name)) for name in ("x", "y"))
    if x is not None and y is not None:
        return x, y
    free_x, free_y = place_of_new_node(tx, place.id, kind, beside)
    return free_x if x is None else x, free_y if y is None else y


def new_name(kind: NodeKind, fields: NodeFields) -> str:
    """A Node that is made without a name is called as its file, or as its kind. Raises BadInput."""
    path = fields.get("path") if kind in NAMED_KINDS else None
    return check_name(fields.get("name") or (Path(path).name if path else kind.label))


def change_node(
    tx: Connection,
    turn: Turn,
    row: NodeRow,
    fields: NodeFields,
    paths: FoundPaths = NO_PATHS,
    *,
    revision: int | None,
) -> None:
    """Set what is given; ``paths`` are what `find_paths` found of it. Raises BadInput, and Conflict over a
    stale revision; a move alone needs none: the last one wins."""
    check_fields(row.kind, fields)
    assert paths != NO_PATHS or not fields.keys() & {"directory", "path"}, "they are found before"
    moves_only = set(fields) <= _MOVES
    if not moves_only and revision != row.revision:
        raise Conflict(
            f"{row.name!r} was edited meanwhile: it is at revision {row.revision}, not {revision}",
            "look at the present text and save again",
        )
    values: dict[str, object] = {} if moves_only else {"revision": row.revision + 1}
    if "name" in fields:
        values["name"] = check_name(fields["name"])
    if "x" in fields:
        values["x"] = fields["x"]
    if "y" in fields:
        values["y"] = fields["y"]
    workspaces.change_node(tx, row.id, values)
    if set(fields) - OF_EVERY_KIND:
        rules_of(row.kind).change(tx, turn, row, fields, paths)
    turn.changes.append(Change("node", row.id))
    if row.kind is NodeKind.SCHEDULE:
        turn.changes.append(Change("schedule", row.id))


def drop_node(tx: Connection, turn: Turn, node: NodeRow) -> None:
    """Its Connections go with it."""
    tell_terminals(tx, turn, node.id)
    for connection in workspaces.connections_of(tx, node.id):
        turn.changes.append(Change("connection", str(connection.id), "removed"))
    workspaces.remove_node(tx, node.id)
    if node.kind is NodeKind.SCHEDULE:
        turn.changes.append(Change("schedule", node.id, "removed"))
    turn.changes.append(Change("node", node.id, "removed"))

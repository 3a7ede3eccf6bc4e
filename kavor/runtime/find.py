"""Finding what a person names: an id, or a name where it is unique."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.engine import Connection

from kavor.domain.errors import Ambiguous, BadInput, NotFound
from kavor.domain.graph import NodeKind
from kavor.store import ledger, schedules, workspaces
from kavor.store.ledger import AttemptRow
from kavor.store.schedules import ScheduleRow
from kavor.store.workspaces import NodeRow, WorkspaceRow

MAX_NAME_LENGTH = 200
LARGEST_ID = 2**63 - 1
"""No id can be greater, and the database cannot be asked for one."""


def check_name(name: str) -> str:
    """A name as it will be kept. Raises BadInput."""
    trimmed = name.strip()
    if not trimmed:
        raise BadInput("the name is empty", "give a name of at least one character")
    if len(trimmed) > MAX_NAME_LENGTH:
        raise BadInput(f"the name is longer than {MAX_NAME_LENGTH} characters", "shorten it")
    if any(not char.isprintable() for char in trimmed):
        raise BadInput("the name has a character that cannot be shown", "use letters, digits and signs")
    return trimmed


def matching_workspaces(tx: Connection, ref: str) -> list[WorkspaceRow]:
    rows = workspaces.list_workspaces(tx)
    return [row for row in rows if row.id == ref] or [row for row in rows if row.name == ref]


def matching_nodes(
    tx: Connection, ref: str, *, kind: NodeKind | None = None, workspace_id: str | None = None
) -> list[NodeRow]:
    """Every Node a reference may mean: the one with that id, else all with that name."""
    rows = workspaces.list_nodes(tx, workspace_id=workspace_id, kind=kind)
    return [row for row in rows if row.id == ref] or [row for row in rows if row.name == ref]


def find_workspace(tx: Connection, ref: str | None) -> WorkspaceRow:
    """The Workspace of that id or name; with None the only one. Raises NotFound or Ambiguous."""
    if ref is not None:
        found = matching_workspaces(tx, ref)
        if not found:
            raise NotFound(f"there is no Workspace {ref!r}", "kavor workspace list shows them")
        return found[0]
    rows = workspaces.list_workspaces(tx)
    if not rows:
        raise NotFound("there is no Workspace yet", "kavor workspace add DIR makes one")
    if len(rows) > 1:
        raise Ambiguous(
            "there are several Workspaces", "say which with --workspace", [f"{r.id} {r.name}" for r in rows]
        )
    return rows[0]


def find_node(tx: Connection, ref: str, kind: NodeKind | None = None) -> NodeRow:
    """The Node of that id, or of that name where it is unique. Raises NotFound or Ambiguous."""
    found = matching_nodes(tx, ref, kind=kind)
    label = kind.label if kind is not None else "Node"
    if not found:
        raise NotFound(f"there is no {label} {ref!r}", "kavor node list shows them")
    if len(found) > 1:
        raise _ambiguous(label, ref, found)
    return found[0]


def find_schedule(tx: Connection, ref: str) -> ScheduleRow:
    """Raises NotFound or Ambiguous."""
    row = schedules.schedule(tx, find_node(tx, ref, NodeKind.SCHEDULE).id)
    assert row is not None, "a Schedule Node has its row"
    return row


def find_attempt(tx: Connection, attempt_id: int) -> AttemptRow:
    """Raises NotFound."""
    row = ledger.attempt(tx, attempt_id) if 0 < attempt_id <= LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no attempt {attempt_id}", "kavor attempts lists them")
    return row


def _ambiguous(label: str, ref: str, found: Sequence[NodeRow]) -> Ambiguous:
    return Ambiguous(
        f"several {label}s are called {ref!r}",
        "name one by its id: " + ", ".join(row.id for row in found),
        [f"{row.id} {row.name} (Workspace {row.workspace_id})" for row in found],
    )

"""Where a Node goes on the Canvas when nobody says: a column for each kind, below what is there."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from kavor.domain.graph import NodeKind
from kavor.store import workspaces

# Canvas units: room for a card of the kind, and a gap. Schedules stand left of what they aim at.
_COLUMN = {NodeKind.SCHEDULE: 0.0, NodeKind.TERMINAL: 420.0}
_OTHERS = 1020.0
_STEP = {NodeKind.SCHEDULE: 300.0, NodeKind.TERMINAL: 480.0}
_TALL = 480.0
_WIDE = 400.0


def free_place(tx: Connection, workspace_id: str, kind: NodeKind) -> tuple[float, float]:
    """The position below the lowest Node in this kind's column."""
    x = _COLUMN.get(kind, _OTHERS)
    lowest = workspaces.lowest_between(tx, workspace_id, x - _WIDE, x + _WIDE)
    return x, 0.0 if lowest is None else lowest + _STEP.get(kind, _TALL)

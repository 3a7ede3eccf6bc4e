"""Queries about Schedules: their definition, their state, and which of them are due."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from kavor.domain.instant import Instant
from kavor.domain.recurrence import Recurrence, parse_recurrence, recurrence_to_json
from kavor.domain.schedule import Catchup, Overlap, Policies, ScheduleState
from kavor.store.driver import execute_many, select, select_value
from kavor.store.tables import nodes, schedules


@dataclass(frozen=True)
class ScheduleRow:
    """A Schedule with the Node it is."""

    id: str
    workspace_id: str
    name: str
    revision: int
    state: ScheduleState
    pause_reason: str | None
    recurrence: Recurrence
    zone: str
    payload: str
    policies: Policies
    next_due: Instant | None


class DueRow(NamedTuple):
    """What a claim needs of a Schedule that is due. A plain tuple: a claim reads thousands."""

    id: str
    name: str
    workspace_id: str
    recurrence: str
    zone: str
    payload: str
    overlap: str
    catchup: str
    misfire_grace_ms: int
    pending_limit_ms: int | None
    next_due: Instant
    target_id: str | None
    target_name: str | None


@lru_cache(maxsize=16_384)
def read_recurrence(text: str) -> Recurrence:
    """The recurrence written in a ``recurrence`` column."""
    return parse_recurrence(json.loads(text))


def write_recurrence(recurrence: Recurrence) -> str:
    return json.dumps(recurrence_to_json(recurrence), separators=(",", ":"), sort_keys=True)


_SELECT = sa.select(
    nodes.c.id,
    nodes.c.workspace_id,
    nodes.c.name,
    nodes.c.revision,
    schedules.c.state,
    schedules.c.pause_reason,
    schedules.c.recurrence,
    schedules.c.zone,
    schedules.c.payload,
    schedules.c.overlap,
    schedules.c.catchup,
    schedules.c.misfire_grace_ms,
    schedules.c.pending_limit_ms,
    schedules.c.next_due,
).join_from(schedules, nodes, schedules.c.node_id == nodes.c.id)


def _schedule(row: Any) -> ScheduleRow:
    return ScheduleRow(
        id=row.id,
        workspace_id=row.workspace_id,
        name=row.name,
        revision=row.revision,
        state=ScheduleState(row.state),
        pause_reason=row.pause_reason,
        recurrence=read_recurrence(row.recurrence),
        zone=row.zone,
        payload=row.payload,
        policies=Policies(
            Overlap(row.overlap), Catchup(row.catchup), row.misfire_grace_ms, row.pending_limit_ms
        ),
        next_due=row.next_due,
    )


def list_schedules(
    tx: Connection,
    *,
    workspace_id: str | None = None,
    state: ScheduleState | None = None,
    ids: Iterable[str] | None = None,
) -> list[ScheduleRow]:
    query = _SELECT.order_by(nodes.c.created_at, nodes.c.id)
    if workspace_id is not None:
        query = query.where(nodes.c.workspace_id == workspace_id)
    if state is not None:
        query = query.where(schedules.c.state == state)
    if ids is not None:
        query = query.where(nodes.c.id.in_(list(ids)))
    return [_schedule(row) for row in tx.execute(query)]


def schedule(tx: Connection, schedule_id: str) -> ScheduleRow | None:
    row = tx.execute(_SELECT.where(nodes.c.id == schedule_id)).first()
    return _schedule(row) if row else None


def definition_columns(
    recurrence: Recurrence, zone: str, payload: str, policies: Policies
) -> dict[str, str | int | None]:
    """The columns that a save writes."""
    return {
        "recurrence": write_recurrence(recurrence),
        "zone": zone,
        "payload": payload,
        "overlap": policies.overlap,
        "catchup": policies.catchup,
        "misfire_grace_ms": policies.misfire_grace_ms,
        "pending_limit_ms": policies.pending_limit_ms,
    }


def add_schedule(tx: Connection, node_id: str, definition: Mapping[str, Any]) -> None:
    """Beside its row in ``nodes``; always Paused (K15)."""
    tx.execute(schedules.insert().values(node_id=node_id, state=ScheduleState.PAUSED, **definition))


def change_schedule(tx: Connection, schedule_id: str, values: Mapping[str, Any]) -> None:
    tx.execute(schedules.update().where(schedules.c.node_id == schedule_id).values(**values))


def pause(tx: Connection, schedule_id: str, reason: str | None) -> None:
    change_schedule(
        tx, schedule_id, {"state": ScheduleState.PAUSED, "pause_reason": reason, "next_due": None}
    )


def count_by_state(tx: Connection) -> dict[ScheduleState, int]:
    query = sa.select(schedules.c.state, sa.func.count()).group_by(schedules.c.state)
    found = {ScheduleState(state): count for state, count in tx.execute(query)}
    return {state: found.get(state, 0) for state in ScheduleState}


def next_due(tx: Connection) -> Instant | None:
    """The earliest due instant of all Running Schedules."""
    found: Instant | None = select_value(tx, "SELECT min(next_due) FROM schedules WHERE next_due IS NOT NULL")
    return found


_DUE = """
SELECT n.id, n.name, n.workspace_id, s.recurrence, s.zone, s.payload, s.overlap, s.catchup,
       s.misfire_grace_ms, s.pending_limit_ms, s.next_due, t.id, t.name
FROM schedules s
JOIN nodes n ON n.id = s.node_id
LEFT JOIN connections c ON c.schedule_id = s.node_id
LEFT JOIN nodes t ON t.id = CASE WHEN c.a = s.node_id THEN c.b ELSE c.a END
WHERE s.next_due IS NOT NULL AND s.next_due <= ?
ORDER BY s.next_due, n.id
"""


def due(tx: Connection, now: Instant) -> list[DueRow]:
    """Every Running Schedule with an instant at or before ``now``, earliest first."""
    return list(map(DueRow._make, select(tx, _DUE, (now,))))


def plan_next(tx: Connection, planned: Sequence[tuple[Instant, str]]) -> None:
    """Write (next due instant, Schedule id) of many Running Schedules at once."""
    execute_many(tx, "UPDATE schedules SET next_due = ? WHERE node_id = ?", planned)


def pause_many(tx: Connection, paused: Sequence[tuple[str, str]]) -> None:
    """Write (reason, Schedule id) of many Schedules at once that nothing more is due of."""
    execute_many(
        tx,
        "UPDATE schedules SET state = 'Paused', pause_reason = ?, next_due = NULL WHERE node_id = ?",
        paused,
    )

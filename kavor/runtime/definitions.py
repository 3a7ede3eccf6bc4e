"""Making a Schedule and changing its definition within a transaction, so that several may be done as one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy.engine import Connection
from typing_extensions import TypedDict

from kavor.domain.errors import BadInput, Conflict, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.domain.payload import check_payload
from kavor.domain.recurrence import Once, Recurrence, parse_recurrence, same_grid
from kavor.domain.schedule import Catchup, Overlap, Policies, ScheduleState
from kavor.domain.zones import load_zone, to_local
from kavor.runtime.events import Change
from kavor.runtime.find import check_name
from kavor.runtime.nodes import position
from kavor.runtime.planning import USED_UP, next_instant
from kavor.runtime.turn import Turn
from kavor.store import schedules, workspaces
from kavor.store.schedules import ScheduleRow
from kavor.store.workspaces import NodeRow, WorkspaceRow


class ScheduleFields(TypedDict, total=False):
    """What a save may set; what is left out stays as it is. Durations in seconds."""

    name: str
    payload: str
    recurrence: Mapping[str, object]
    overlap: str
    catchup: str
    misfire_grace_s: float
    pending_limit_s: float | None
    x: float
    y: float


def make_schedule(
    tx: Connection,
    turn: Turn,
    place: WorkspaceRow,
    fields: ScheduleFields,
    *,
    zone: str,
    now: Instant,
    beside: str | None = None,
) -> NodeRow:
    """Always Paused, and without a target (K15). ``zone`` is stamped on it. Without a position, it goes to a
    free place (beside a Node with that id). Raises BadInput."""
    recurrence = _recurrence(fields) or _default_once(now, zone)
    load_zone(zone)
    x, y = position(tx, place, NodeKind.SCHEDULE, fields, beside)
    node = NodeRow(
        id=secrets.token_hex(4),
        workspace_id=place.id,
        kind=NodeKind.SCHEDULE,
        name=check_name(fields.get("name", "Schedule")),
        x=x,
        y=y,
        revision=1,
        created_at=now,
    )
    workspaces.add_node(tx, node)
    definition = schedules.definition_columns(
        recurrence, zone, _payload(fields, ""), _policies(fields, Policies())
    )
    schedules.add_schedule(tx, node.id, definition)
    turn.changes.append(Change("node", node.id, "created"))
    turn.changes.append(Change("schedule", node.id, "created"))
    return node


def define(
    tx: Connection,
    turn: Turn,
    row: ScheduleRow,
    fields: ScheduleFields,
    *,
    zone: str,
    revision: int,
    now: Instant,
) -> None:
    """Save over ``revision``, stamping ``zone``. Raises BadInput, Conflict over a stale revision, and Refused
    for a Running Schedule whose time has passed.

    The grid is kept where the recurrence means the same times (an Every keeps its anchor); Paused or
    Running is never touched, so no edit undoes a pause.
    """
    if revision != row.revision:
        raise Conflict(
            f"{row.name!r} was edited meanwhile: it is at revision {row.revision}, not {revision}",
            "look at the present text and save again",
        )
    load_zone(zone)
    recurrence = _recurrence(fields) or row.recurrence
    values: dict[str, object] = dict(
        schedules.definition_columns(
            recurrence, zone, _payload(fields, row.payload), _policies(fields, row.policies)
        )
    )
    if row.pause_reason == USED_UP and not same_grid(recurrence, row.recurrence):
        values["pause_reason"] = None
    if row.state is ScheduleState.RUNNING:
        values["next_due"] = _next_after_save(row, recurrence, zone, now)
    schedules.change_schedule(tx, row.id, values)
    node_values: dict[str, object] = {"revision": row.revision + 1}
    if "name" in fields:
        node_values["name"] = check_name(fields["name"])
    if "x" in fields:
        node_values["x"] = fields["x"]
    if "y" in fields:
        node_values["y"] = fields["y"]
    workspaces.change_node(tx, row.id, node_values)
    turn.changes.append(Change("node", row.id))
    turn.changes.append(Change("schedule", row.id))


def _next_after_save(row: ScheduleRow, recurrence: Recurrence, zone: str, now: Instant) -> Instant:
    if zone == row.zone and same_grid(recurrence, row.recurrence) and row.next_due is not None:
        return row.next_due
    at = next_instant(recurrence, zone, now)
    if at is None:
        raise Refused(
            "that time has passed, and this Schedule is Running",
            "choose a time in the future, or pause the Schedule first",
        )
    return at


def _recurrence(fields: ScheduleFields) -> Recurrence | None:
    return parse_recurrence(fields["recurrence"]) if "recurrence" in fields else None


def _payload(fields: ScheduleFields, present: str) -> str:
    return check_payload(fields["payload"]) if "payload" in fields else present


def _policies(fields: ScheduleFields, present: Policies) -> Policies:
    try:
        overlap = Overlap(fields.get("overlap", present.overlap))
        catchup = Catchup(fields.get("catchup", present.catchup))
    except ValueError as error:
        raise BadInput(str(error), "overlap is coalesce or replace; catchup is none or latest") from None
    grace_ms, limit_ms = present.misfire_grace_ms, present.pending_limit_ms
    if "misfire_grace_s" in fields:
        grace_ms = _milliseconds(fields["misfire_grace_s"])
    if "pending_limit_s" in fields:
        limit = fields["pending_limit_s"]
        limit_ms = None if limit is None else _milliseconds(limit)
    policies = Policies(overlap, catchup, grace_ms, limit_ms)
    policies.check()
    return policies


def _milliseconds(seconds: float) -> int:
    try:
        return round(seconds * 1000)
    except OverflowError:
        raise BadInput(f"{seconds:g} s is out of range", "give less") from None


def _default_once(now: Instant, zone: str) -> Once:
    """Tomorrow at nine, on the clock of that zone (K15)."""
    tomorrow = to_local(now, load_zone(zone)).date() + timedelta(days=1)
    return Once(datetime(tomorrow.year, tomorrow.month, tomorrow.day, 9))

"""Joining two Nodes and parting them within a transaction, so that several may be done as one."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from kavor.domain.errors import NotFound, Refused
from kavor.domain.graph import NodeKind, check_pair
from kavor.domain.guardrails import Guardrail, parse_guardrail
from kavor.domain.instant import Instant
from kavor.domain.schedule import ScheduleState
from kavor.runtime.environment import tell_terminals, variable_of
from kavor.runtime.events import Change
from kavor.runtime.find import find_node
from kavor.runtime.turn import Turn
from kavor.store import schedules, workspaces
from kavor.store.workspaces import ConnectionRow, NodeRow


def connect(
    tx: Connection,
    turn: Turn,
    one: str,
    other: str,
    *,
    environment_name: str | None = None,
    guardrail: str | None = None,
    now: Instant,
) -> ConnectionRow:
    """Join two Nodes. Of a pair that is joined already another variable or Guardrail may be chosen so; what
    is None stays as it is, and the Guardrail "none" takes one away.

    Raises Refused or BadInput.
    """
    a, b = find_node(tx, one), find_node(tx, other)
    check_pair(a.id, a.kind, b.id, b.kind)
    if a.workspace_id != b.workspace_id:
        raise Refused(
            f"{a.name!r} and {b.name!r} are in different Workspaces", "connect Nodes of one Workspace"
        )
    present = workspaces.connection_between(tx, a.id, b.id)
    rule = present.guardrail if present is not None else None
    if guardrail is not None:
        rule = parse_guardrail(guardrail, a.kind, b.kind)
    if present is None:
        return _join(tx, turn, a, b, variable_of(tx, a, b, environment_name), rule, now)
    variable = present.environment_name
    if environment_name not in (None, variable):
        variable = variable_of(tx, a, b, environment_name)
    if (variable, rule) != (present.environment_name, present.guardrail):
        workspaces.change_connection(tx, present.id, environment_name=variable, guardrail=rule)
        turn.changes.append(Change("connection", str(present.id)))
    if variable != present.environment_name:
        tell_terminals(tx, turn, a.id, b.id)
    return _between(tx, a, b)


def _join(
    tx: Connection,
    turn: Turn,
    a: NodeRow,
    b: NodeRow,
    variable: str | None,
    guardrail: Guardrail | None,
    now: Instant,
) -> ConnectionRow:
    schedule = next((node for node in (a, b) if node.kind is NodeKind.SCHEDULE), None)
    if schedule is not None:
        _check_has_no_target(tx, schedule)
    workspaces.add_connection(
        tx,
        a.id,
        b.id,
        schedule_id=schedule.id if schedule else None,
        environment_name=variable,
        guardrail=guardrail,
        created_at=now,
    )
    made = _between(tx, a, b)
    turn.changes.append(Change("connection", str(made.id), "created"))
    tell_terminals(tx, turn, a.id, b.id)
    if schedule is not None:
        turn.changes.append(Change("schedule", schedule.id))
    return made


def _check_has_no_target(tx: Connection, schedule: NodeRow) -> None:
    held = workspaces.target_of(tx, schedule.id)
    if held is not None:
        target = workspaces.node(tx, held)
        raise Refused(
            f"{schedule.name!r} has a target already: {target.name if target else held!r}",
            "a Schedule has one direct target; disconnect that one first",
        )


def disconnect(tx: Connection, turn: Turn, one: str, other: str) -> ConnectionRow:
    """Taking a Running Schedule's target away pauses it, with the reason kept (decision 2). Raises NotFound.

    What of that Schedule waits for the target is the caller's to withdraw.
    """
    a, b = find_node(tx, one), find_node(tx, other)
    row = workspaces.connection_between(tx, a.id, b.id)
    if row is None:
        raise NotFound(f"{a.name!r} and {b.name!r} are not connected", "kavor node show lists them")
    tell_terminals(tx, turn, a.id, b.id)
    workspaces.remove_connection(tx, row.id)
    if row.schedule_id is not None:
        target = b if row.schedule_id == a.id else a
        pause_without_target(tx, turn, row.schedule_id, target.name, "disconnected")
    turn.changes.append(Change("connection", str(row.id), "removed"))
    return row


def pause_without_target(
    tx: Connection, turn: Turn, schedule_id: str, target_name: str, what_happened: str
) -> None:
    """Pause a Running Schedule whose target is gone, with the reason (K+2)."""
    row = schedules.schedule(tx, schedule_id)
    if row is not None and row.state is ScheduleState.RUNNING:
        schedules.pause(tx, schedule_id, f"its target {target_name!r} was {what_happened}")
    turn.changes.append(Change("schedule", schedule_id))


def _between(tx: Connection, a: NodeRow, b: NodeRow) -> ConnectionRow:
    row = workspaces.connection_between(tx, a.id, b.id)
    assert row is not None, "these two were just joined"
    return row

"""The ledger: every attempt, in the state that was observed, written before anything is delivered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from kavor.domain.attempts import AT_WORK, OPEN, AttemptState, Trigger, check_transition
from kavor.domain.instant import Instant
from kavor.domain.slot import Line, Waiting
from kavor.store.driver import execute, execute_many, select, select_value
from kavor.store.tables import attempts, evidence


@dataclass(frozen=True)
class AttemptRow:
    id: int
    schedule_id: str
    schedule_name: str
    target_id: str | None
    target_name: str | None
    trigger: Trigger
    nominal_at: Instant | None
    created_at: Instant
    delivered_at: Instant | None
    finished_at: Instant | None
    state: AttemptState
    diagnostic: str
    exit_code: int | None
    missed_count: int | None
    holder_id: int | None
    expires_at: Instant | None
    dismissed_at: Instant | None
    duration_ms: int | None
    payload: str


@dataclass(frozen=True)
class EvidenceRow:
    output: str
    truncated: bool
    tool_calls: list[dict[str, str]]
    """Of an agent: title, kind and status of each, oldest first."""


class Scheduled(Protocol):
    """What an attempt keeps of its Schedule as it was then."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def payload(self) -> str: ...


class NewAttempt(NamedTuple):
    """A row about to be written. A plain tuple: a claim writes thousands."""

    id: int
    schedule_id: str
    schedule_name: str
    target_id: str | None
    target_name: str | None
    trigger: str
    nominal_at: Instant | None
    created_at: Instant
    delivered_at: Instant | None
    state: str
    diagnostic: str
    payload: str
    # What an attempt that is delivered at once does not have: the last ones, so that they can be left out.
    finished_at: Instant | None = None
    missed_count: int | None = None
    holder_id: int | None = None
    expires_at: Instant | None = None


def new_attempt(
    attempt_id: int,
    schedule: Scheduled,
    target: tuple[str | None, str | None],
    trigger: Trigger,
    state: AttemptState,
    now: Instant,
    *,
    nominal_at: Instant | None = None,
    diagnostic: str = "",
    missed_count: int | None = None,
    holder_id: int | None = None,
    pending_limit_ms: int | None = None,
) -> NewAttempt:
    """An attempt as it is recorded at ``now`` in its first state; ``target`` is an id and a name."""
    at_once = state is AttemptState.DELIVERING
    waits = state is AttemptState.PENDING
    return NewAttempt(
        attempt_id,
        schedule.id,
        schedule.name,
        target[0],
        target[1],
        # Plain strings, since the driver is slow to bind a member of an enumeration.
        str(trigger),
        nominal_at,
        now,
        now if at_once else None,
        str(state),
        diagnostic,
        schedule.payload,
        None if at_once or waits else now,
        missed_count,
        holder_id,
        Instant(now + pending_limit_ms) if waits and pending_limit_ms is not None else None,
    )


def _insert_into(columns: Sequence[str]) -> str:
    names = ", ".join(f'"{name}"' for name in columns)
    return f"INSERT INTO attempts ({names}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608


_ALL = NewAttempt._fields
_FIRST_ONES = len(_ALL) - len(NewAttempt._field_defaults)
_NOTHING_MORE = (None,) * len(NewAttempt._field_defaults)
_INSERT = _insert_into(_ALL)
_INSERT_FIRST_ONES = _insert_into(_ALL[:_FIRST_ONES])


def next_id(tx: Connection) -> int:
    """The id after the highest ever given out, removed rows included."""
    highest = select_value(tx, "SELECT seq FROM sqlite_sequence WHERE name = 'attempts'")
    return int(highest or 0) + 1


def insert(tx: Connection, rows: Sequence[NewAttempt]) -> None:
    """Record attempts, all or none. Raises IntegrityError where the schema's rules forbid one."""
    # The driver takes longer over a NULL than SQLite over the whole column, so most rows do without.
    few = [row[:_FIRST_ONES] for row in rows if row[_FIRST_ONES:] == _NOTHING_MORE]
    execute_many(tx, _INSERT_FIRST_ONES, few)
    if len(few) < len(rows):
        execute_many(tx, _INSERT, [row for row in rows if row[_FIRST_ONES:] != _NOTHING_MORE])


def already_claimed(tx: Connection, now: Instant) -> set[tuple[str, Instant]]:
    """(Schedule, nominal instant) of due Schedules that have a scheduled attempt already.

    Empty unless a clock went back: then what was claimed is passed over (decision 7).
    """
    rows = select(
        tx,
        "SELECT a.schedule_id, a.nominal_at FROM schedules s JOIN attempts a"
        " ON a.schedule_id = s.node_id AND a.nominal_at >= s.next_due AND a.\"trigger\" = 'scheduled'"
        " WHERE s.next_due IS NOT NULL AND s.next_due <= ?",
        (now,),
    )
    return {(row[0], row[1]) for row in rows}


_LINES = "SELECT target_id, id, schedule_id, state FROM attempts WHERE state = 'Pending'"
_WORK = (
    "SELECT target_id, id, schedule_id, state FROM attempts WHERE state IN ('Delivering', 'Needs attention')"
)

_MESSAGES = (
    "SELECT DISTINCT agent_id FROM messages WHERE state = 'queued'",
    "SELECT agent_id FROM messages WHERE state IN ('delivering', 'needs attention')",
)


def lines(tx: Connection, target_id: str | None = None) -> dict[str, Line]:
    """What each target has before it; of one target where it is named."""
    found: dict[str, Line] = {}
    only = " AND {} = ?" if target_id is not None else ""
    arguments = (target_id,) if target_id is not None else ()
    # Four queries, since each is answered by its own partial index.
    for query in (_LINES, _WORK):
        for target, attempt_id, schedule_id, state in select(tx, query + only.format("target_id"), arguments):
            line = found.setdefault(target, Line())
            if state == AttemptState.PENDING:
                line.waiting = Waiting(attempt_id, schedule_id)
            else:
                line.at_work = attempt_id
    for query in _MESSAGES:
        for (agent,) in select(tx, query + only.format("agent_id"), arguments):
            found.setdefault(agent, Line()).messages = True
    return found


def move(tx: Connection, attempt_id: int, state: AttemptState, **values: Any) -> None:
    """Take an attempt to ``state``, checked against the ways the contract knows."""
    old = AttemptState(select_value(tx, "SELECT state FROM attempts WHERE id = ?", (attempt_id,)))
    check_transition(old, state)
    note(tx, attempt_id, state=state, **values)


def note(tx: Connection, attempt_id: int, **values: Any) -> None:
    """Write something about an attempt without taking it to another state."""
    columns = ", ".join(f"{name} = ?" for name in values)
    execute(
        tx,
        f"UPDATE attempts SET {columns} WHERE id = ?",  # noqa: S608 - names of columns, never data
        (*values.values(), attempt_id),
    )


def keep_evidence(
    tx: Connection, attempt_id: int, output: str, *, truncated: bool, tool_calls: str | None = None
) -> None:
    """``tool_calls`` is a JSON list of them, of an agent."""
    execute(
        tx,
        "INSERT OR REPLACE INTO evidence (attempt_id, output, truncated, tool_calls) VALUES (?, ?, ?, ?)",
        (attempt_id, output.encode(), truncated, tool_calls),
    )


def evidence_of(tx: Connection, attempt_id: int) -> EvidenceRow | None:
    row = tx.execute(sa.select(evidence).where(evidence.c.attempt_id == attempt_id)).first()
    if row is None:
        return None
    return EvidenceRow(row.output.decode(), bool(row.truncated), json.loads(row.tool_calls or "[]"))


_FIELDS = [field.name for field in fields(AttemptRow)]
_QUOTED_FIELDS = ", ".join(f'"{name}"' for name in _FIELDS)
_ATTEMPT = f"SELECT {_QUOTED_FIELDS} FROM attempts WHERE id = ?"  # noqa: S608 - names of columns


def _attempt(values: dict[str, Any]) -> AttemptRow:
    return AttemptRow(
        **{**values, "state": AttemptState(values["state"]), "trigger": Trigger(values["trigger"])}
    )


def attempt(tx: Connection, attempt_id: int) -> AttemptRow | None:
    rows = select(tx, _ATTEMPT, (attempt_id,))
    return _attempt(dict(zip(_FIELDS, rows[0], strict=True))) if rows else None


def list_attempts(
    tx: Connection,
    *,
    schedule_id: str | None = None,
    target_id: str | None = None,
    states: Iterable[AttemptState] | None = None,
    since: Instant | None = None,
    ids: Iterable[int] | None = None,
    limit: int | None = None,
) -> list[AttemptRow]:
    """Newest first. ``since`` is compared with the time of recording."""
    query = sa.select(attempts).order_by(attempts.c.id.desc())
    if schedule_id is not None:
        query = query.where(attempts.c.schedule_id == schedule_id)
    if target_id is not None:
        query = query.where(attempts.c.target_id == target_id)
    if states is not None:
        query = query.where(attempts.c.state.in_([str(state) for state in states]))
    if since is not None:
        query = query.where(attempts.c.created_at >= since)
    if ids is not None:
        query = query.where(attempts.c.id.in_(list(ids)))
    if limit is not None:
        query = query.limit(limit)
    return [_attempt(row._asdict()) for row in tx.execute(query)]


def last_attempts(tx: Connection, schedule_ids: Iterable[str]) -> dict[str, AttemptRow]:
    """The newest attempt of each of these Schedules that has one."""
    newest = (
        sa.select(sa.func.max(attempts.c.id))
        .where(attempts.c.schedule_id.in_(list(schedule_ids)))
        .group_by(attempts.c.schedule_id)
    )
    rows = tx.execute(sa.select(attempts).where(attempts.c.id.in_(newest)))
    return {row.schedule_id: _attempt(row._asdict()) for row in rows}


def open_attempts(tx: Connection, target_id: str | None = None) -> list[AttemptRow]:
    """Attempts that are not over, newest first."""
    return list_attempts(tx, target_id=target_id, states=OPEN)


def at_work(tx: Connection) -> list[AttemptRow]:
    """Attempts that were being delivered or waited for an answer."""
    return list_attempts(tx, states=AT_WORK)


def missed_after(tx: Connection, now: Instant) -> list[AttemptRow]:
    """Missed attempts whose instant lies ahead: a clock was set back since."""
    query = sa.select(attempts).where(attempts.c.state == AttemptState.MISSED, attempts.c.nominal_at > now)
    return [_attempt(row._asdict()) for row in tx.execute(query)]


def claimed_after(tx: Connection, schedule_id: str, now: Instant) -> set[Instant]:
    """Nominal instants of a Schedule that lie ahead and have their scheduled attempt already."""
    rows = tx.execute(
        sa.select(attempts.c.nominal_at).where(
            attempts.c.schedule_id == schedule_id,
            attempts.c.nominal_at > now,
            attempts.c.trigger == Trigger.SCHEDULED,
        )
    )
    return {row.nominal_at for row in rows}


def is_claimed(tx: Connection, schedule_id: str, nominal_at: Instant) -> bool:
    """Whether a nominal instant of a Schedule has its scheduled attempt already."""
    found = select_value(
        tx,
        "SELECT 1 FROM attempts WHERE schedule_id = ? AND nominal_at = ? AND \"trigger\" = 'scheduled'",
        (schedule_id, nominal_at),
    )
    return found is not None


def take_back(tx: Connection, attempt_id: int) -> None:
    """Remove a Missed attempt that a wrong clock recorded."""
    tx.execute(attempts.delete().where(attempts.c.id == attempt_id, attempts.c.state == AttemptState.MISSED))


def newest_record(tx: Connection) -> Instant | None:
    """When the latest attempt was recorded, by the clock of that moment."""
    found: Instant | None = tx.execute(
        sa.select(attempts.c.created_at).order_by(attempts.c.id.desc()).limit(1)
    ).scalar()
    return found


def next_expiry(tx: Connection) -> Instant | None:
    """When the next waiting attempt reaches its pending limit."""
    found: Instant | None = select_value(tx, "SELECT min(expires_at) FROM attempts WHERE state = 'Pending'")
    return found


def expired(tx: Connection, now: Instant) -> list[AttemptRow]:
    """Waiting attempts whose pending limit has passed."""
    rows = tx.execute(
        sa.select(attempts).where(attempts.c.state == AttemptState.PENDING, attempts.c.expires_at <= now)
    )
    return [_attempt(row._asdict()) for row in rows]

"""What is due, claimed once.

A claim is one transaction: every Schedule with an instant at or before now gets its attempt, in the
state that is true at once (Delivering, Pending, Blocked, Missed or Coalesced), and its next due
instant. Nothing here waits or knows of an event loop, so a simulation plays months in seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy.engine import Connection

from kavor.domain.attempts import AttemptState, Trigger
from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant
from kavor.domain.recurrence import count_between, latest_between
from kavor.domain.schedule import Catchup, Overlap
from kavor.domain.slot import Line, place
from kavor.domain.zones import load_zone
from kavor.runtime.clock import Clock
from kavor.runtime.events import Change
from kavor.runtime.failpoints import reach
from kavor.runtime.planning import USED_UP, following
from kavor.runtime.targets import WORKSPACE_GONE, LookAtDirectories, TargetBoard, TargetState
from kavor.runtime.turn import Delivery, Turn
from kavor.store import ledger, schedules, workspaces
from kavor.store.database import Store
from kavor.store.ledger import NewAttempt
from kavor.store.schedules import DueRow

log = logging.getLogger(__name__)

NO_TARGET = "no target is connected"


class Dispatcher:
    """Belongs to the store's thread."""

    def __init__(
        self, store: Store, clock: Clock, targets: TargetBoard, directories: LookAtDirectories
    ) -> None:
        self._store = store
        self._clock = clock
        self._targets = targets
        self._directories = directories

    def claim_due(self) -> Turn:
        """Claim every instant that has come. Raises StorageFailed with nothing claimed."""
        now = self._clock.now()
        with self._store.reading() as view:
            first = schedules.next_due(view)
        if first is None or first > now:
            return Turn()
        reach("claim:begun")
        with self._store.transaction() as tx:
            turn = _Claim(tx, now, self._targets, self._directories).run()
        reach("claim:committed")
        return turn

    def look_ahead(self) -> None:
        """Work out, shortly before the next instant, what will follow it. Raises StorageFailed.

        Nothing is decided or kept of what is due: a claim reads all of it anew, and finds only that it has
        less to work out, and the database's pages at hand.
        """
        with self._store.reading() as view:
            first = schedules.next_due(view)
            if first is None:
                return
            coming = schedules.due(view, first)
            # One that does not answer is known by then, and the claim does not wait for it.
            _look_at_directories(view, coming, self._directories)
            for due in coming:
                if self._clock.now() >= first:
                    return  # the claim itself waits for this thread
                with suppress(BadInput):
                    following(due.recurrence, load_zone(due.zone), due.next_due)

    def next_wake(self) -> Instant | None:
        """When the store next has something due: an occurrence, or the end of a pending limit."""
        with self._store.reading() as view:
            coming = [at for at in (schedules.next_due(view), ledger.next_expiry(view)) if at is not None]
        return min(coming, default=None)


class _Passed(NamedTuple):
    """The instants of one Schedule that have come; the same for all that share its recurrence."""

    timely: list[Instant]
    missed: int
    newest_missed: Instant | None
    next_at: Instant | None
    fault: str | None
    """Why there is no next one, where the zone is at fault."""


_Arrival = tuple[Instant, DueRow, int | None]
"""A nominal instant that is to be placed at its Schedule's target. On a catch-up, beside it, how many missed
instants it stands for."""

_OVERLAPS = {str(overlap): overlap for overlap in Overlap}


class _Claim:
    """One claim, while it is being made."""

    def __init__(
        self, tx: Connection, now: Instant, targets: TargetBoard, directories: LookAtDirectories
    ) -> None:
        self._tx = tx
        self._now = now
        self._targets = targets
        self._lines = ledger.lines(tx)
        self._next_id = ledger.next_id(tx)
        self._claimed = ledger.already_claimed(tx, now)
        self._due = schedules.due(tx, now)
        self._is_there = _look_at_directories(tx, self._due, directories)
        self._passed_by: dict[tuple[str, str, Instant, int], _Passed] = {}
        self._rows: dict[int, NewAttempt] = {}
        self._turn = Turn()

    def run(self) -> Turn:
        planned: list[tuple[Instant, str]] = []
        paused: list[tuple[str, str]] = []
        arrivals: list[_Arrival] = []
        for due in self._due:
            passed = self._passed(due)
            arrivals += self._sort_out(due, passed)
            if passed.next_at is not None:
                planned.append((passed.next_at, due.id))
            else:
                paused.append((_why_paused(due, passed), due.id))
            self._turn.changes.append(Change("schedule", due.id))
        # In the order of their instants, whichever Schedule they belong to: the first takes the line.
        for nominal, due, stands_for in sorted(arrivals, key=lambda arrival: (arrival[0], arrival[1].id)):
            self._arrive(nominal, due, stands_for)
        schedules.plan_next(self._tx, planned)
        schedules.pause_many(self._tx, paused)
        reach("claim:planned")
        ledger.insert(self._tx, list(self._rows.values()))
        reach("claim:inserted")
        self._turn.changes += [Change("attempt", str(number), "created") for number in self._rows]
        return self._turn

    def _passed(self, due: DueRow) -> _Passed:
        """What has come of a Schedule. Worked out once for all that have the same grid and are due alike."""
        key = (due.recurrence, due.zone, due.next_due, due.misfire_grace_ms)
        passed = self._passed_by.get(key)
        if passed is None:
            passed = self._passed_by[key] = self._look_back(due)
        return passed

    def _look_back(self, due: DueRow) -> _Passed:
        """The instants up to now by how late they are, and the one that follows."""
        in_time = Instant(self._now - due.misfire_grace_ms)
        try:
            zone = load_zone(due.zone)
        except BadInput as error:
            late = due.next_due < in_time
            return _Passed(
                timely=[] if late else [due.next_due],
                missed=int(late),
                newest_missed=due.next_due if late else None,
                next_at=None,
                fault=error.message,
            )
        # The due instant was promised: it counts even where newer zone data no longer has it.
        timely = [due.next_due] if due.next_due >= in_time else []
        next_at = following(due.recurrence, zone, Instant(max(due.next_due, in_time - 1)))
        while next_at is not None and next_at <= self._now:
            timely.append(next_at)
            next_at = following(due.recurrence, zone, next_at)
        missed, newest = 0, None
        if due.next_due < in_time:
            span = (schedules.read_recurrence(due.recurrence), zone, due.next_due, Instant(in_time - 1))
            missed = 1 + count_between(*span)
            later = latest_between(*span)
            newest = due.next_due if later is None else later
        return _Passed(timely, missed, newest, next_at, None)

    def _sort_out(self, due: DueRow, passed: _Passed) -> list[_Arrival]:
        """Record what came too late as one Missed row (K63); answer what is to be placed."""
        arrivals: list[_Arrival] = [
            (at, due, None) for at in passed.timely if (due.id, at) not in self._claimed
        ]
        newest = passed.newest_missed
        if newest is None or (due.id, newest) in self._claimed:
            return arrivals
        if due.catchup == Catchup.LATEST and not arrivals:
            return [(newest, due, passed.missed)]
        late = timedelta(seconds=(self._now - newest) // 1000)
        self._record(
            due,
            newest,
            AttemptState.MISSED,
            diagnostic=f"the runtime could not claim it in time: {late} late",
            missed_count=passed.missed,
        )
        return arrivals

    def _arrive(self, nominal: Instant, due: DueRow, stands_for: int | None) -> None:
        target = self._targets.state(due.target_id) if due.target_id is not None else None
        blocked = self._blocked_because(due, target)
        if blocked or due.target_id is None or target is None:
            self._record(due, nominal, AttemptState.BLOCKED, diagnostic=blocked, missed_count=stands_for)
            return
        is_there = self._is_there.get(due.workspace_id)
        self._targets.saw_directory(due.target_id, is_there)
        if is_there is None:
            self._turn.stuck.append(due.target_id)
        placement = place(
            self._lines.setdefault(due.target_id, Line()),
            ready=target.ready and is_there is True,
            attempt_id=self._next_id,
            schedule_id=due.id,
            overlap=_OVERLAPS[due.overlap],
        )
        if placement.replaces is not None:
            self._put_out(placement.replaces, by=self._next_id)
        diagnostic = ""
        if placement.holder is not None:
            diagnostic = f"attempt {placement.holder} holds the target's slot"
        elif stands_for is not None:
            diagnostic = "caught up: it was missed, and this Schedule asks for the latest"
        attempt_id = self._record(
            due,
            nominal,
            placement.state,
            diagnostic=diagnostic,
            missed_count=stands_for,
            holder_id=placement.holder,
        )
        if placement.state is AttemptState.DELIVERING:
            self._turn.deliveries.append(Delivery(attempt_id, due.target_id, due.payload))

    def _blocked_because(self, due: DueRow, target: TargetState | None) -> str:
        if target is None:
            return NO_TARGET
        if self._is_there.get(due.workspace_id) is False:
            return WORKSPACE_GONE
        return target.closed_because

    def _put_out(self, attempt_id: int, *, by: int) -> None:
        """Take a waiting attempt out of its slot in favour of a newer one of the same Schedule."""
        diagnostic = f"attempt {by}, a newer one of this Schedule, took the slot"
        row = self._rows.get(attempt_id)
        if row is not None:
            self._rows[attempt_id] = row._replace(
                state=str(AttemptState.COALESCED),
                holder_id=by,
                diagnostic=diagnostic,
                finished_at=self._now,
                expires_at=None,
            )
            return
        ledger.move(
            self._tx,
            attempt_id,
            AttemptState.COALESCED,
            holder_id=by,
            diagnostic=diagnostic,
            finished_at=self._now,
        )
        self._turn.changes.append(Change("attempt", str(attempt_id)))

    def _record(
        self,
        due: DueRow,
        nominal: Instant,
        state: AttemptState,
        *,
        diagnostic: str = "",
        missed_count: int | None = None,
        holder_id: int | None = None,
    ) -> int:
        attempt_id = self._next_id
        self._next_id += 1
        self._rows[attempt_id] = ledger.new_attempt(
            attempt_id,
            due,
            (due.target_id, due.target_name),
            Trigger.SCHEDULED,
            state,
            self._now,
            nominal_at=nominal,
            diagnostic=diagnostic,
            missed_count=missed_count,
            holder_id=holder_id,
            pending_limit_ms=due.pending_limit_ms,
        )
        return attempt_id


def _look_at_directories(
    view: Connection, coming: Sequence[DueRow], directories: LookAtDirectories
) -> dict[str, bool | None]:
    """By Workspace, of those in which something is due: whether it can be worked in."""
    wanted = {due.workspace_id for due in coming}
    paths = {place: path for place, path in workspaces.directories(view).items() if place in wanted}
    found = directories(set(paths.values()))
    return {place: found[path] for place, path in paths.items()}


def _why_paused(due: DueRow, passed: _Passed) -> str:
    """Why nothing more is due of a Schedule."""
    if passed.fault is None:
        return USED_UP
    log.warning("schedule %s is paused: %s", due.id, passed.fault)
    return passed.fault

"""When a Schedule comes next, and planning anew when the zone data has changed or a clock was set back."""

from __future__ import annotations

import logging
from functools import lru_cache
from zoneinfo import ZoneInfo

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant
from kavor.domain.recurrence import Recurrence, count_between, instants, latest_between, next_due
from kavor.domain.schedule import ScheduleState
from kavor.domain.zones import DAY_MS, known_zones, load_zone, tzdata_version
from kavor.runtime.events import Change
from kavor.runtime.turn import Turn
from kavor.store import ledger, schedules, workspaces
from kavor.store.ledger import AttemptRow

log = logging.getLogger(__name__)

TZDATA = "tzdata"

USED_UP = "its one time is used up"
"""Why a Once is Paused after its occurrence was claimed (K47)."""


def next_instant(recurrence: Recurrence, zone: str, after: Instant) -> Instant | None:
    """The first occurrence after an instant. Raises BadInput for a zone that the zone data does not know."""
    return next_due(recurrence, load_zone(zone), after)


@lru_cache(maxsize=16_384)
def following(recurrence: str, zone: ZoneInfo, after: Instant) -> Instant | None:
    """The first instant after another, of a recurrence as it is stored.

    Worked out once for all who ask alike: it depends on nothing but what is asked. Zone data that was loaded
    anew is another zone here, so an answer cannot be of older data.
    """
    return next_due(schedules.read_recurrence(recurrence), zone, after)


def replan_for_zone_data(tx: Connection, now: Instant) -> None:
    """Where the zone data is of another version than the stored instants, work the coming ones out anew.

    An instant that has passed stays: it was promised. A zone that is gone pauses its Schedules, with
    the reason; it never becomes UTC in silence.
    """
    version = tzdata_version()
    if workspaces.fact(tx, TZDATA) == version:
        return
    for row in schedules.list_schedules(tx, state=ScheduleState.RUNNING):
        if row.next_due is None or row.next_due <= now:
            continue
        try:
            at = next_instant(row.recurrence, row.zone, now)
        except BadInput as error:
            log.warning("schedule %s is paused: %s", row.id, error.message)
            schedules.pause(tx, row.id, error.message)
            continue
        if at != row.next_due:
            log.info("schedule %s: tzdata %s moves the next occurrence", row.id, version)
            schedules.change_schedule(tx, row.id, {"next_due": at})
    workspaces.set_fact(tx, TZDATA, version)


def replan_after_set_back(tx: Connection, now: Instant, turn: Turn) -> None:
    """Plan from the present after the clock was set back (decision 7).

    What was claimed under the later clock stays claimed and is passed over, so that nothing fires twice.
    A Missed row whose instants lie ahead again is taken back; a Once that it had used up runs again. So a
    time recorded by a wrong clock silences nothing. What is due by this clock too is left to be claimed.
    """
    for row in ledger.missed_after(tx, now):
        _take_back(tx, row, now, turn)
    for schedule in schedules.list_schedules(tx, state=ScheduleState.RUNNING):
        if schedule.next_due is not None and schedule.next_due <= now:
            continue
        try:
            zone = load_zone(schedule.zone)
        except BadInput as error:
            schedules.pause(tx, schedule.id, error.message)
            continue
        claimed = ledger.claimed_after(tx, schedule.id, now)
        coming = instants(schedule.recurrence, zone, now)
        at = next((instant for instant in coming if instant not in claimed), None)
        if at is None:
            schedules.pause(tx, schedule.id, USED_UP)
        elif at != schedule.next_due:
            schedules.change_schedule(tx, schedule.id, {"next_due": at})
        turn.changes.append(Change("schedule", schedule.id))


def _latest_until(recurrence: Recurrence, zone: ZoneInfo, until: Instant) -> Instant | None:
    """The last instant since 1970 that is not after another, looked for near it first."""
    span = DAY_MS
    while True:
        after = Instant(max(until - span, 0))
        latest = latest_between(recurrence, zone, after, until)
        if latest is not None or after == 0:
            return latest
        span *= 8


def _take_back(tx: Connection, row: AttemptRow, now: Instant, turn: Turn) -> None:
    """Let a Missed row stand for the instants alone that are still past."""
    assert row.nominal_at is not None
    schedule = schedules.schedule(tx, row.schedule_id)
    ahead, newest = row.missed_count or 1, None
    if schedule is not None and schedule.zone in known_zones():
        zone = load_zone(schedule.zone)
        ahead = count_between(schedule.recurrence, zone, now, row.nominal_at)
        newest = _latest_until(schedule.recurrence, zone, now)
    left = (row.missed_count or 1) - ahead
    # The Schedule may have been edited since: an instant that has its own row is not also a missed one.
    if left > 0 and newest is not None and not ledger.is_claimed(tx, row.schedule_id, newest):
        ledger.note(tx, row.id, nominal_at=newest, missed_count=left)
        turn.attempt_changed(row.id, row.schedule_id)
    else:
        ledger.take_back(tx, row.id)
        turn.changes.append(Change("attempt", str(row.id), "removed"))
    log.warning("the clock was set back: attempt %d, Missed, is taken back (%d of its times)", row.id, ahead)
    if schedule is not None and schedule.state is ScheduleState.PAUSED and schedule.pause_reason == USED_UP:
        schedules.change_schedule(
            tx,
            schedule.id,
            {"state": ScheduleState.RUNNING, "pause_reason": None, "next_due": row.nominal_at},
        )

"""When a Schedule comes next, and planning anew when the zone data has changed."""

from __future__ import annotations

import logging

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant
from kavor.domain.recurrence import Recurrence, next_due
from kavor.domain.schedule import ScheduleState
from kavor.domain.zones import load_zone, tzdata_version
from kavor.store import schedules, workspaces

log = logging.getLogger(__name__)

TZDATA = "tzdata"


def next_instant(recurrence: Recurrence, zone: str, after: Instant) -> Instant | None:
    """The first occurrence after an instant. Raises BadInput for a zone that the zone data does not know."""
    return next_due(recurrence, load_zone(zone), after)


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

"""The next occurrences of a Schedule, worked out here by the rules the runtime fires by."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from zoneinfo import ZoneInfo

from kavor.canvas.things import Schedule
from kavor.domain.errors import KavorError
from kavor.domain.instant import Instant
from kavor.domain.recurrence import Occurrence, Recurrence, occurrences, parse_recurrence
from kavor.domain.zones import load_zone, to_local


@dataclass(frozen=True)
class Coming:
    """``local`` is in the viewer's zone; the occurrence knows what bent it, where something did (X1)."""

    at: Instant
    local: datetime
    occurrence: Occurrence


def now() -> Instant:
    return Instant(time.time_ns() // 1_000_000)


def coming(schedule: Schedule, viewer_zone: ZoneInfo, count: int, after: Instant) -> list[Coming]:
    """At most ``count``; fewer where it ends, none where the stored zone or recurrence is not known here."""
    try:
        recurrence = parse_recurrence(schedule.recurrence, may_be_empty=True)
        return times_of(recurrence, load_zone(schedule.zone), viewer_zone, count, after)
    except KavorError:
        return []


def times_of(
    recurrence: Recurrence, zone: ZoneInfo, viewer_zone: ZoneInfo, count: int, after: Instant
) -> list[Coming]:
    """Of a recurrence that is perhaps not saved yet, meant in ``zone``."""
    found = islice(occurrences(recurrence, zone, after), count)
    return [Coming(each.at, to_local(each.at, viewer_zone), each) for each in found]

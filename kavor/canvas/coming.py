"""The next occurrences of a Schedule, and what an edit does to them, worked out here by the rules the runtime
fires by."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from itertools import islice
from zoneinfo import ZoneInfo

from kavor.canvas.things import Schedule
from kavor.domain.errors import KavorError
from kavor.domain.instant import Instant
from kavor.domain.recurrence import Occurrence, Recurrence, next_occurrence, occurrences, parse_recurrence
from kavor.domain.zones import load_zone, to_local


@dataclass(frozen=True)
class Coming:
    """``local`` is in the viewer's zone; the occurrence knows what bent it, where something did (X1)."""

    at: Instant
    local: datetime
    occurrence: Occurrence


class Effect(Enum):
    """What an edit that is not saved yet does to a time."""

    STAYS = "stays"
    COMES = "comes"
    LEAVES = "leaves"


@dataclass(frozen=True)
class Plan:
    """A recurrence, and the zone it is meant in."""

    recurrence: Recurrence
    zone: ZoneInfo

    def names(self, at: Instant) -> bool:
        """Whether it fires then."""
        found = next_occurrence(self.recurrence, self.zone, Instant(at - 1))
        return found is not None and found.at == at


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


def effect_of_edit(
    saved: Plan | None, typed: Plan, viewer_zone: ZoneInfo, count: int, most_leaving: int, after: Instant
) -> list[tuple[Coming, Effect]]:
    """The next ``count`` times of what is typed and, among as many of what is saved, the first that would be
    no longer (at most ``most_leaving``), in order (X2)."""
    times = times_of(typed.recurrence, typed.zone, viewer_zone, count, after)
    if saved is None:
        return [(each, Effect.STAYS) for each in times]
    marked = [(each, Effect.STAYS if saved.names(each.at) else Effect.COMES) for each in times]
    before = times_of(saved.recurrence, saved.zone, viewer_zone, count, after)
    leaving = [(each, Effect.LEAVES) for each in before if not typed.names(each.at)]
    return sorted(marked + leaving[:most_leaving], key=lambda pair: pair[0].at)

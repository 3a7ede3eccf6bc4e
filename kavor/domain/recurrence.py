"""Occurrences: which instants a recurrence means in a zone.

One generator, ``_runs``, lies under everything here, so that a preview is what will fire. The rule: take
the local times in the order of the clock face and resolve each to its instant; several that land on one
instant are one occurrence. Resolving keeps order, so the search may begin at the local day of the question.

Days on which no clock changes, nearly all, cost two offset look-ups however many times they hold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from kavor.domain.cron import LAST_YEAR, Grid
from kavor.domain.forms import check_occurs, parse_recurrence, parse_recurrence_text, recurrence_to_json
from kavor.domain.instant import Instant, format_instant
from kavor.domain.kinds import Cron, Every, Once, Recurrence, parse_local, same_grid
from kavor.domain.presets import preset_fields, preset_of
from kavor.domain.zones import DAY_MS, format_local, from_wall_ms, offset_at, resolve, to_local, wall_ms

if TYPE_CHECKING:
    from kavor.domain.notes import Reason

__all__ = [
    "Cron",
    "Every",
    "Occurrence",
    "Once",
    "Recurrence",
    "check_occurs",
    "count_between",
    "instants",
    "latest_between",
    "next_due",
    "next_occurrence",
    "occurrence_json",
    "occurrences",
    "parse_local",
    "parse_recurrence",
    "parse_recurrence_text",
    "preset_fields",
    "preset_of",
    "recurrence_to_json",
    "same_grid",
]

_EPOCH_DAY = datetime(1970, 1, 1).toordinal()
# The ends of what is answered; datetime holds a year more at each end, which leaves room for offsets.
_EARLIEST = wall_ms(datetime(2, 1, 1))
_END = wall_ms(datetime(LAST_YEAR + 1, 1, 1))


class Occurrence(NamedTuple):
    """One coming time of a recurrence. What it says beyond the instant is worked out when asked for."""

    at: Instant
    recurrence: Recurrence
    zone: ZoneInfo

    @property
    def local(self) -> datetime:
        """The aware local time."""
        return to_local(self.at, self.zone)

    @property
    def reasons(self) -> list[Reason]:
        """What bent it: a clock change, a short month; a face words them in its own language."""
        from kavor.domain.notes import reasons

        return reasons(self.at, self.recurrence, self.zone)

    @property
    def note(self) -> str | None:
        """Why it is where it is, when a clock change or a short month bent it."""
        from kavor.domain.notes import note

        return note(self.at, self.recurrence, self.zone)


def occurrence_json(occurrence: Occurrence, zone: ZoneInfo | None = None) -> dict[str, object]:
    """The wire form; ``zone``, when given, is the viewer's, and ``local`` is told in it."""
    shown = zone or occurrence.zone
    return {
        "at": format_instant(occurrence.at),
        "local": format_local(occurrence.at, shown),
        "zone": shown.key,
        "note": occurrence.note,
    }


def occurrences(recurrence: Recurrence, zone: ZoneInfo, after: Instant) -> Iterator[Occurrence]:
    """Occurrences strictly after an instant, in order; empty at once for what never occurs."""
    for at in instants(recurrence, zone, after):
        yield Occurrence(at, recurrence, zone)


def next_occurrence(recurrence: Recurrence, zone: ZoneInfo, after: Instant) -> Occurrence | None:
    return next(occurrences(recurrence, zone, after), None)


def next_due(recurrence: Recurrence, zone: ZoneInfo, after: Instant) -> Instant | None:
    """The first occurrence strictly after an instant, as an instant alone."""
    for base, times in _runs(recurrence, zone, after):
        place = bisect_right(times, after - base)
        if place < len(times):
            return Instant(base + times[place])
    return None


def count_between(recurrence: Recurrence, zone: ZoneInfo, after: Instant, until: Instant) -> int:
    """How many occurrences lie after one instant and not after another."""
    return sum(end - start for start, end, _, _ in _between(recurrence, zone, after, until))


def latest_between(recurrence: Recurrence, zone: ZoneInfo, after: Instant, until: Instant) -> Instant | None:
    """The last occurrence that lies after one instant and not after another."""
    latest = None
    for _, end, base, times in _between(recurrence, zone, after, until):
        latest = Instant(base + times[end - 1])
    return latest


def instants(recurrence: Recurrence, zone: ZoneInfo, after: Instant) -> Iterator[Instant]:
    """What ``occurrences`` yields, as instants alone."""
    for base, times in _runs(recurrence, zone, after):
        for time in times[bisect_right(times, after - base) :]:
            yield Instant(base + time)
        after = Instant(max(after, base + times[-1]))


_Run = tuple[int, Sequence[int]]
"""A base and sorted distances from it: the instants of one local day, or all of an elapsed interval."""


def _between(
    recurrence: Recurrence, zone: ZoneInfo, after: Instant, until: Instant
) -> Iterator[tuple[int, int, int, Sequence[int]]]:
    """The part (start, end) of each run that lies in the span, never empty."""
    for base, times in _runs(recurrence, zone, after):
        start, end = bisect_right(times, after - base), bisect_right(times, until - base)
        if start < end:
            yield start, end, base, times
        if base + times[-1] > until:
            return
        after = Instant(max(after, base + times[-1]))


def _runs(recurrence: Recurrence, zone: ZoneInfo, after: Instant) -> Iterator[_Run]:
    """Runs in order, from one that is not wholly before ``after``; neighbours may share an instant."""
    after = Instant(max(after, _EARLIEST))
    if after >= _END + DAY_MS:
        return iter(())
    if isinstance(recurrence, Cron):
        return _cron_runs(recurrence.grid, zone, after)
    if isinstance(recurrence, Every):
        if recurrence.keeps_wall_clock:
            return _wall_clock_runs(recurrence, zone, after)
        return _elapsed_runs(recurrence, zone, after)
    return iter([(0, [resolve(recurrence.local, zone).at])])


def _cron_runs(grid: Grid, zone: ZoneInfo, after: Instant) -> Iterator[_Run]:
    if grid.never:
        return
    first = _EPOCH_DAY + (after + offset_at(after, zone)) // DAY_MS
    next_day, next_offset = 0, None
    midnight = datetime.fromordinal
    for day in grid.days_from(first):
        offset = next_offset if day == next_day else zone.utcoffset(midnight(day))
        next_day = day + 1
        next_offset = zone.utcoffset(midnight(next_day))
        start = (day - _EPOCH_DAY) * DAY_MS
        # No zone changes its offset and back within a day, so equal ends mean an even day.
        if offset == next_offset and offset is not None:
            yield start - (offset.days * 86_400 + offset.seconds) * 1_000, grid.times
        else:
            yield 0, sorted({resolve(from_wall_ms(start + time), zone).at for time in grid.times})


def _wall_clock_runs(every: Every, zone: ZoneInfo, after: Instant) -> Iterator[_Run]:
    period = every.period.days * DAY_MS
    wall = wall_ms(every.anchor)
    passed = after + offset_at(after, zone) - wall
    if passed > 0:
        wall += passed // period * period
    while wall < _END:
        yield 0, [resolve(from_wall_ms(wall), zone).at]
        wall += period


def _elapsed_runs(every: Every, zone: ZoneInfo, after: Instant) -> Iterator[_Run]:
    period = int(every.period.total_seconds()) * 1_000
    at = resolve(every.anchor, zone).at
    if after > at:
        at = Instant(at + (after - at) // period * period)
    if at < _END:
        yield at, range(0, _END - at, period)

"""Why an occurrence is where it is: one short phrase for each thing that bent it, worded here alone.

A note depends on the recurrence, the zone and the instant only, never on how one came to ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

from kavor.domain.cron import MONTHS, Grid, month_length
from kavor.domain.instant import Instant
from kavor.domain.kinds import Cron, Every, Once, Recurrence
from kavor.domain.words import enumeration, ordinal
from kavor.domain.zones import (
    DAY_MS,
    Bend,
    from_wall_ms,
    offset_at,
    offset_of,
    resolve,
    to_local,
    utc_clock,
    wall_ms,
)

_NAMED_AT_MOST = 3


def note(at: Instant, recurrence: Recurrence, zone: ZoneInfo) -> str | None:
    """What bent the occurrence at ``at``, or None."""
    if isinstance(recurrence, Every) and not recurrence.keeps_wall_clock:
        return _elapsed(at, recurrence, zone)
    reasons = [_moved(at, recurrence, zone), _repeated(at, zone)]
    if isinstance(recurrence, Cron):
        reasons.append(_short_months(at, recurrence.grid, zone))
    return "; ".join(reason for reason in reasons if reason) or None


def _moved(at: Instant, recurrence: Recurrence, zone: ZoneInfo) -> str | None:
    """Local times that the clock jumped over, and that therefore land here."""
    before, now = offset_at(Instant(at - 1), zone), offset_at(at, zone)
    if before >= now:
        return None
    missing = list(_local_times(recurrence, at + before, at + now))
    if not missing:
        return None
    landing = from_wall_ms(at + now)
    verb = "also stands for" if any(_local_times(recurrence, at + now, at + now + 1)) else "moved from"
    return f"{verb} {_times(missing, landing.date())}, clocks go forward"


def _repeated(at: Instant, zone: ZoneInfo) -> str | None:
    """The local time comes again, and is not used then."""
    local = to_local(at, zone).replace(tzinfo=None)
    resolved = resolve(local, zone)
    if resolved.bend is not Bend.REPEATED or resolved.at != at:
        return None
    again = Instant(wall_ms(local) - offset_of(local.replace(fold=1), zone))
    return f"second {local:%H:%M} not used, clocks go back (nothing at {utc_clock(again)})"


def _elapsed(at: Instant, every: Every, zone: ZoneInfo) -> str | None:
    """Elapsed time does not follow the clocks; say so on the first occurrence after they change."""
    earlier = Instant(at - every.period // timedelta(milliseconds=1))
    if earlier < resolve(every.anchor, zone).at:
        return None
    before, now = offset_at(earlier, zone), offset_at(at, zone)
    if before == now:
        return None
    direction = "forward" if now > before else "back"
    return f"clocks went {direction}; hours and minutes are elapsed time"


def _local_times(recurrence: Recurrence, start: int, end: int) -> Iterator[datetime]:
    """The local times that a recurrence names from one wall_ms up to another, whether they exist or not."""
    if isinstance(recurrence, Once):
        found = [wall_ms(recurrence.local)]
    elif isinstance(recurrence, Every):
        period, first = recurrence.period.days * DAY_MS, wall_ms(recurrence.anchor)
        found = [first + max(0, -((first - start) // period)) * period]
    else:
        first_day, last_day = from_wall_ms(start).toordinal(), from_wall_ms(end - 1).toordinal()
        days = takewhile(lambda day: day <= last_day, recurrence.grid.days_from(first_day))
        midnights = (wall_ms(datetime.fromordinal(day)) for day in days)
        found = [midnight + time for midnight in midnights for time in recurrence.grid.times]
    return (from_wall_ms(wall) for wall in found if start <= wall < end)


def _short_months(at: Instant, grid: Grid, zone: ZoneInfo) -> str | None:
    """The months just before this occurrence that lack a day it was due on."""
    today = to_local(at, zone).date()
    if grid.either or len(grid.weekdays) < 7 or len(grid.days) == 31 or today.day != grid.days[0]:
        return None
    if resolve(from_wall_ms(wall_ms(datetime.fromordinal(today.toordinal())) + grid.times[0]), zone).at != at:
        return None
    lacking: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for year, month in _months_back(today, grid):
        length = month_length(year, month)
        if grid.days[-1] > length:
            days = tuple(day for day in grid.days if day > length)
            lacking.setdefault(days, []).insert(0, (year, month))
        if grid.days[0] <= length:
            break
    phrases = (
        f"no {enumeration(map(ordinal, days), 'or')} in {_months(months)}"
        for days, months in reversed(lacking.items())
    )
    return "; ".join(phrases) or None


def _months_back(today: date, grid: Grid) -> Iterator[tuple[int, int]]:
    """The grid's months before this one, newest first, as (year, month)."""
    for year in range(today.year, 0, -1):
        for month in reversed(grid.months):
            if (year, month) < (today.year, today.month):
                yield year, month


def _months(months: Sequence[tuple[int, int]]) -> str:
    names = list(dict.fromkeys(MONTHS[month - 1] for _, month in months))
    if len(names) < len(months):
        return f"{names[0]} of {enumeration((str(year) for year, _ in months))}"
    return enumeration(names)


def _times(missing: Sequence[datetime], landing: date) -> str:
    """Times of day, with the date where it is not the one they land on."""
    words = [f"{local:%H:%M}" if local.date() == landing else f"{local:%Y-%m-%d %H:%M}" for local in missing]
    if len(words) > _NAMED_AT_MOST:
        return f"{words[0]} to {words[-1]} ({len(words)} times)"
    return enumeration(words)

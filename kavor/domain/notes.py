"""Why an occurrence is where it is: a reason for each thing that bent it, and the note that words them.

Both depend on the recurrence, the zone and the instant only, never on how one came to ask. The English words
are here alone, the Japanese ones in :mod:`kavor.domain.words_ja`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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

NAMED_AT_MOST = 3
"""Of more missing times, the first, the last and the count are told."""

Month = tuple[int, int]
"""Year and month."""


@dataclass(frozen=True)
class Moved:
    """Local times that the clock jumped over, and that therefore land here."""

    missing: tuple[datetime, ...]
    landing: date
    stands_here_too: bool
    """Whether the recurrence names the time of landing as well."""

    @property
    def times(self) -> tuple[str, ...]:
        """Of day, with the date where it is not the one they land on."""
        return tuple(
            f"{local:%H:%M}" if local.date() == self.landing else f"{local:%Y-%m-%d %H:%M}"
            for local in self.missing
        )


@dataclass(frozen=True)
class NotRepeated:
    """The local time comes again, and is not used then."""

    local: datetime
    again: Instant


@dataclass(frozen=True)
class ElapsedTime:
    """The clocks have changed since the occurrence before, and hours and minutes do not follow them."""

    forward: bool


@dataclass(frozen=True)
class NoSuchDay:
    """Days on which the occurrence was due, and that the months just before this one lack."""

    days: tuple[int, ...]
    months: tuple[Month, ...]


Reason = Moved | NotRepeated | ElapsedTime | NoSuchDay


def reasons(at: Instant, recurrence: Recurrence, zone: ZoneInfo) -> list[Reason]:
    """What bent the occurrence at ``at``; empty where nothing did."""
    if isinstance(recurrence, Every) and not recurrence.keeps_wall_clock:
        found: list[Reason | None] = [_elapsed(at, recurrence, zone)]
    else:
        found = [_moved(at, recurrence, zone), _not_repeated(at, zone)]
        if isinstance(recurrence, Cron):
            found += _short_months(at, recurrence.grid, zone)
    return [reason for reason in found if reason is not None]


def note(at: Instant, recurrence: Recurrence, zone: ZoneInfo) -> str | None:
    """The reasons in plain English, or None."""
    return "; ".join(map(_in_words, reasons(at, recurrence, zone))) or None


def _in_words(reason: Reason) -> str:
    match reason:
        case Moved():
            verb = "also stands for" if reason.stands_here_too else "moved from"
            return f"{verb} {_listed(reason.times)}, clocks go forward"
        case NotRepeated(local, again):
            return f"second {local:%H:%M} not used, clocks go back (nothing at {utc_clock(again)})"
        case ElapsedTime(forward):
            direction = "forward" if forward else "back"
            return f"clocks went {direction}; hours and minutes are elapsed time"
        case NoSuchDay(days, months):
            return f"no {enumeration(map(ordinal, days), 'or')} in {_months(months)}"


def _listed(times: Sequence[str]) -> str:
    if len(times) > NAMED_AT_MOST:
        return f"{times[0]} to {times[-1]} ({len(times)} times)"
    return enumeration(times)


def _months(months: Sequence[Month]) -> str:
    names = list(dict.fromkeys(MONTHS[month - 1] for _, month in months))
    if len(names) < len(months):
        return f"{names[0]} of {enumeration(str(year) for year, _ in months)}"
    return enumeration(names)


def _moved(at: Instant, recurrence: Recurrence, zone: ZoneInfo) -> Moved | None:
    before, now = offset_at(Instant(at - 1), zone), offset_at(at, zone)
    if before >= now:
        return None
    missing = tuple(_local_times(recurrence, at + before, at + now))
    if not missing:
        return None
    stands_here_too = any(_local_times(recurrence, at + now, at + now + 1))
    return Moved(missing, from_wall_ms(at + now).date(), stands_here_too)


def _not_repeated(at: Instant, zone: ZoneInfo) -> NotRepeated | None:
    local = to_local(at, zone).replace(tzinfo=None)
    resolved = resolve(local, zone)
    if resolved.bend is not Bend.REPEATED or resolved.at != at:
        return None
    return NotRepeated(local, Instant(wall_ms(local) - offset_of(local.replace(fold=1), zone)))


def _elapsed(at: Instant, every: Every, zone: ZoneInfo) -> ElapsedTime | None:
    """Told on the first occurrence after the clocks have changed."""
    earlier = Instant(at - every.period // timedelta(milliseconds=1))
    if earlier < resolve(every.anchor, zone).at:
        return None
    before, now = offset_at(earlier, zone), offset_at(at, zone)
    return None if before == now else ElapsedTime(forward=now > before)


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


def _short_months(at: Instant, grid: Grid, zone: ZoneInfo) -> list[NoSuchDay]:
    today = to_local(at, zone).date()
    if grid.either or len(grid.weekdays) < 7 or len(grid.days) == 31 or today.day != grid.days[0]:
        return []
    if resolve(from_wall_ms(wall_ms(datetime.fromordinal(today.toordinal())) + grid.times[0]), zone).at != at:
        return []
    lacking: dict[tuple[int, ...], list[Month]] = {}
    for year, month in _months_back(today, grid):
        length = month_length(year, month)
        if grid.days[-1] > length:
            days = tuple(day for day in grid.days if day > length)
            lacking.setdefault(days, []).insert(0, (year, month))
        if grid.days[0] <= length:
            break
    return [NoSuchDay(days, tuple(months)) for days, months in reversed(lacking.items())]


def _months_back(today: date, grid: Grid) -> Iterator[Month]:
    """The grid's months before this one, newest first."""
    for year in range(today.year, 0, -1):
        for month in reversed(grid.months):
            if (year, month) < (today.year, today.month):
                yield year, month

"""Recurrences in plain English, from what they mean and not from how they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from kavor.domain.cron import MINUTE_MS, MONTHS, WEEKDAYS, Grid, month_length
from kavor.domain.kinds import Every, Once, Recurrence

_UNITS = {"w": "week", "d": "day", "h": "hour", "m": "minute", "s": "second"}
WORKDAYS = (1, 2, 3, 4, 5)
TIMES_LISTED = 6
_DAYS_LISTED = 4
"""Up to this many are written out one by one."""
_COMMON_YEAR = 2001


def describe(recurrence: Recurrence, zone: ZoneInfo | None = None) -> str:
    """A recurrence in plain words, such as ``Weekdays at 09:00``; the zone's key after it when given."""
    text = _plain(recurrence)
    text = text[0].upper() + text[1:]
    return f"{text} ({zone.key})" if zone else text


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th`` …"""
    ending = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def enumeration(words: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    *head, tail = words
    return f"{', '.join(head)} {last} {tail}" if head else tail


def _plain(recurrence: Recurrence) -> str:
    if isinstance(recurrence, Once):
        return f"once, on {_date(recurrence.local)} at {recurrence.local:%H:%M}"
    if isinstance(recurrence, Every):
        return _interval(recurrence)
    return _calendar(recurrence.grid)


def _interval(every: Every) -> str:
    count, unit = int(every.every[:-1]), _UNITS[every.every[-1]]
    text = f"every {_count(count, unit)} from {_date(every.anchor)} at {every.anchor:%H:%M}"
    return text if every.keeps_wall_clock else f"{text}, in elapsed time"


def _date(local: datetime) -> str:
    return f"{WEEKDAYS[local.isoweekday() % 7]} {local.day} {MONTHS[local.month - 1]} {local.year}"


def _calendar(grid: Grid) -> str:
    if grid.never:
        return "never"
    times, days = _times(grid), _days(grid)
    months = "" if " of " in days and len(grid.months) == 1 else _months(grid)
    if times.startswith("at "):
        text = f"{days or 'every day'}{', ' if ',' in days else ' '}{times}"
    else:
        on = "" if days.startswith("every ") else "on "
        text = f"{times}, {on}{days}" if days else times
    return text + (f", in {months}" if months else "") + _skipped(grid)


def _times(grid: Grid) -> str:
    """The times of a matching day."""
    all_day = len(grid.hours) == 24
    minutes = even_step(grid.minutes, 60)
    if all_day and minutes:
        return "every minute" if minutes == 1 else f"every {minutes} minutes"
    if all_day:
        if grid.minutes == (0,):
            return "every hour, on the hour"
        past = enumeration(map(str, grid.minutes))
        return f"every hour at {past} minute{'s' * (grid.minutes != (1,))} past"
    if len(grid.times) <= TIMES_LISTED:
        return "at " + enumeration(_clock(time) for time in grid.times)
    first, last = _clock(grid.times[0]), _clock(grid.times[-1])
    hours = even_step(grid.hours)
    if minutes and hours == 1:
        return f"every {_count(minutes, 'minute')} from {first} to {last}"
    if len(grid.minutes) == 1 and hours:
        return f"every {_count(hours, 'hour')} from {first} to {last}"
    past = "every minute" if minutes == 1 else "at minute " + enumeration(map(str, grid.minutes))
    return f"{past} of the hours {_spans(grid.hours, lambda hour: f'{hour:02d}')}"


def _days(grid: Grid) -> str:
    """The days, or nothing where every day will do."""
    any_day, any_weekday = len(grid.days) == 31, len(grid.weekdays) == 7
    if (any_day and any_weekday) or (grid.either and (any_day or any_weekday)):
        return ""
    of_month = _days_of_month(grid)
    if any_weekday:
        return of_month
    if any_day:
        return _weekdays(grid.weekdays)
    if grid.either:
        return f"{of_month}, and {_weekdays(grid.weekdays)}"
    return f"{of_month}, if a {_weekday_names(grid.weekdays, 'or')}"


def _days_of_month(grid: Grid) -> str:
    month = "each month" if len(grid.months) > 1 else MONTHS[grid.months[0] - 1]
    step = even_step(grid.days)
    if step > 1 and len(grid.days) > _DAYS_LISTED:
        first, last = ordinal(grid.days[0]), ordinal(grid.days[-1])
        return f"every {ordinal(step)} day from the {first} to the {last} of {month}"
    return f"the {_spans(grid.days, ordinal)} of {month}"


def _weekdays(weekdays: Sequence[int]) -> str:
    if tuple(weekdays) == WORKDAYS:
        return "weekdays"
    return "every " + _weekday_names(weekdays, "and")


def _weekday_names(weekdays: Sequence[int], last: str) -> str:
    from_monday = sorted(weekdays, key=lambda day: (day - 1) % 7)
    return enumeration((WEEKDAYS[day] for day in from_monday), last)


def _months(grid: Grid) -> str:
    return "" if len(grid.months) == 12 else _spans(grid.months, lambda month: MONTHS[month - 1])


def _skipped(grid: Grid) -> str:
    """A word on months that lack the day, where one day of the month is all there is."""
    if grid.either or len(grid.days) > 1 or len(grid.months) == 1:
        return ""
    if all(month_length(_COMMON_YEAR, month) >= grid.days[0] for month in grid.months):
        return ""
    return f"; months without a {ordinal(grid.days[0])} are skipped"


def _clock(time: int) -> str:
    hour, minute = divmod(time // MINUTE_MS, 60)
    return f"{hour:02d}:{minute:02d}"


def _count(number: int, unit: str) -> str:
    return unit if number == 1 else f"{number} {unit}s"


def even_step(numbers: Sequence[int], size: int = 0) -> int:
    """The even step between numbers, or 0; with ``size``, only if they go all round it from 0."""
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    if len(steps) != 1:
        return 0
    step = steps.pop()
    goes_round = numbers[0] == 0 and step * len(numbers) == size
    return step if goes_round or not size else 0


def runs(numbers: Sequence[int]) -> list[list[int]]:
    """Ascending numbers, those in a row together."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def _spans(numbers: Sequence[int], word: Callable[[int], str]) -> str:
    """Numbers in words, three or more in a row as ``a to c``."""
    words: list[str] = []
    for span in runs(numbers):
        words += [f"{word(span[0])} to {word(span[-1])}"] if len(span) > 2 else map(word, span)
    return enumeration(words)

"""The five-field cron grammar, and the calendar a cron expression draws.

The grammar is crontab's: numbers, names, lists, ranges, steps, 7 for Sunday, ``5/15``, ``@daily`` and its
kin. What crontab would refuse, or what other tools read differently, is refused with the field named; a
range that runs backwards is refused with the right spelling in the hint.

A Grid knows days and times on a clock face. It knows nothing of zones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from kavor.domain.errors import BadInput

LAST_YEAR = 9998
"""The last year in which occurrences are sought; datetime itself ends a year later."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTH_NAMES = tuple(month[:3].lower() for month in MONTHS)
DAY_NAMES = tuple(day[:3].lower() for day in WEEKDAYS)

ALIASES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}

_LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MINUTE_MS = 60_000


class Field(NamedTuple):
    """One of the five fields: its name, its bounds, and the names that stand for its numbers."""

    name: str
    low: int
    high: int
    names: dict[str, int]

    @property
    def star_high(self) -> int:
        """The end of ``*`` and of ``5/15``: Sunday is counted once, as 0."""
        return 6 if self is DAY_OF_WEEK else self.high


MINUTE = Field("minute", 0, 59, {})
HOUR = Field("hour", 0, 23, {})
DAY_OF_MONTH = Field("day-of-month", 1, 31, {})
MONTH = Field("month", 1, 12, {name: number for number, name in enumerate(MONTH_NAMES, 1)})
DAY_OF_WEEK = Field("day-of-week", 0, 7, {name: number for number, name in enumerate(DAY_NAMES)})
FIELDS = (MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK)


class Grid:
    """The days and times of a cron expression, as sorted numbers. Immutable; weekdays count from Sunday, 0.

    ``days`` and ``weekdays`` are what the day fields name; ``either`` says that one of them is enough,
    which is cron's rule when neither field begins with ``*``.
    """

    __slots__ = ("_month_days", "days", "either", "hours", "minutes", "months", "never", "times", "weekdays")

    def __init__(
        self,
        minutes: Sequence[int],
        hours: Sequence[int],
        days: Sequence[int],
        months: Sequence[int],
        weekdays: Sequence[int],
        either: bool,
    ) -> None:
        self.minutes = tuple(minutes)
        self.hours = tuple(hours)
        self.days = tuple(days)
        self.months = tuple(months)
        self.weekdays = tuple(weekdays)
        self.either = either
        self.times = tuple((60 * hour + minute) * MINUTE_MS for hour in hours for minute in minutes)
        """Times of a matching day, in milliseconds after midnight on the clock face."""
        self.never = not either and self.days[0] > max(_LONGEST_MONTH[month - 1] for month in months)
        """No day of any year matches, as with 30 February."""
        self._month_days: dict[tuple[int, int], tuple[int, ...]] = {}

    def days_from(self, first: int) -> Iterator[int]:
        """Matching days from the ordinal ``first`` on (as ``date.toordinal``), up to LAST_YEAR."""
        start = date.fromordinal(first)
        year, months = start.year, self.months[bisect_left(self.months, start.month) :]
        while year <= LAST_YEAR:
            for month in months:
                before = date(year, month, 1).toordinal() - 1
                days = self._days_of((before + 1) % 7, month_length(year, month))
                if before < first:
                    days = days[bisect_left(days, first - before) :]
                for day in days:
                    yield before + day
            year, months = year + 1, self.months

    def same_as(self, other: Grid) -> bool:
        """Both match the same minutes of every year, however they are written."""
        return self.times == other.times and self._calendar() == other._calendar()

    def _calendar(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """Matching days by month and the weekday it begins on; every pair comes in some (leap) year."""
        months = {
            (month, weekday): self._days_of(weekday, _LONGEST_MONTH[month - 1])
            for month in self.months
            for weekday in range(7)
        }
        return {key: days for key, days in months.items() if days}

    def _days_of(self, first_weekday: int, length: int) -> tuple[int, ...]:
        """Matching days of a month that has ``length`` days and begins on ``first_weekday``."""
        found = self._month_days.get((first_weekday, length))
        if found is None:
            named, weekdays = set(self.days), set(self.weekdays)
            combine = any if self.either else all
            found = self._month_days[first_weekday, length] = tuple(
                day
                for day in range(1, length + 1)
                if combine((day in named, (first_weekday + day - 1) % 7 in weekdays))
            )
        return found


@lru_cache(maxsize=4096)
def parse_cron(expression: str) -> Grid:
    """The grid of a five-field expression or an ``@`` alias. Raises BadInput naming the field.

    An expression that can never occur is accepted here; see ``Grid.never``.
    """
    text = expression.strip(" \t")
    if text.startswith("@"):
        text = _alias(text)
    parts = text.replace("\t", " ").split(" ")
    fields = [part for part in parts if part]
    if len(fields) != 5:
        raise _wrong_count(expression, len(fields))
    minutes, hours, days, months, weekdays = (_values(*pair) for pair in zip(fields, FIELDS, strict=True))
    # Vixie's rule, which every crontab follows: a day field that begins with a star (*/2 too) restricts
    # the other; where neither does, a day need only match one of them.
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    return Grid(minutes, hours, days, months, sorted({day % 7 for day in weekdays}), either)


def _alias(text: str) -> str:
    found = ALIASES.get(text.lower())
    if found is None:
        if text.lower() == "@reboot":
            raise BadInput("@reboot is not a time", "say when: five fields such as 0 9 * * *, or @daily")
        raise BadInput(f"{text!r} is not a known alias", "use one of: " + ", ".join(ALIASES))
    return found


def _wrong_count(expression: str, count: int) -> BadInput:
    if not count:
        return BadInput("the cron expression is empty", f"write five fields: {_FIVE}")
    hint = f"write {_FIVE}, such as 0 9 * * 1-5"
    if count > 5:
        hint += "; Kavor plans to the minute, so there is no field for seconds or years"
    return BadInput(f"{expression!r} has {count} field{'s' * (count != 1)}, not five", hint)


_FIVE = "minute hour day-of-month month day-of-week"


def _values(text: str, field: Field) -> list[int]:
    """The sorted numbers that one field names."""
    found: set[int] = set()
    for item in text.split(","):
        found.update(_item(item, text, field))
    return sorted(found)


def _item(item: str, text: str, field: Field) -> range:
    if not item:
        raise _refusal(field, text, "has an empty place in its list", "write values between the commas")
    _refuse_extensions(item, field)
    body, slash, step_text = item.partition("/")
    step = _step(step_text, item, field) if slash else 1
    if body == "*":
        return range(field.low, field.star_high + 1, step)
    if "-" in body.lstrip("-"):
        first_text, _, last_text = body.partition("-")
        first, last = _value(first_text, item, field), _value(last_text, item, field)
        if first > last:
            raise _backwards(item, first, last, step, field)
        return range(first, last + 1, step)
    value = _value(body, item, field)
    if not slash:
        return range(value, value + 1)
    # 5/15 is 5-59/15. On a weekday 7/2 begins on Sunday, so it is 0/2.
    return range(value % 7 if field is DAY_OF_WEEK else value, field.star_high + 1, step)


def _value(text: str, item: str, field: Field) -> int:
    number = field.names.get(text.lower())
    if number is not None:
        return number
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise _refusal(field, item, f"is not understood at {text!r}", _allowed(field))
    number = int(text)
    if not field.low <= number <= field.high:
        hint = _allowed(field)
        if field is HOUR and number == 24:
            hint = "hours run from 0 to 23; midnight is 0, and the whole day is 0-23 or *"
        elif field is MINUTE and number == 60:
            hint = "minutes run from 0 to 59; the full hour is 0"
        raise _refusal(field, item, f"names {number}, outside {field.low}-{field.high}", hint)
    return number


def _step(text: str, item: str, field: Field) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4) or int(text) == 0:
        raise _refusal(field, item, f"has {text!r} as its step", "a step is a whole number from 1, as */15")
    return int(text)


def _backwards(item: str, first: int, last: int, step: int, field: Field) -> BadInput:
    """Which way a range such as 22-5 was meant is a guess; the hint writes out the likely one."""
    if step == 1:
        spans = ((first, field.star_high), (field.low, last))
        better = ",".join(f"{low}-{high}" if low < high else str(low) for low, high in spans)
    else:
        size = field.star_high - field.low + 1
        walk = range(first, last + size + 1, step)
        better = ",".join(str(field.low + (number - field.low) % size) for number in walk)
    return _refusal(field, item, "runs backwards", f"write {better}")


_EXTENSIONS = {
    "L": "crontab has no word for the last day; name a day that every month has, such as 28",
    "W": "crontab has no word for the nearest weekday; name the days, or use day-of-week 1-5",
    "#": "crontab has no word for the nth weekday; */N day fields, or every 2w from a date, may serve",
    "?": "write * for any day",
    "H": "write the number itself",
    "R": "write the number itself",
    "~": "write the number itself",
}


def _refuse_extensions(item: str, field: Field) -> None:
    """Refuse by name what Quartz, Jenkins and others added to crontab's grammar."""
    bare = item.upper()
    for name in field.names:
        bare = bare.replace(name.upper(), "")
    marks = set(bare) - set("0123456789-/*")
    if marks and marks <= set(_EXTENSIONS):
        mark = min(marks)
        raise _refusal(field, item, f"uses {mark}, which crontab does not have", _EXTENSIONS[mark])


def _refusal(field: Field, text: str, fault: str, hint: str) -> BadInput:
    return BadInput(f"{field.name} {text!r} {fault}", hint)


def _allowed(field: Field) -> str:
    names = f", or {next(iter(field.names))} to {list(field.names)[-1]}" if field.names else ""
    return f"{field.name} takes {field.low}-{field.high}{names}; lists 1,2, ranges 1-5 and steps */2"


def month_length(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return _LONGEST_MONTH[month - 1]

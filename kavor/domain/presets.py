"""Presets: the editor's choices as views of one cron expression, in both directions.

A preset is never stored. It is derived from the expression each time, so that the two cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kavor.domain.cron import DAY_NAMES, DAY_OF_WEEK, WEEKDAYS, Grid
from kavor.domain.errors import BadInput
from kavor.domain.kinds import Cron

PRESETS = ("hourly", "daily", "weekdays", "weekly", "monthly", "custom")
"""The presets that a cron expression can be; Once and Every are kinds of their own."""

DEFAULT_TIME = "09:00"

_EVERY_DAY = tuple(range(7))
_WORKDAYS = (1, 2, 3, 4, 5)
_EVERY_HOUR = tuple(range(24))
_EVERY_MONTH = tuple(range(1, 13))
_ANY_DAY_OF_MONTH = tuple(range(1, 32))


def preset_of(cron: Cron) -> str:
    """Which of PRESETS the expression is, by its meaning."""
    return str(preset_fields(cron)["preset"])


def preset_fields(cron: Cron) -> dict[str, object]:
    """The preset as its editor shows it; ``expression_of`` turns it back.

    ``{"preset": "hourly", "minute": 20}``, ``{"preset": "daily" | "weekdays", "time": "09:00"}``,
    ``{"preset": "weekly", "weekday": "mon,thu", "time": …}``, ``{"preset": "monthly", "day": 31, "time": …}``
    or ``{"preset": "custom", "cron": …}``.
    """
    grid = cron.grid
    custom: dict[str, object] = {"preset": "custom", "cron": cron.expression}
    if grid.months != _EVERY_MONTH or len(grid.minutes) != 1:
        return custom
    any_day_of_month, any_weekday = _unrestricted(grid)
    if any_day_of_month and any_weekday and grid.hours == _EVERY_HOUR:
        return {"preset": "hourly", "minute": grid.minutes[0]}
    if len(grid.hours) != 1:
        return custom
    time = f"{grid.hours[0]:02d}:{grid.minutes[0]:02d}"
    if any_day_of_month and any_weekday:
        return {"preset": "daily", "time": time}
    if any_day_of_month and grid.weekdays == _WORKDAYS:
        return {"preset": "weekdays", "time": time}
    if any_day_of_month:
        names = ",".join(DAY_NAMES[day] for day in sorted(grid.weekdays, key=lambda day: (day - 1) % 7))
        return {"preset": "weekly", "weekday": names, "time": time}
    if any_weekday and len(grid.days) == 1:
        return {"preset": "monthly", "day": grid.days[0], "time": time}
    return custom


def _unrestricted(grid: Grid) -> tuple[bool, bool]:
    """Whether every day of the month will do, and whether every weekday will."""
    any_day, any_weekday = grid.days == _ANY_DAY_OF_MONTH, grid.weekdays == _EVERY_DAY
    if grid.either and (any_day or any_weekday):
        return True, True
    return any_day, any_weekday


def expression_of(preset: str, fields: Mapping[str, object]) -> str:
    """The cron expression of a preset other than custom.

    ``fields`` may hold ``minute`` (default 0) for hourly; ``time`` (default DEFAULT_TIME) for the others;
    ``weekday`` (default Monday) for weekly, ``day`` (default 1) for monthly. Raises BadInput.
    """
    if preset == "hourly":
        return f"{_number(fields.get('minute', 0), 'minute', 0, 59)} * * * *"
    hour, minute = _time(fields.get("time", DEFAULT_TIME))
    if preset == "daily":
        return f"{minute} {hour} * * *"
    if preset == "weekdays":
        return f"{minute} {hour} * * 1-5"
    if preset == "weekly":
        return f"{minute} {hour} * * {_weekdays(fields.get('weekday', 'mon'))}"
    if preset == "monthly":
        return f"{minute} {hour} {_number(fields.get('day', 1), 'day', 1, 31)} * *"
    raise BadInput(f"{preset!r} is not a preset", "use one of: " + ", ".join(("once", *PRESETS, "every")))


FIELDS_OF = {
    "hourly": {"minute"},
    "daily": {"time"},
    "weekdays": {"time"},
    "weekly": {"time", "weekday"},
    "monthly": {"time", "day"},
}
"""What each preset may say beside its name."""


def _number(value: object, name: str, low: int, high: int) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()) or not low <= int(text) <= high:
        raise BadInput(
            f"{name} {value!r} is not one of {low}-{high}", f"write a whole number from {low} to {high}"
        )
    return int(text)


def _time(value: object) -> tuple[int, int]:
    hour, colon, minute = str(value).strip().partition(":")
    plain = all(part.isascii() and part.isdigit() and len(part) <= 2 for part in (hour, minute))
    if not colon or not plain or len(minute) != 2 or int(hour) > 23 or int(minute) > 59:
        raise BadInput(f"time {value!r} is not a time of day", "write it like 09:00, from 00:00 to 23:59")
    return int(hour), int(minute)


def _weekdays(value: object) -> str:
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, Sequence) or not words:
        raise BadInput(f"weekday {value!r} is not a day of the week", "write it like mon or mon,thu")
    days = {_weekday(word) for word in words}
    return ",".join(DAY_NAMES[day] for day in sorted(days, key=lambda day: (day - 1) % 7))


def _weekday(word: object) -> int:
    text = str(word).strip().lower()
    for number, name in enumerate(WEEKDAYS):
        if text in (name.lower(), DAY_NAMES[number]):
            return number
    if text.isascii() and text.isdigit() and int(text) <= DAY_OF_WEEK.high:
        return int(text) % 7
    raise BadInput(f"weekday {word!r} is not a day of the week", "use " + ", ".join(DAY_NAMES))

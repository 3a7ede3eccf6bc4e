"""The three kinds of recurrence: Once, Cron and Every. Each says when on a clock face; none knows a zone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from kavor.domain.cron import LAST_YEAR, Grid, parse_cron
from kavor.domain.errors import BadInput

_UNITS = {
    "w": timedelta(weeks=1),
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
}
_SHORTEST = timedelta(minutes=1)
_LONGEST = timedelta(days=36_500)
_FIRST_YEAR = 1970


class _Value:
    """Immutable; equal to what is written the same way."""

    __slots__ = ()

    def _written(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Value):
            return NotImplemented
        return type(self) is type(other) and self._written() == other._written()

    def __hash__(self) -> int:
        return hash((type(self), self._written()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._written()))})"


class Once(_Value):
    """One local time, to the minute."""

    __slots__ = ("local",)

    def __init__(self, local: datetime) -> None:
        """``local`` is naive, without seconds. Raises BadInput."""
        self.local: Final = _whole_minute(local)

    def _written(self) -> tuple[object, ...]:
        return (self.local,)


class Cron(_Value):
    """A five-field expression as it was written, and the grid it means."""

    __slots__ = ("expression", "grid")

    def __init__(self, expression: str) -> None:
        """Raises BadInput naming the field that crontab would refuse or misread."""
        self.expression: Final = expression.strip()
        self.grid: Final[Grid] = parse_cron(self.expression)

    def _written(self) -> tuple[object, ...]:
        return (self.expression,)


class Every(_Value):
    """An anchored interval: the anchor, and every whole interval after it.

    Weeks and days keep the wall clock over clock changes; hours, minutes and seconds are elapsed time.
    """

    __slots__ = ("anchor", "every", "period")

    def __init__(self, every: str, anchor: datetime) -> None:
        """``every`` is a count and a unit, such as ``2w``, ``3d``, ``36h``, ``90m``, at least a minute long;
        ``anchor`` is naive local time, without seconds. Raises BadInput.
        """
        self.every: Final = every.strip().lower()
        self.anchor: Final = _whole_minute(anchor)
        self.period: Final = _period(self.every)

    def _written(self) -> tuple[object, ...]:
        return (self.every, self.anchor)

    @property
    def keeps_wall_clock(self) -> bool:
        return self.every[-1] in "wd"


Recurrence = Once | Cron | Every


def parse_local(text: str) -> datetime:
    """A naive local time such as ``2026-08-01T02:17``, to the minute. Raises BadInput."""
    trimmed = text.strip()
    try:
        local = datetime.fromisoformat(trimmed)
    except ValueError:
        local = None
    if local is None or len(trimmed) < len("2026-08-01T02:17"):
        raise BadInput(f"{text!r} is not a local time", "write it like 2026-08-01T02:17")
    if local.tzinfo is not None:
        raise BadInput(
            f"{text!r} names an offset, and a local time has none",
            "write it like 2026-08-01T02:17; the zone of the Schedule says the rest",
        )
    return _whole_minute(local)


def same_grid(a: Recurrence, b: Recurrence) -> bool:
    """Both mean the same times in every zone, however they are written."""
    if isinstance(a, Cron) and isinstance(b, Cron):
        return a.grid.same_as(b.grid)
    if isinstance(a, Every) and isinstance(b, Every):
        return (a.period, a.anchor, a.keeps_wall_clock) == (b.period, b.anchor, b.keeps_wall_clock)
    return a == b


def _period(text: str) -> timedelta:
    count, unit = text[:-1], _UNITS.get(text[-1:])
    if unit is None or not (count.isascii() and count.isdigit() and len(count) <= 9):
        raise BadInput(f"{text!r} is not an interval", "write a count and a unit: 2w, 3d, 36h or 90m")
    period = int(count) * unit
    if period < _SHORTEST:
        raise BadInput(f"{text!r} is shorter than a minute", "the shortest interval is 1m")
    if period > _LONGEST:
        raise BadInput(f"{text!r} is longer than a century", "the longest interval is 36500d")
    return period


def _whole_minute(local: datetime) -> datetime:
    if local.tzinfo is not None:
        raise BadInput(f"{local.isoformat()} names an offset, and a local time has none")
    if local.second or local.microsecond:
        raise BadInput(f"{local.isoformat()} has seconds", "a time is given to the minute: 2026-08-01T02:17")
    if not _FIRST_YEAR <= local.year <= LAST_YEAR:
        raise BadInput(f"the year {local.year} is out of reach", f"use {_FIRST_YEAR} to {LAST_YEAR}")
    return local

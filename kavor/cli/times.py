"""Times and durations as people write and read them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, from_datetime, parse_instant

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_UNIT_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_PARTS = re.compile(r"(\d+)([smhdw])")
_DURATION = re.compile(r"(?:\d+[smhdw])+")

MOMENT_FORMS = "2026-11-05T08:00 (local), 2026-11-05T08:00:00Z, or 2h for two hours ago"


def parse_duration(text: str) -> int:
    """Seconds of ``90s``, ``2h``, ``1h30m``, ``3d`` or ``2w``. Raises BadInput."""
    compact = text.strip().lower()
    if not _DURATION.fullmatch(compact):
        raise BadInput(f"{text!r} is not a duration", "write it like 90s, 5m, 2h, 1h30m, 3d or 2w")
    return sum(int(count) * _UNIT_S[unit] for count, unit in _PARTS.findall(compact))


def parse_limit(text: str) -> int:
    """Seconds of a duration, or 0 for ``none``. Raises BadInput."""
    return 0 if text.strip().lower() == "none" else parse_duration(text)


def parse_moment(text: str, zone: ZoneInfo, now: Instant) -> Instant:
    """An instant from RFC 3339, from a local time or date in ``zone``, or from a duration before ``now``.

    Raises BadInput.
    """
    from kavor.domain.zones import resolve

    if _DURATION.fullmatch(text.strip().lower()):
        return Instant(now - parse_duration(text) * 1000)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(f"{text!r} is not a time", f"write it like {MOMENT_FORMS}") from None
    return resolve(moment, zone).at if moment.tzinfo is None else from_datetime(moment)


def now() -> Instant:
    """The instant this machine's clock shows."""
    import time

    return Instant(time.time_ns() // 1_000_000)


def show_local(at: str | None, zone: ZoneInfo) -> str:
    """An instant of the API in the viewer's zone: ``Tue 2026-12-01 09:00``, seconds where not zero."""
    if not at:
        return ""
    from kavor.domain.zones import to_local

    local = to_local(parse_instant(at), zone)
    return local.strftime("%a %Y-%m-%d %H:%M:%S" if local.second else "%a %Y-%m-%d %H:%M")


def show_written_local(local: str) -> str:
    """A local time of the API, which carries its offset, in the same form."""
    moment = datetime.fromisoformat(local)
    return moment.strftime("%a %Y-%m-%d %H:%M:%S" if moment.second else "%a %Y-%m-%d %H:%M")


def show_elapsed(milliseconds: float | None) -> str:
    """A measured time, as exact as its size asks: ``0.04 s``, ``12.3 s``, ``4 min 5 s``, ``2 h 10 min``."""
    if milliseconds is None:
        return ""
    seconds = milliseconds / 1000
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours // 24} d {hours % 24} h"


def show_duration(seconds: float | None) -> str:
    """A set duration in its largest whole unit: ``60 s`` is ``1m``, 5400 s is ``90m``."""
    if not seconds:
        return "none"
    for unit, size in reversed(_UNIT_S.items()):
        if seconds % size == 0:
            return f"{seconds / size:g}{unit}"
    return f"{seconds:g}s"

"""Zones: the only road between wall time and instants.

Zone rules come from the tzdata package alone. The copies that operating systems carry differ from
machine to machine, and a preview must equal the firing wherever either is computed.

Two rules decide what a local time means where clocks change:

- a local time that happens twice is its first instant;
- a local time that does not happen moves to the first valid instant after the gap.

Both keep order: a later local time never resolves to an earlier instant.
"""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from typing import BinaryIO, NamedTuple
from zoneinfo import ZoneInfo

import tzdata

from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant

# A ZoneInfo made by anybody in this process follows the same rules as ours.
zoneinfo.reset_tzpath([])
ZoneInfo.clear_cache()

SECOND_MS = 1_000
DAY_MS = 86_400_000

_EPOCH = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)
_DATABASE = tzdata.__path__[0]


class Bend(Enum):
    """What a clock change did to a local time."""

    NONE = "none"
    MOVED = "moved"
    """It does not happen: clocks go forward over it."""
    REPEATED = "repeated"
    """It happens twice: clocks go back over it."""


class Resolved(NamedTuple):
    at: Instant
    bend: Bend


def tzdata_version() -> str:
    """The release of the zone database, such as ``2026c``."""
    return str(tzdata.IANA_VERSION)


@cache
def known_zones() -> frozenset[str]:
    """Every key that load_zone accepts."""
    with _open("zones") as file:
        return frozenset(file.read().decode().split())


@cache
def load_zone(key: str) -> ZoneInfo:
    """The zone of an IANA key such as ``Europe/Berlin``. Raises BadInput, naming keys that look alike."""
    if key not in known_zones():
        raise BadInput(f"{key!r} is not a known time zone", _near(key))
    with _open(f"zoneinfo/{key}") as file:
        return ZoneInfo.from_file(file, key=key)


def _open(name: str) -> BinaryIO:
    # ZoneInfo(key) would load importlib.resources and a Path would load urllib: 25 ms of every command.
    return open(f"{_DATABASE}/{name}", "rb")  # noqa: PTH123


def _near(key: str) -> str:
    import difflib

    by_fold = {known.casefold(): known for known in known_zones()}
    wanted = key.strip().casefold().replace(" ", "_")
    places = {known.rpartition("/")[2]: known for known in by_fold}
    near = [by_fold[found] for found in difflib.get_close_matches(wanted, by_fold, n=3, cutoff=0.75)]
    near += [by_fold[places[found]] for found in difflib.get_close_matches(wanted, places, n=3, cutoff=0.75)]
    if near:
        return "did you mean " + " or ".join(dict.fromkeys(near)) + "?"
    return "use an IANA name such as Europe/Berlin, America/New_York or UTC"


def offset_at(at: Instant, zone: ZoneInfo) -> int:
    """Local time minus UTC at an instant, in milliseconds."""
    return _in_ms(datetime.fromtimestamp(at // SECOND_MS, zone).utcoffset())


def offset_of(local: datetime, zone: ZoneInfo) -> int:
    """Local time minus UTC at a naive local time, in milliseconds.

    Where the local time happens twice or not at all, ``fold`` 0 means the offset before the change and
    ``fold`` 1 the one after.
    """
    return _in_ms(zone.utcoffset(local))


def to_local(at: Instant, zone: ZoneInfo) -> datetime:
    """The aware local time of an instant."""
    local = datetime.fromtimestamp(at // SECOND_MS, zone)
    millis = at % SECOND_MS
    return local.replace(microsecond=millis * 1000) if millis else local


def wall_ms(local: datetime) -> int:
    """A naive local time as milliseconds since 1970-01-01T00:00 on the same clock face."""
    return (local - _EPOCH) // _MILLISECOND


def from_wall_ms(wall: int) -> datetime:
    """The naive local time of ``wall_ms``."""
    return _EPOCH + timedelta(milliseconds=wall)


def resolve(local: datetime, zone: ZoneInfo) -> Resolved:
    """The instant of a naive local time, by the two rules above, and what bent it."""
    wall = wall_ms(local)
    before = offset_of(local.replace(fold=0), zone)
    after = offset_of(local.replace(fold=1), zone)
    if before == after:
        return Resolved(Instant(wall - before), Bend.NONE)
    if before > after:
        return Resolved(Instant(wall - before), Bend.REPEATED)
    return Resolved(_change_between(wall - after, wall - before, zone), Bend.MOVED)


def _change_between(early: int, late: int, zone: ZoneInfo) -> Instant:
    """The first instant with the offset of ``late``; at ``early`` the offset is still another."""
    target = offset_at(Instant(late), zone)
    low, high = early // SECOND_MS, late // SECOND_MS
    while high - low > 1:
        middle = (low + high) // 2
        if offset_at(Instant(middle * SECOND_MS), zone) == target:
            high = middle
        else:
            low = middle
    return Instant(high * SECOND_MS)


def _in_ms(offset: timedelta | None) -> int:
    if offset is None:
        raise AssertionError("an IANA zone always has an offset")
    return (offset.days * 86_400 + offset.seconds) * SECOND_MS


def format_local(at: Instant, zone: ZoneInfo) -> str:
    """ISO 8601 with offset, such as ``2027-03-14T03:00:00-04:00``; milliseconds only where not zero."""
    local = to_local(at, zone)
    return local.isoformat(timespec="milliseconds" if local.microsecond else "seconds")


def utc_clock(at: Instant) -> str:
    """The time of day of an instant in UTC, such as ``06:30Z``."""
    return datetime.fromtimestamp(at // SECOND_MS, UTC).strftime("%H:%MZ")

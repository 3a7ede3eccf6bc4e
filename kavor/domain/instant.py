"""Instants: whole milliseconds since the Unix epoch, in UTC.

Wall time has no place here; it lives in :mod:`kavor.domain.zones` together with its IANA zone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NewType

from kavor.domain.errors import BadInput

Instant = NewType("Instant", int)
"""Milliseconds since 1970-01-01T00:00:00Z."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def from_datetime(moment: datetime) -> Instant:
    """The instant of an aware datetime, cut to whole milliseconds. Raises ValueError when naive."""
    if moment.tzinfo is None:
        raise ValueError("an instant needs an aware datetime")
    return Instant((moment - _EPOCH) // _MILLISECOND)


def to_datetime(at: Instant) -> datetime:
    """The aware UTC datetime of an instant."""
    return _EPOCH + timedelta(milliseconds=at)


def format_instant(at: Instant) -> str:
    """RFC 3339 in UTC with ``Z``; milliseconds only where they are not zero."""
    moment = to_datetime(at).replace(tzinfo=None)
    return moment.isoformat(timespec="milliseconds" if at % 1000 else "seconds") + "Z"


def parse_instant(text: str) -> Instant:
    """Read RFC 3339 with an offset or ``Z``. Raises BadInput."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise BadInput(f"{text!r} is not an instant", "write it like 2026-11-05T08:00:00Z")
    return from_datetime(moment)

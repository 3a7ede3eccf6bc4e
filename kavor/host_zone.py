"""The zone of the machine this process runs on."""

from __future__ import annotations

import os

from kavor.domain.errors import BadInput


def host_zone_name() -> str:
    """The IANA name of this machine's zone; ``TZ`` decides where it is set. It may be unknown to the zone
    data. Raises BadInput where the machine does not tell."""
    chosen = os.environ.get("TZ", "").removeprefix(":")
    if chosen:
        return chosen.rpartition("zoneinfo/")[2]
    import tzlocal  # costs 10 ms, and only where TZ is not set

    try:
        name = tzlocal.get_localzone_name()
    except (LookupError, ValueError, OSError):
        name = None
    if not name:
        raise BadInput("the time zone of this machine is not known", "set TZ, for example TZ=Europe/Berlin")
    return name

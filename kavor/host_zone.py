"""The zone of the machine this process runs on."""

from __future__ import annotations

import os

from kavor.domain.errors import BadInput

_SET_TZ = "set TZ to the name of a zone, for example TZ=Europe/Berlin"


def host_zone_name() -> str:
    """The IANA name of this machine's zone; ``TZ`` decides where it is set. Without it the name may be
    unknown to the zone data. Raises BadInput where the machine does not tell, or ``TZ`` names no zone."""
    chosen = os.environ.get("TZ")
    if chosen is not None:
        return _named_by(chosen)
    import tzlocal  # costs 10 ms, and only where TZ is not set

    try:
        name = tzlocal.get_localzone_name()
    except (LookupError, ValueError, OSError):
        name = None
    if not name:
        raise BadInput("the time zone of this machine is not known", _SET_TZ)
    return name


def _named_by(variable: str) -> str:
    """The zone that a value of ``TZ`` names, as a name or as a file: empty is UTC, as for every program."""
    from kavor.domain.zones import known_zones

    name = variable.removeprefix(":") or "UTC"
    if name.startswith("/"):  # often /etc/localtime, which points to the zone's file
        name = os.path.realpath(name).rpartition("/zoneinfo/")[2]
    name = name.removeprefix("posix/")
    if name not in known_zones():
        raise BadInput(f"TZ is {variable!r}, which names no known time zone", f"{_SET_TZ}, or unset it")
    return name

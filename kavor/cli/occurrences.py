"""Coming times as a person reads them, in the zone of the one who looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kavor.cli.output import print_table
from kavor.cli.times import show_local, show_written_local

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

Occurrences = list[dict[str, Any]]


def print_occurrences(occurrences: Occurrences, viewer: ZoneInfo) -> None:
    """A table of them: the viewer's time, the Schedule's own where that differs, the instant, and what bent
    it."""
    columns = [f"in {viewer.key}", "instant", "note"]
    rows = [[show_local(one["at"], viewer), one["at"], one["note"]] for one in occurrences]
    if any(_differs(one, viewer) for one in occurrences):
        columns.insert(1, f"in {occurrences[0]['zone']}")
        for row, one in zip(rows, occurrences, strict=True):
            row.insert(1, show_written_local(one["local"]))
    print_table(columns, rows, empty="It never occurs again.")


def occurrence_lines(occurrences: Occurrences, viewer: ZoneInfo) -> list[str]:
    """The same, one line for each, without the instant."""
    return [_line(one, viewer) for one in occurrences]


def _line(one: dict[str, Any], viewer: ZoneInfo) -> str:
    line = show_local(one["at"], viewer)
    if _differs(one, viewer):
        line += f" (in {one['zone']} {show_written_local(one['local'])})"
    return f"{line}  {one['note']}" if one["note"] else line


def _differs(one: dict[str, Any], viewer: ZoneInfo) -> bool:
    return show_local(one["at"], viewer) != show_written_local(one["local"])

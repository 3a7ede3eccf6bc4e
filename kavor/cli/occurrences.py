"""Coming times as a person reads them, in the zone of the one who looks."""

from __future__ import annotations

from typing import Any

from kavor.cli.output import print_table
from kavor.cli.times import show_written_local

Occurrences = list[dict[str, Any]]


def print_occurrences(occurrences: Occurrences) -> None:
    """A table of them: the viewer's time, the Schedule's own where that differs, the instant, and what bent
    it."""
    first = occurrences[0] if occurrences else {"zone": ""}
    columns = [f"in {first['zone']}", "instant", "note"]
    rows = [[show_written_local(one["local"]), one["at"], one["note"]] for one in occurrences]
    if "schedule_zone" in first:
        columns.insert(1, f"in {first['schedule_zone']}")
        for row, one in zip(rows, occurrences, strict=True):
            row.insert(1, show_written_local(one["schedule_local"]))
    print_table(columns, rows, empty="No such time is still to come.")


def occurrence_lines(occurrences: Occurrences) -> list[str]:
    """The same, one line for each, without the instant."""
    return [_line(one) for one in occurrences]


def _line(one: dict[str, Any]) -> str:
    line = show_written_local(one["local"])
    if "schedule_zone" in one:
        line += f" (in {one['schedule_zone']} {show_written_local(one['schedule_local'])})"
    return f"{line}  {one['note']}" if one["note"] else line

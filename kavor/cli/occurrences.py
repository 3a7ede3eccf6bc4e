"""Coming times as a person reads them, in the zone of the one who looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kavor.cli.times import show_local, show_written_local

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


def occurrence_lines(occurrences: list[dict[str, Any]], viewer: ZoneInfo) -> list[str]:
    """One line for each: the viewer's time, the Schedule's own where it differs, and what bent it."""
    return [_line(occurrence, viewer) for occurrence in occurrences]


def print_occurrences(occurrences: list[dict[str, Any]], viewer: ZoneInfo) -> None:
    for line in occurrence_lines(occurrences, viewer):
        click.echo(line)
    if not occurrences:
        click.echo("It never occurs again.")


def _line(occurrence: dict[str, Any], viewer: ZoneInfo) -> str:
    seen = show_local(occurrence["at"], viewer)
    own = show_written_local(occurrence["local"])
    line = seen if seen == own else f"{seen} (there {own}, {occurrence['zone']})"
    return f"{line}  {occurrence['note']}" if occurrence["note"] else line

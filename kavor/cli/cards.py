"""A Schedule as a person reads it: like its card on the Canvas, as a row, or as what a change did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kavor.cli.occurrences import occurrence_lines
from kavor.cli.output import print_facts, print_table, signed
from kavor.cli.times import show_duration, show_local
from kavor.domain.graph import NodeKind

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

Document = dict[str, Any]


def print_schedule(schedule: Document, zone: ZoneInfo, coming: Document) -> None:
    """The whole card; ``coming`` is the answer to its next occurrences, read in ``zone``."""
    print_facts(
        f"{schedule['name']}  {signed(schedule['state'])}",
        {
            "paused": schedule["pause_reason"],
            "id": schedule["id"],
            "Workspace": schedule.get("workspace_name") or schedule["workspace"],
            "when": schedule["description"],
            "zone": _zone(schedule),
            "would be" if schedule["state"] == "Paused" else "next": "\n".join(
                occurrence_lines(coming["occurrences"])
            )
            or "never: no such time is still to come",
            "target": _target(schedule["target"]) or "none yet",
            "payload": schedule["payload"] or "none yet",
            "policies": _policies(schedule),
            "last": _last(schedule["last_attempt"], zone),
            "actions": ", ".join(schedule["actions"]),
            "revision": schedule["revision"],
        },
    )


def print_schedules(schedules: list[Document], zone: ZoneInfo, *, empty: str) -> None:
    """Schedules as a table; ``empty`` is said where there are none."""
    print_table(
        ("id", "name", "state", "when", "next", "target", "last"),
        [
            (
                schedule["id"],
                schedule["name"],
                signed(schedule["state"]),
                schedule["description"],
                show_local(schedule["next_due"], zone),
                (schedule["target"] or {}).get("name"),
                signed(schedule["last_attempt"]["state"]) if schedule["last_attempt"] else "",
            )
            for schedule in schedules
        ],
        empty=empty,
    )


def print_change(schedule: Document, zone: ZoneInfo, done: str) -> None:
    """One sentence on what was done, and whether it moved the next time."""
    click.echo(f"{schedule['name']} {done}.")
    before, after = schedule.get("next_due_before"), schedule.get("next_due_after")
    if before and after and before != after:
        click.echo(f"next: {show_local(after, zone)} (was {show_local(before, zone)})")
    elif after:
        click.echo(f"next: {show_local(after, zone)}")
    elif schedule["pause_reason"]:
        click.echo(f"paused: {schedule['pause_reason']}")


def _zone(schedule: Document) -> str:
    if not schedule["zone_mismatch"]:
        return str(schedule["zone"])
    return f"{schedule['zone']}; this machine is in {schedule['host_zone']}, which the next save will store"


def _target(target: Document | None) -> str:
    return f"{NodeKind(target['kind']).label} {target['name']} ({target['id']})" if target else ""


def _policies(schedule: Document) -> str:
    return (
        f"overlap {schedule['overlap']}, catch-up {schedule['catchup']}, "
        f"misfire grace {show_duration(schedule['misfire_grace_s'])}, "
        f"pending limit {show_duration(schedule['pending_limit_s'])}"
    )


def _last(attempt: Document | None, zone: ZoneInfo) -> str:
    if not attempt:
        return "never delivered"
    when = attempt["delivered_at"] or attempt["nominal_at"] or attempt["created_at"]
    said = f": {attempt['diagnostic']}" if attempt["diagnostic"] else ""
    return f"{signed(attempt['state'])}, {show_local(when, zone)}, attempt {attempt['id']}{said}"

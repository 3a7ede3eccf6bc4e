"""Options that several commands take, and what the given ones mean to the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from kavor.cli.complete import complete_nodes, complete_schedules, complete_workspaces
from kavor.cli.given_text import given_text
from kavor.cli.times import parse_duration, parse_limit
from kavor.domain.errors import BadInput

F = TypeVar("F", bound=Callable[..., Any])

PRESETS = ("hourly", "daily", "weekdays", "weekly", "monthly")

_PRESET_FLAGS = ("time", "minute", "weekday", "day")
_WAYS = ("once", "cron", "preset", "every")

workspace_option = click.option(
    "--workspace",
    metavar="W",
    shell_complete=complete_workspaces,
    help="The Workspace, by id or name; optional where it is clear.",
)
schedule_argument = click.argument("ref", metavar="S", shell_complete=complete_schedules)
node_argument = click.argument("ref", metavar="NODE", shell_complete=complete_nodes)
workspace_argument = click.argument("ref", metavar="W", shell_complete=complete_workspaces)
target_option = click.option(
    "--target", metavar="NODE", shell_complete=complete_nodes, help="The Terminal or CodingAgent aimed at."
)
limit_option = click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
before_option = click.option(
    "--before", type=click.IntRange(min=1), metavar="ID", help="Only those before this one."
)
count_option = click.option(
    "--count", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many to show."
)


def all_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in the order of the help."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def page_options(command: F) -> F:
    """Of whose list, and which page of it: what `kavor.cli.find.page_of` takes."""
    return all_options(node_argument, before_option, limit_option, workspace_option)(command)


def preset_options(command: F) -> F:
    """``--time --minute --weekday --day``: what a preset leaves open."""
    return all_options(
        click.option("--time", metavar="HH:MM", help="Time of day, of all presets but hourly."),
        click.option("--minute", type=click.IntRange(0, 59), help="Minute of the hour, of preset hourly."),
        click.option("--weekday", metavar="mon,…", help="Days, of preset weekly."),
        click.option("--day", type=click.IntRange(1, 31), help="Day of the month, of preset monthly."),
    )(command)


def recurrence_options(command: F) -> F:
    """The four ways to say when."""
    return all_options(
        click.option("--once", metavar="LOCAL_TIME", help="Once, such as 2026-12-24T18:00."),
        click.option("--cron", metavar="EXPR", help="Five cron fields, such as '0 9 * * mon-fri'."),
        click.option(
            "--preset",
            type=click.Choice(PRESETS, case_sensitive=False),
            help="A common recurrence, completed by the next four.",
        ),
        preset_options,
        click.option("--every", metavar="INTERVAL", help="2w, 3d, 36h, 90m …, counted from --at."),
        click.option("--at", metavar="LOCAL_TIME", help="The first time of --every."),
    )(command)


def schedule_options(command: F) -> F:
    """What a Schedule delivers, when, and how strictly."""
    policies = all_options(
        click.option("--overlap", type=click.Choice(["coalesce", "replace"]), help="When the slot is taken."),
        click.option("--catchup", type=click.Choice(["none", "latest"]), help="After time away."),
        click.option(
            "--misfire-grace", "misfire_grace", type=parse_duration, metavar="60s", help="Later is Missed."
        ),
        click.option(
            "--pending-limit",
            "pending_limit",
            type=parse_limit,
            metavar="2h|none",
            help="How long an attempt may wait in the slot.",
        ),
    )
    payload = all_options(
        click.option("--payload", metavar="TEXT", help="The command or prompt to deliver."),
        click.option("--payload-file", "payload_file", metavar="F", help="Read it from a file; - is stdin."),
    )
    return payload(recurrence_options(policies(command)))


def schedule_body(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a Schedule that the given ``schedule_options`` set. Raises BadInput before anything is
    started or asked."""
    body: dict[str, Any] = {}
    payload = _payload(given["payload"], given["payload_file"])
    recurrence = recurrence_from(given)
    if payload is not None:
        body["payload"] = payload
    if recurrence is not None:
        body["recurrence"] = recurrence
    for name in ("overlap", "catchup"):
        if given[name] is not None:
            body[name] = given[name]
    if given["misfire_grace"] is not None:
        body["misfire_grace_s"] = given["misfire_grace"]
    if given["pending_limit"] is not None:
        body["pending_limit_s"] = given["pending_limit"] or None
    return body


def recurrence_from(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The recurrence that the given ``recurrence_options`` say, checked; None where they say none.

    Raises BadInput.
    """
    ways = [way for way in _WAYS if given[way] is not None]
    if len(ways) > 1:
        raise BadInput(f"--{ways[0]} and --{ways[1]} cannot both say when", "give one of them")
    way = ways[0] if ways else None
    if (way == "every") != (given["at"] is not None):
        raise BadInput("--every and --at belong together", "for example --every 2w --at 2026-12-07T09:00")
    flags = preset_flags(given)
    if flags and way != "preset":
        raise BadInput(
            f"--{next(iter(flags))} belongs to --preset", "for example --preset daily --time 09:00"
        )
    recurrence: dict[str, Any]
    if way == "preset":
        recurrence = {"preset": given["preset"], **flags}
    elif way == "once":
        recurrence = {"kind": "once", "local": given["once"]}
    elif way == "cron":
        recurrence = {"kind": "cron", "expression": given["cron"]}
    elif way == "every":
        recurrence = {"kind": "every", "every": given["every"], "anchor": given["at"]}
    else:
        return None
    return _checked(recurrence)


def preset_flags(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of ``preset_options`` that were given."""
    return {flag: given[flag] for flag in _PRESET_FLAGS if given[flag] is not None}


def _checked(recurrence: dict[str, Any]) -> dict[str, Any]:
    from kavor.domain.recurrence import parse_recurrence

    parse_recurrence(recurrence)
    return recurrence


def _payload(text: str | None, file: str | None) -> str | None:
    from kavor.domain.payload import check_payload

    given = given_text("payload", text, file)
    return None if given is None else check_payload(given)

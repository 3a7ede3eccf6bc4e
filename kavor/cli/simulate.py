"""``kavor simulate``: play a scenario file, and show what came of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command
from kavor.cli.occurrences import print_occurrences
from kavor.cli.output import print_facts, print_table, signed
from kavor.cli.times import show_local
from kavor.domain.errors import BadInput

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from kavor.domain.instant import Instant

Document = dict[str, Any]

SILENT_SECONDS = 2.0
"""What takes longer than this says how far it has come."""


@click.command(cls=Command)
@click.argument("scenario", metavar="SCENARIO", required=False)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of scenario files instead.")
@pass_app
def simulate(app: App, scenario: str | None, schema: bool) -> None:
    """Play a scenario on the real runtime with simulated clocks and targets.

    SCENARIO is a JSON file, or - for standard input. Months pass in seconds, in a temporary folder; nothing
    of yours is touched. Exit code 0 when it was played to its end, whatever was refused on the way.
    """
    from kavor.app.simulation.player import play
    from kavor.app.simulation.scenario import json_schema, read_scenario

    if schema:
        click.echo(json.dumps(json_schema(), indent=2))
        return
    if scenario is None:
        raise click.UsageError("missing argument 'SCENARIO'")
    _silence_log()
    progress = _Progress()
    try:
        played = play(read_scenario(_read(scenario)), progress.told)
    finally:
        progress.end()
    app.answer(played, _print)


def _read(scenario: str) -> object:
    """The JSON of a file, or of standard input. Raises BadInput."""
    try:
        text = sys.stdin.read() if scenario == "-" else Path(scenario).read_text(encoding="utf-8")
        return json.loads(text)
    except OSError as error:
        raise BadInput(f"{scenario} cannot be read: {error.strerror}", "name a scenario file") from None
    except ValueError as error:
        raise BadInput(f"{scenario} is not one JSON document: {error}", "see docs/scenarios.md") from None


def _silence_log() -> None:
    """What the runtime would log is of a simulated past; what a person would be told is in the answer."""
    import logging

    logging.getLogger("kavor").addHandler(logging.NullHandler())


class _Progress:
    """One line on stderr, written over and over while a person watches."""

    def __init__(self) -> None:
        import time

        self._clock = time.monotonic
        self._next = self._clock() + SILENT_SECONDS
        self._shown = False

    def told(self, at: Instant) -> None:
        if self._clock() < self._next or not sys.stderr.isatty():
            return
        from kavor.domain.instant import format_instant

        self._next = self._clock() + 0.2
        self._shown = True
        click.echo(f"\rplayed up to {format_instant(at)} ", nl=False, err=True)

    def end(self) -> None:
        if self._shown:
            click.echo("\r" + " " * 40 + "\r", nl=False, err=True)


def _print(played: Document) -> None:
    parts = [part for part in played if part != "refusals"]
    for number, name in enumerate(parts):
        if number:
            click.echo()
        if "occurrences" in played[name]:
            click.echo(name)
            print_occurrences(played[name]["occurrences"])
        else:
            _print_state(name, played[name])
    if not parts:
        click.echo("The scenario was played, and reads nothing; add a step read_state.")
    if played["refusals"]:
        click.echo("\nRefused")
        print_table(
            ("step", "do", "exit code", "reason"),
            [(one["step"], one["do"], one["exit_code"], one["reason"]) for one in played["refusals"]],
            empty="",
        )


def _print_state(name: str, state: Document) -> None:
    from kavor.domain.zones import load_zone

    zone = load_zone(state["host_zone"])
    click.echo(f"{name}: {show_local(state['at'], zone)} in {state['host_zone']}")
    print_table(
        ("schedule", "state", "next", "paused because"),
        [
            (one["id"], signed(one["state"]), show_local(one["next_due"], zone), one["pause_reason"])
            for one in state["schedules"]
        ],
        empty="There are no Schedules.",
    )
    click.echo()
    print_table(
        ("attempt", "schedule", "target", "due", "delivered", "ended", "state", "note"),
        [_attempt_row(attempt, zone) for attempt in state["attempts"]],
        empty="There are no attempts.",
    )
    print_facts(
        "\nTargets",
        {target: _target_in_words(shown) for target, shown in state["targets"].items()},
    )
    if state["notices"]:
        print_facts("\nTold", {str(number): text for number, text in enumerate(state["notices"], 1)})


def _attempt_row(attempt: Document, zone: ZoneInfo) -> tuple[object, ...]:
    note = attempt["diagnostic"]
    if attempt["waiting_for"]:
        note = f"waits: {attempt['waiting_for']}"
    if (attempt["missed_count"] or 0) > 1:
        note += f" ({attempt['missed_count']} times)"
    return (
        attempt["id"],
        attempt["schedule"],
        attempt["target"],
        show_local(attempt["nominal_at"], zone) or attempt["trigger"],
        show_local(attempt["delivered_at"], zone),
        show_local(attempt["finished_at"], zone),
        signed(attempt["state"]),
        note,
    )


def _target_in_words(shown: Document) -> str:
    words = f"{shown['deliveries']} deliveries, {shown['bytes_written']} bytes"
    return f"{words}, typed: {shown['line']!r}" if shown["line"] else words

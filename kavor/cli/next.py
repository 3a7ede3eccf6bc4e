"""``kavor next``: the coming times of an expression, without a runtime."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command
from kavor.cli.occurrences import print_occurrences
from kavor.cli.options import PRESETS, count_option, preset_flags, preset_options
from kavor.cli.times import now, parse_moment
from kavor.domain.errors import BadInput

if TYPE_CHECKING:
    from kavor.domain.recurrence import Recurrence


@click.command("next", cls=Command)
@click.argument("expression", metavar="EXPR")
@preset_options
@click.option("--zone", metavar="Z", help="An IANA zone; without it the zone of this machine.")
@click.option("--after", metavar="T", help="Look from this time on, local in that zone or RFC 3339.")
@count_option
@pass_app
def next_(
    app: App, /, expression: str, zone: str | None, after: str | None, count: int, **given: Any
) -> None:
    """Show the next occurrences of a cron expression or a preset.

    EXPR is five cron fields ('20 */2 * * mon-fri') or a preset: hourly, daily, weekdays, weekly, monthly.
    Where a clock change bent a time, its line says how. No runtime is needed.
    """
    from kavor.domain.recurrence import occurrence_json, occurrences
    from kavor.domain.words import describe
    from kavor.domain.zones import load_zone

    where = load_zone(zone) if zone is not None else app.zone
    start = now() if after is None else parse_moment(after, where, now())
    recurrence = _read(expression, given)
    coming = islice(occurrences(recurrence, where, start), count)
    document = {
        "description": describe(recurrence),
        "occurrences": [occurrence_json(occurrence) for occurrence in coming],
    }
    app.answer(document, _print)


def _print(document: dict[str, Any]) -> None:
    click.echo(document["description"])
    print_occurrences(document["occurrences"])


def _read(expression: str, given: dict[str, Any]) -> Recurrence:
    from kavor.domain.recurrence import parse_recurrence, parse_recurrence_text

    flags = preset_flags(given)
    if flags and expression.lower() not in PRESETS:
        raise BadInput(
            f"--{next(iter(flags))} belongs to a preset", "for example kavor next daily --time 09:00"
        )
    if flags:
        return parse_recurrence({"preset": expression, **flags}, may_be_empty=True)
    return parse_recurrence_text(expression)

"""``kavor turn``: what CodingAgents did with each prompt."""

from __future__ import annotations

from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.attempt import call_end
from kavor.cli.command import Group
from kavor.cli.find import page_of, turn_number
from kavor.cli.options import page_options
from kavor.cli.output import first_line, print_facts, print_table, signed
from kavor.cli.times import show_local
from kavor.domain.printed import readable_output

Document = dict[str, Any]


@click.group(cls=Group)
def turn() -> None:
    """Turns of CodingAgents: each prompt that was delivered, and what came of it.

    NODE is the id of a CodingAgent, or its name where that is unique.
    """


@turn.command("list")
@page_options
@pass_app
def list_(app: App, /, **page: Any) -> None:
    """List the turns of an agent that have ended, newest first."""
    found = page_of(app.client, "turns", **page)
    app.answer(found, lambda it: _print_turns(app, it["turns"]))


@turn.command()
@click.argument("ref", metavar="T")
@pass_app
def show(app: App, ref: str) -> None:
    """Show one turn with all that is kept of it. T is its number."""
    found = app.client.get(f"/api/turns/{turn_number(ref)}")
    app.answer(found, lambda it: _print_turn(app, it))


def _print_turns(app: App, turns: list[Document]) -> None:
    print_table(
        ("id", "of", "started", "finished", "state", "diagnostic", "prompt", "last message"),
        [
            (
                one["id"],
                _origin(one),
                show_local(one["started_at"], app.zone),
                show_local(one["finished_at"], app.zone),
                signed(one["state"]),
                one["diagnostic"],
                first_line(one["prompt"], 40),
                first_line(one["last_message"], 40),
            )
            for one in turns
        ],
        empty="There are no turns.",
    )


def _print_turn(app: App, one: Document) -> None:
    print_facts(
        f"Turn {one['id']}  {signed(one['state'])}",
        {
            "of": _origin(one),
            "started": show_local(one["started_at"], app.zone),
            "finished": show_local(one["finished_at"], app.zone),
            "diagnostic": one["diagnostic"],
            "prompt": readable_output(one["prompt"]),
        },
    )
    for entry in one["entries"]:
        if entry["kind"] != "prompt":
            end = f" ({call_end(entry['data'])})" if entry["kind"] == "tool" else ""
            click.echo(f"\n[{entry['kind']}] {readable_output(entry['text'])}{end}")


def _origin(one: Document) -> str:
    """What the turn came from."""
    return f"attempt {one['attempt']}" if one["attempt"] is not None else f"message {one['message']}"

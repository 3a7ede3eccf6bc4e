"""``kavor node add``: a command for each kind of Node."""

from __future__ import annotations

from typing import Any

import click

from kavor.cli import schedule
from kavor.cli.app import App, pass_app
from kavor.cli.command import Group
from kavor.cli.find import warn_of_namesakes, workspace_id
from kavor.cli.node_card import print_node
from kavor.cli.node_options import (
    agent_options,
    colour_option,
    node_body,
    place_options,
    state_option,
    text_options,
)
from kavor.cli.options import workspace_option
from kavor.domain.graph import NodeKind, parse_kind


class KindGroup(Group):
    """Takes a kind of Node in any spelling."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0].startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        return super().resolve_command(ctx, [parse_kind(args[0]).value, *args[1:]])


@click.group(cls=KindGroup)
def add() -> None:
    """Add a Node of one KIND to a Workspace."""


add.add_command(schedule.add, NodeKind.SCHEDULE.value)


@add.command(NodeKind.CODING_AGENT.value)
@click.option("--name", required=True, metavar="N")
@click.option(
    "--provider", required=True, metavar="P", help="Such as opencode; kavor doctor names what is here."
)
@click.option("--directory", metavar="D", help="Where it works: absolute, or relative to the Workspace.")
@agent_options
@click.option("--closed", is_flag=True, help="Do not open its session yet.")
@place_options
@workspace_option
@pass_app
def coding_agent(app: App, /, workspace: str | None, closed: bool, **given: Any) -> None:
    """Add a CodingAgent: it is given prompts, and sees what it is connected to."""
    _add(app, NodeKind.CODING_AGENT, workspace, {**given, "open": not closed})


@add.command()
@click.option("--name", required=True, metavar="N")
@click.option("--shell", metavar="S", help="Path or name of the shell; without it your login shell.")
@click.option("--directory", metavar="D", help="Where it starts: absolute, or relative to the Workspace.")
@click.option("--closed", is_flag=True, help="Do not open its session yet.")
@place_options
@workspace_option
@pass_app
def terminal(app: App, /, workspace: str | None, closed: bool, **given: Any) -> None:
    """Add a Terminal: a real shell, open to commands."""
    _add(app, NodeKind.TERMINAL, workspace, {**given, "open": not closed})


@add.command()
@click.option("--name", metavar="N", help="Without it, the file's own name.")
@click.option("--path", required=True, metavar="P", help="Absolute, or relative to the Workspace.")
@place_options
@workspace_option
@pass_app
def file(app: App, /, workspace: str | None, **given: Any) -> None:
    """Add a File: connect it to a Terminal, and its shell has the path in a variable."""
    _add(app, NodeKind.FILE, workspace, given)


@add.command(NodeKind.STICKY_NOTE.value)
@click.option("--name", required=True, metavar="N")
@text_options
@colour_option
@place_options
@workspace_option
@pass_app
def sticky_note(app: App, /, workspace: str | None, **given: Any) -> None:
    """Add a Sticky Note: Markdown that persons and agents write."""
    _add(app, NodeKind.STICKY_NOTE, workspace, given)


@add.command()
@click.option("--name", required=True, metavar="N")
@click.option("--path", metavar="P", help="Of its text; without it NAME.md in the Workspace.")
@text_options
@state_option
@place_options
@workspace_option
@pass_app
def specification(app: App, /, workspace: str | None, **given: Any) -> None:
    """Add a Specification: a text that says what is wanted. A file that is there is never overwritten."""
    _add(app, NodeKind.SPECIFICATION, workspace, given)


def _add(app: App, kind: NodeKind, workspace: str | None, given: dict[str, Any]) -> None:
    body = {"kind": kind.value, **node_body(given)}
    client = app.zoneless_client
    place = workspace_id(client, workspace)
    if place is not None:
        body["workspace"] = place
    added = client.post("/api/nodes", body)
    app.answer(added, print_node)
    warn_of_namesakes(client, added)

"""``kavor connect`` and ``kavor disconnect``: the undirected lines between Nodes."""

from __future__ import annotations

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command
from kavor.cli.complete import complete_nodes
from kavor.cli.find import find_node
from kavor.cli.options import workspace_option
from kavor.domain.guardrails import NO_GUARDRAIL, Guardrail


@click.command(cls=Command)
@click.argument("a", metavar="A", shell_complete=complete_nodes)
@click.argument("b", metavar="B", shell_complete=complete_nodes)
@click.option(
    "--env",
    metavar="NAME",
    help="The variable in which a Terminal's shell has the path of a File or a Specification.",
)
@click.option(
    "--guardrail",
    type=click.Choice([*(rule.value for rule in Guardrail), NO_GUARDRAIL]),
    help="What a CodingAgent may not change; none takes it away.",
)
@workspace_option
@pass_app
def connect(app: App, a: str, b: str, env: str | None, guardrail: str | None, workspace: str | None) -> None:
    """Connect two Nodes.

    Their order means nothing. Connecting a Schedule chooses its target. What is connected already is given
    another variable or Guardrail so.
    """
    client = app.zoneless_client
    one, other = find_node(client, a, workspace), find_node(client, b, workspace)
    body = {"a": one["id"], "b": other["id"], "env": env, "guardrail": guardrail}
    made = client.post("/api/connections", {end: value for end, value in body.items() if value is not None})
    app.answer(made, lambda _: click.echo(f"{one['name']} and {other['name']} are connected."))


@click.command(cls=Command)
@click.argument("a", metavar="A", shell_complete=complete_nodes)
@click.argument("b", metavar="B", shell_complete=complete_nodes)
@workspace_option
@pass_app
def disconnect(app: App, a: str, b: str, workspace: str | None) -> None:
    """Remove the Connection between two Nodes.

    A Running Schedule that loses its target so is paused.
    """
    client = app.zoneless_client
    one, other = find_node(client, a, workspace), find_node(client, b, workspace)
    removed = client.delete("/api/connections", a=one["id"], b=other["id"])
    app.answer(removed, lambda _: click.echo(f"{one['name']} and {other['name']} are connected no longer."))

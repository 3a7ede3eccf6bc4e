"""``kavor node``: what stands on a Canvas."""

from __future__ import annotations

from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Group
from kavor.cli.find import find_node, warn_of_namesakes, workspace_id
from kavor.cli.node_add import add
from kavor.cli.node_card import label, print_node, print_nodes
from kavor.cli.node_options import agent_options, colour_option, node_body, state_option, text_options
from kavor.cli.options import node_argument, workspace_option
from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import BadInput
from kavor.domain.graph import NodeKind, parse_kind


@click.group(cls=Group)
def node() -> None:
    """Nodes: what stands on a Canvas.

    NODE is the id of a Node, or its name where that is unique.
    """


node.add_command(add)


@node.command("list")
@click.option("--kind", metavar="KIND", help="Only Nodes of this kind.")
@workspace_option
@pass_app
def list_(app: App, kind: str | None, workspace: str | None) -> None:
    """List the Nodes."""
    wanted = None if kind is None else parse_kind(kind).value
    client = app.zoneless_client
    app.answer(client.get("/api/nodes", workspace=workspace_id(client, workspace), kind=wanted), print_nodes)


@node.command()
@node_argument
@workspace_option
@pass_app
def show(app: App, ref: str, workspace: str | None) -> None:
    """Show one Node and what it is connected to."""
    app.answer(find_node(app.zoneless_client, ref, workspace), print_node)


@node.command()
@node_argument
@click.option("--name", metavar="N", help="A new name.")
@click.option("--shell", metavar="S", help="Of a Terminal; for its next session.")
@click.option("--directory", metavar="D", help="Of a Terminal or a CodingAgent; for its next session.")
@click.option("--path", metavar="P", help="Of a File or a Specification.")
@state_option
@text_options
@colour_option
@click.option("--provider", metavar="P", help="Of a CodingAgent; for its next session, as what follows.")
@agent_options
@click.option("--x", type=float, help="Where it stands on the Canvas.")
@click.option("--y", type=float)
@click.option("--revision", type=int, metavar="R", help="Refuse (5) unless this is still its revision.")
@workspace_option
@pass_app
def edit(app: App, /, ref: str, revision: int | None, workspace: str | None, **given: Any) -> None:
    """Change a Node; what is not given stays.

    What a Schedule delivers, and when, is changed by kavor schedule edit. The text of a File or a
    Specification is written into its file.
    """
    change = node_body(given)
    if not change:
        raise BadInput("nothing to change was given", "see kavor node edit --help")
    client = app.zoneless_client
    found = find_node(client, ref, workspace)
    path = f"/api/nodes/{found['id']}"
    based_on = found["revision"] if revision is None else revision
    text = change.pop("text") if "text" in change and NodeKind(found["kind"]) in NAMED_KINDS else None
    if change:
        client.patch(path, change, revision=based_on)
    if text is not None:
        present = client.get(f"{path}/text")
        client.put(f"{path}/text", {"text": text}, version=present["version"])
    changed = client.get(path)
    app.answer(changed, print_node)
    if "name" in given and given["name"] is not None:
        warn_of_namesakes(client, changed)


@node.command()
@node_argument
@workspace_option
@pass_app
def rm(app: App, ref: str, workspace: str | None) -> None:
    """Remove a Node with its Connections."""
    client = app.zoneless_client
    found = find_node(client, ref, workspace)
    removed = client.delete(f"/api/nodes/{found['id']}")
    app.answer(removed, lambda _: click.echo(f"{label(found)} {found['name']} is removed."))

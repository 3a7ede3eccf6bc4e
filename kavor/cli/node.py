"""``kavor node``: what stands on a Canvas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kavor.cli import schedule
from kavor.cli.app import App, pass_app
from kavor.cli.command import Group
from kavor.cli.find import find_node, workspace_id
from kavor.cli.options import node_argument, workspace_option
from kavor.cli.output import print_facts, print_table
from kavor.cli.session import session_state
from kavor.domain.errors import BadInput
from kavor.domain.graph import NodeKind, parse_kind


class KindGroup(Group):
    """One command for each kind of Node that can be added."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0].startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        kind = parse_kind(args[0])
        if kind not in self.commands:
            raise BadInput(
                f"a {kind.label} Node cannot be added yet", "for now use one of: " + ", ".join(self.commands)
            )
        return super().resolve_command(ctx, [kind.value, *args[1:]])


@click.group(cls=Group)
def node() -> None:
    """Nodes: what stands on a Canvas.

    NODE is the id of a Node, or its name where that is unique.
    """


@node.group(cls=KindGroup)
def add() -> None:
    """Add a Node of one KIND to a Workspace."""


add.add_command(schedule.add, NodeKind.SCHEDULE.value)


@add.command()
@click.option("--name", required=True, metavar="N")
@click.option("--shell", metavar="S", help="Path or name of the shell; without it your login shell.")
@click.option("--directory", metavar="D", help="Where it starts: absolute, or relative to the Workspace.")
@click.option("--closed", is_flag=True, help="Do not open its session yet.")
@click.option("--x", type=float, help="Where it stands on the Canvas.")
@click.option("--y", type=float)
@workspace_option
@pass_app
def terminal(app: App, /, name: str, closed: bool, workspace: str | None, **given: Any) -> None:
    """Add a Terminal: a real shell, open to commands."""
    client = app.zoneless_client
    body = {
        "kind": NodeKind.TERMINAL.value,
        "name": name,
        "open": not closed,
        "workspace": workspace_id(client, workspace),
        **given,
    }
    body["directory"] = _expanded(given["directory"])
    set_fields = {field: value for field, value in body.items() if value is not None}
    app.answer(client.post("/api/nodes", set_fields), _print_node)


@add.command()
@click.option("--name", metavar="N", help="Without it, the file's own name.")
@click.option("--path", required=True, metavar="P", help="Absolute, or relative to the Workspace.")
@click.option("--x", type=float, help="Where it stands on the Canvas.")
@click.option("--y", type=float)
@workspace_option
@pass_app
def file(app: App, /, workspace: str | None, **given: Any) -> None:
    """Add a File: connect it to a Terminal, and its shell has the path in a variable."""
    _add_named_path(app, NodeKind.FILE, workspace, given)


@add.command()
@click.option("--name", required=True, metavar="N")
@click.option("--path", metavar="P", help="Of its text; without it NAME.md in the Workspace.")
@click.option("--x", type=float, help="Where it stands on the Canvas.")
@click.option("--y", type=float)
@workspace_option
@pass_app
def specification(app: App, /, workspace: str | None, **given: Any) -> None:
    """Add a Specification: a text that says what is wanted."""
    _add_named_path(app, NodeKind.SPECIFICATION, workspace, given)


def _add_named_path(app: App, kind: NodeKind, workspace: str | None, given: dict[str, Any]) -> None:
    client = app.zoneless_client
    given["path"] = _expanded(given["path"])
    body = {"kind": kind.value, "workspace": workspace_id(client, workspace), **given}
    set_fields = {field: value for field, value in body.items() if value is not None}
    app.answer(client.post("/api/nodes", set_fields), _print_node)


@node.command("list")
@click.option("--kind", metavar="KIND", help="Only Nodes of this kind.")
@workspace_option
@pass_app
def list_(app: App, kind: str | None, workspace: str | None) -> None:
    """List the Nodes."""
    wanted = None if kind is None else parse_kind(kind).value
    client = app.zoneless_client
    app.answer(client.get("/api/nodes", workspace=workspace_id(client, workspace), kind=wanted), _print_nodes)


@node.command()
@node_argument
@workspace_option
@pass_app
def show(app: App, ref: str, workspace: str | None) -> None:
    """Show one Node and what it is connected to."""
    app.answer(find_node(app.zoneless_client, ref, workspace), _print_node)


@node.command()
@node_argument
@click.option("--name", metavar="N", help="A new name.")
@click.option("--shell", metavar="S", help="Of a Terminal; for its next session.")
@click.option("--directory", metavar="D", help="Of a Terminal; for its next session.")
@click.option("--path", metavar="P", help="Of a File or a Specification.")
@click.option("--x", type=float, help="Where it stands on the Canvas.")
@click.option("--y", type=float)
@click.option("--revision", type=int, metavar="R", help="Refuse (5) unless this is still its revision.")
@workspace_option
@pass_app
def edit(app: App, /, ref: str, revision: int | None, workspace: str | None, **given: Any) -> None:
    """Change a Node; what is not given stays.

    What a Schedule delivers, and when, is changed by kavor schedule edit.
    """
    given["directory"] = _expanded(given["directory"])
    given["path"] = _expanded(given["path"])
    change = {field: value for field, value in given.items() if value is not None}
    if not change:
        raise BadInput("nothing to change was given", "see kavor node edit --help")
    client = app.zoneless_client
    found = find_node(client, ref, workspace)
    based_on = found["revision"] if revision is None else revision
    app.answer(client.patch(f"/api/nodes/{found['id']}", change, revision=based_on), _print_node)


@node.command()
@node_argument
@workspace_option
@pass_app
def rm(app: App, ref: str, workspace: str | None) -> None:
    """Remove a Node with its Connections."""
    client = app.zoneless_client
    found = find_node(client, ref, workspace)
    removed = client.delete(f"/api/nodes/{found['id']}")
    app.answer(removed, lambda _: click.echo(f"{_label(found)} {found['name']} is removed."))


def _expanded(path: str | None) -> str | None:
    """``~`` means the home of the person who typed it."""
    return None if path is None else str(Path(path).expanduser())


def _print_node(node: dict[str, Any]) -> None:
    print_facts(
        f"{_label(node)} {node['name']}",
        {
            "id": node["id"],
            "Workspace": node.get("workspace_name") or node["workspace"],
            "shell": node.get("shell"),
            "directory": node.get("directory"),
            "path": node.get("path"),
            "session": session_state(node.get("session")),
            "connected to": "\n".join(_neighbour(one) for one in node["connections"]),
            "revision": node["revision"],
        },
    )


def _print_nodes(document: dict[str, Any]) -> None:
    print_table(
        ("id", "kind", "name", "workspace", "connected to", "session"),
        [
            (
                one["id"],
                _label(one),
                one["name"],
                one.get("workspace_name") or one["workspace"],
                ", ".join(neighbour["name"] for neighbour in one["connections"]),
                session_state(one.get("session")),
            )
            for one in document["nodes"]
        ],
        empty="There are no Nodes; kavor node add KIND --name N makes one.",
    )


def _label(node: dict[str, Any]) -> str:
    return NodeKind(node["kind"]).label


def _neighbour(connection: dict[str, Any]) -> str:
    kind = NodeKind(connection["kind"]).label
    env = f" as ${connection['env']}" if connection["env"] else ""
    return f"{kind} {connection['name']} ({connection['node']}){env}"

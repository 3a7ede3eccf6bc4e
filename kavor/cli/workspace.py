"""``kavor workspace``: a directory, and the graph on its Canvas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Group
from kavor.cli.find import find_workspace
from kavor.cli.options import workspace_argument
from kavor.cli.output import print_facts, print_table
from kavor.domain.errors import BadInput


@click.group(cls=Group)
def workspace() -> None:
    """Workspaces: a directory, and the graph on its Canvas.

    W is the id of a Workspace, or its name where that is unique.
    """


@workspace.command()
@click.argument("directory", metavar="DIR")
@click.option("--name", metavar="N", help="Without it, the name of the directory.")
@pass_app
def add(app: App, directory: str, name: str | None) -> None:
    """Add a Workspace for a directory."""
    place = Path(directory).expanduser().absolute()
    if not place.is_dir():
        raise BadInput(f"{place} is not a directory", "make it first, or name one that exists")
    body = {"directory": str(place), **({"name": name} if name is not None else {})}
    app.answer(app.zoneless_client.post("/api/workspaces", body), _print_workspace)


@workspace.command("list")
@pass_app
def list_(app: App) -> None:
    """List the Workspaces."""
    app.answer(app.zoneless_client.get("/api/workspaces"), _print_workspaces)


@workspace.command()
@workspace_argument
@pass_app
def show(app: App, ref: str) -> None:
    """Show one Workspace."""
    app.answer(find_workspace(app.zoneless_client, ref), _print_workspace)


@workspace.command()
@workspace_argument
@click.option("--nodes", is_flag=True, help="Remove its Nodes too; without it they keep it.")
@pass_app
def rm(app: App, ref: str, nodes: bool) -> None:
    """Remove a Workspace from Kavor; its directory stays as it is."""
    client = app.zoneless_client
    found = find_workspace(client, ref)
    removed = client.delete(f"/api/workspaces/{found['id']}", nodes="remove" if nodes else None)
    app.answer(removed, lambda _: click.echo(f"Workspace {found['name']} is removed."))


def _print_workspace(workspace: dict[str, Any]) -> None:
    print_facts(
        f"Workspace {workspace['name']}", {"id": workspace["id"], "directory": workspace["directory"]}
    )


def _print_workspaces(document: dict[str, Any]) -> None:
    print_table(
        ("id", "name", "directory"),
        [(one["id"], one["name"], one["directory"]) for one in document["workspaces"]],
        empty="There are no Workspaces; kavor workspace add DIR makes one.",
    )

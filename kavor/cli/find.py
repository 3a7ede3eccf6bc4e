"""Find what a person names: by id, or by a name where it is unique."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kavor.domain.errors import Ambiguous, BadInput, NotFound

if TYPE_CHECKING:
    from kavor.api.client import Client

Document = dict[str, Any]


def find_workspace(client: Client, ref: str) -> Document:
    """The Workspace with this id or name. Raises NotFound or Ambiguous."""
    return _find(client, "/api/workspaces", "workspaces", "Workspace", ref, {})


def workspace_id(client: Client, ref: str | None) -> str | None:
    """The id of the Workspace that ``--workspace`` names; None where it was not given."""
    return None if ref is None else str(find_workspace(client, ref)["id"])


def find_node(client: Client, ref: str, workspace: str | None, kind: str | None = None) -> Document:
    """The Node with this id or name, in that Workspace where one is named. Raises NotFound or Ambiguous."""
    within = {"workspace": workspace_id(client, workspace), "kind": kind}
    return _find(client, "/api/nodes", "nodes", _noun(kind), ref, within)


def page_of(
    client: Client, what: str, ref: str, *, before: int | None, limit: int, workspace: str | None
) -> Document:
    """A page of the messages or the turns of the CodingAgent that ``page_options`` name, newest first. Raises
    NotFound or Ambiguous."""
    node = find_node(client, ref, workspace)
    return client.get(f"/api/nodes/{node['id']}/{what}", before=before, limit=limit)


def find_schedule(client: Client, ref: str, workspace: str | None) -> Document:
    """The Schedule with this id or name, in that Workspace where one is named. Raises NotFound or
    Ambiguous."""
    within = {"workspace": workspace_id(client, workspace)}
    return _find(client, "/api/schedules", "schedules", "Schedule", ref, within)


def warn_of_namesakes(client: Client, node: Document) -> None:
    """Say on stderr that another Node of its Workspace is called like one that was just named."""
    found = client.get("/api/nodes", ref=node["name"], workspace=node["workspace"])["nodes"]
    others = [each for each in found if each["name"] == node["name"] and each["id"] != node["id"]]
    if others:
        click.echo(
            f"warning: {len(others) + 1} Nodes are called {node['name']!r} now; refer to this one by its id, "
            f"{node['id']}",
            err=True,
        )


def attempt_number(ref: str) -> int:
    """The id of an attempt, which is a number. Raises BadInput."""
    return _number(ref, "an attempt", "kavor attempts lists them")


def message_number(ref: str) -> int:
    """The id of a message, which is a number. Raises BadInput."""
    return _number(ref, "a message", "kavor message list NODE shows them")


def turn_number(ref: str) -> int:
    """The id of an agent's turn, which is a number. Raises BadInput."""
    return _number(ref, "a turn", "kavor turn list NODE shows them")


def _number(ref: str, of_what: str, hint: str) -> int:
    if not (ref.isascii() and ref.isdigit()):
        raise BadInput(f"{ref!r} is not the number of {of_what}", hint)
    return int(ref)


def _find(
    client: Client, path: str, key: str, noun: str, ref: str, within: dict[str, str | None]
) -> Document:
    found: list[Document] = client.get(path, ref=ref, **within)[key]
    exact = [thing for thing in found if thing["id"] == ref] or found
    if len(exact) == 1:
        return exact[0]
    if exact:
        raise Ambiguous(
            f"{len(exact)} {noun}s are called {ref!r}", "use an id", [_describe(thing) for thing in exact]
        )
    raise NotFound(f"there is no {noun} {ref!r}", _near(client.get(path, **within)[key], noun, ref))


def _describe(thing: Document) -> str:
    workspace = thing.get("workspace_name") or thing.get("workspace")
    place = f"Workspace {workspace}" if workspace else thing.get("directory")
    return f"{thing['id']} {thing['name']}, {place}"


def _near(things: list[Document], noun: str, ref: str) -> str:
    import difflib

    names = [str(thing["name"]) for thing in things]
    folded = {name.casefold(): name for name in names}
    near = [folded[name] for name in difflib.get_close_matches(ref.casefold(), folded)]
    if near:
        return f"did you mean {' or '.join(near)}?"
    if len(names) > 8:
        lists = "node" if noun not in ("Workspace", "Schedule") else noun.lower()
        return f"there are {len(names)} others; kavor {lists} list shows them"
    return f"there are: {', '.join(names)}" if names else f"there is no {noun} at all yet"


def _noun(kind: str | None) -> str:
    return "Node" if kind is None else kind.capitalize()

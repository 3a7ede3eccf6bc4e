"""What is kept of Nodes that are deleted, and how they are brought back. Runs off the GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kavor.api.client import Client
from kavor.canvas.things import Connection
from kavor.domain.errors import BadInput, KavorError, NotFound, Refused
from kavor.domain.graph import NodeKind

Document = dict[str, Any]

_OF_EVERY_NODE = ("workspace", "kind", "name", "x", "y")
_OF_A_TERMINAL = ("shell", "directory")
_OF_AN_AGENT = (
    "provider",
    "command",
    "model",
    "directory",
    "keep_open",
    "allow_editing",
    "turn_limit_s",
)
_OF_A_NOTE = ("text", "colour")
_OF_A_SCHEDULE = ("payload", "recurrence", "overlap", "catchup", "misfire_grace_s", "pending_limit_s")


@dataclass
class Kept:
    """``new`` documents, by the id that each had, make the Nodes again."""

    nodes: dict[str, Document] = field(default_factory=dict)
    connections: list[Connection] = field(default_factory=list)
    had_session: set[str] = field(default_factory=set)
    had_history: set[str] = field(default_factory=set)
    was_running: set[str] = field(default_factory=set)
    in_doubt: set[str] = field(default_factory=set)
    """Those of which nobody said whether they were deleted."""
    stopped: KavorError | None = None
    """Why not all of them were deleted."""


@dataclass
class PutBack:
    made: dict[str, str] = field(default_factory=dict)
    """The new ids, by those that the Nodes had."""
    refused: list[KavorError] = field(default_factory=list)
    """What cannot come back, however often it is tried."""
    stopped: KavorError | None = None
    """Why the rest is not back yet."""
    rest: Kept = field(default_factory=Kept)


def take(client: Client, node_ids: Sequence[str], connections: Sequence[Connection]) -> Kept:
    """Delete Nodes; those that are gone already are passed over. Raises KavorError where none was deleted;
    otherwise what is kept is of those that were."""
    read = Kept()
    for node_id in node_ids:  # all, before the first is deleted: what cannot be read stops nothing halfway
        _read(client, node_id, read)
    kept = Kept(had_session=read.had_session, had_history=read.had_history, was_running=read.was_running)
    for node_id, new in read.nodes.items():
        try:
            client.delete(f"/api/nodes/{node_id}")
        except NotFound:
            continue
        except KavorError as error:
            kept.stopped = error
            if _is_there(client, node_id):
                break
            kept.in_doubt.add(node_id)
        kept.nodes[node_id] = new
        if kept.stopped is not None:
            break
    if kept.stopped is not None and not kept.nodes:
        raise kept.stopped
    kept.connections = [each for each in connections if {each.a, each.b} & kept.nodes.keys()]
    return kept


def _read(client: Client, node_id: str, kept: Kept) -> None:
    """What makes a Node again, if it is there."""
    try:
        document = client.get(f"/api/nodes/{node_id}")
        new = {name: document[name] for name in _OF_EVERY_NODE}
        match document["kind"]:
            case NodeKind.TERMINAL:
                new |= {name: document[name] for name in _OF_A_TERMINAL}
                new["open"] = document["session"]["state"] == "open"
            case NodeKind.SCHEDULE:
                schedule = client.get(f"/api/schedules/{node_id}")
                new |= {name: schedule[name] for name in _OF_A_SCHEDULE}
                if not schedule["payload"]:
                    del new["payload"]  # none is not the same as an empty one, which is refused
                _note_schedule(kept, node_id, schedule)
            case NodeKind.CODING_AGENT:
                new |= {name: document[name] for name in _OF_AN_AGENT}
                new["open"] = document["session"]["state"] == "open"
            case NodeKind.STICKY_NOTE:
                new |= {name: document[name] for name in _OF_A_NOTE}
            case NodeKind.SPECIFICATION:
                new |= {"path": document["path"], "state": document["state"]}
            case NodeKind.FILE:
                new["path"] = document["path"]
    except NotFound:
        return
    if new.get("open"):
        kept.had_session.add(node_id)
    kept.nodes[node_id] = new


def _note_schedule(kept: Kept, node_id: str, schedule: Document) -> None:
    if schedule["last_attempt"] is not None:
        kept.had_history.add(node_id)
    if schedule["state"] == "Running":
        kept.was_running.add(node_id)


def _is_there(client: Client, node_id: str) -> bool:
    """False where nobody answers, too."""
    try:
        client.get(f"/api/nodes/{node_id}")
    except KavorError:
        return False
    return True


def put_back(client: Client, kept: Kept, others: dict[str, str]) -> PutBack:
    """Make the Nodes again, and what joined them.

    ``others`` are the present ids of the Nodes at the other ends. Connections to what is gone stay gone.
    Raises KavorError where no Node can be made.
    """
    back = PutBack(rest=replace(kept, nodes=dict(kept.nodes), connections=list(kept.connections)))
    try:
        _put_nodes_back(client, back)
        if back.refused and not back.made:
            raise back.refused[0]
        _put_connections_back(client, back, others | back.made)
    except KavorError as error:
        if not back.made:
            raise
        back.stopped = error
    return back


def _put_nodes_back(client: Client, back: PutBack) -> None:
    for node_id, new in tuple(back.rest.nodes.items()):
        if not (node_id in back.rest.in_doubt and _is_there(client, node_id)):
            try:
                back.made[node_id] = client.post("/api/nodes", new)["id"]
            except (BadInput, Refused) as error:
                back.refused.append(error)
        del back.rest.nodes[node_id]


def _put_connections_back(client: Client, back: PutBack, now: dict[str, str]) -> None:
    for connection in tuple(back.rest.connections):
        ends = {"a": now[connection.a], "b": now[connection.b]}
        try:
            client.post(
                "/api/connections", {**ends, "env": connection.env, "guardrail": connection.guardrail}
            )
        except NotFound:
            pass
        except (BadInput, Refused) as error:
            back.refused.append(error)
        back.rest.connections.remove(connection)

"""What is kept of Nodes that are deleted, and how they are brought back. Runs off the GUI thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kavor.api.client import Client
from kavor.canvas.things import Connection
from kavor.domain.errors import KavorError, NotFound
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


def take(client: Client, node_ids: Iterable[str], connections: Sequence[Connection]) -> Kept:
    """Delete Nodes; those that are gone already are passed over. Raises KavorError where none could be
    deleted; otherwise what is kept is of those that were."""
    kept = Kept(connections=list(connections))
    for node_id in node_ids:
        try:
            document = client.get(f"/api/nodes/{node_id}")
            new = {name: document[name] for name in _OF_EVERY_NODE}
            if document["kind"] == NodeKind.TERMINAL:
                new |= {name: document[name] for name in _OF_A_TERMINAL}
                new["open"] = document["session"]["state"] == "open"
            elif document["kind"] == NodeKind.SCHEDULE:
                schedule = client.get(f"/api/schedules/{node_id}")
                new |= {name: schedule[name] for name in _OF_A_SCHEDULE}
                if not schedule["payload"]:
                    del new["payload"]  # none is not the same as an empty one, which is refused
                _note_schedule(kept, node_id, schedule)
            elif document["kind"] == NodeKind.CODING_AGENT:
                new |= {name: document[name] for name in _OF_AN_AGENT}
                new["open"] = document["session"]["state"] == "open"
            elif document["kind"] == NodeKind.STICKY_NOTE:
                new |= {name: document[name] for name in _OF_A_NOTE}
            elif document["kind"] == NodeKind.SPECIFICATION:
                new |= {"path": document["path"], "state": document["state"]}
            elif document["kind"] == NodeKind.FILE:
                new["path"] = document["path"]
            client.delete(f"/api/nodes/{node_id}")
        except NotFound:
            continue
        if new.get("open"):
            kept.had_session.add(node_id)
        kept.nodes[node_id] = new
    return kept


def _note_schedule(kept: Kept, node_id: str, schedule: Document) -> None:
    if schedule["last_attempt"] is not None:
        kept.had_history.add(node_id)
    if schedule["state"] == "Running":
        kept.was_running.add(node_id)


def put_back(client: Client, kept: Kept, others: dict[str, str]) -> tuple[dict[str, str], list[KavorError]]:
    """Make the Nodes again, and what joined them; the new ids by the ones kept, and what was refused.

    ``others`` are the present ids of the Nodes at the other ends. Connections to what is gone stay gone.
    Raises KavorError where no Node could be made.
    """
    made: dict[str, str] = {}
    refused: list[KavorError] = []
    for node_id, new in kept.nodes.items():
        try:
            made[node_id] = client.post("/api/nodes", new)["id"]
        except KavorError as error:
            refused.append(error)
    if refused and not made:
        raise refused[0]
    now = others | made
    for connection in kept.connections:
        try:
            client.post(
                "/api/connections",
                {
                    "a": now[connection.a],
                    "b": now[connection.b],
                    "env": connection.env,
                    "guardrail": connection.guardrail,
                },
            )
        except NotFound:
            continue
        except KavorError as error:
            refused.append(error)
    return made, refused

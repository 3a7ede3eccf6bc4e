"""How Nodes and Connections are shown, each kind with what it has beside a name and a place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.engine import Connection
from typing_extensions import TypedDict

from kavor.domain.graph import NodeKind
from kavor.domain.instant import format_instant
from kavor.domain.specification import SpecificationState
from kavor.runtime.environment import environment_of
from kavor.runtime.file_access import FileAccess
from kavor.runtime.file_views import FileView, look_at_files
from kavor.runtime.session_views import SessionView
from kavor.store import coding_agents, documents, workspaces
from kavor.store.coding_agents import CodingAgentRow
from kavor.store.documents import StickyNoteRow
from kavor.store.workspaces import ConnectionRow, NodeRow, TerminalRow


class NeighbourView(TypedDict):
    node: str
    kind: str
    name: str
    env: str | None
    guardrail: str | None


class NodeView(TypedDict, total=False):
    id: str
    workspace: str
    workspace_name: str
    kind: str
    name: str
    x: float
    y: float
    revision: int
    created_at: str
    connections: list[NeighbourView]
    shell: str | None
    directory: str
    path: str
    file: FileView
    """Put in by `show_files`."""
    state: str
    text: str
    colour: str
    provider: str
    command: list[str]
    model: str | None
    keep_open: bool
    allow_editing: bool
    turn_limit_s: float
    session: SessionView


class ConnectionView(TypedDict):
    id: int
    a: str
    b: str
    env: str | None
    guardrail: str | None


ShowSession = Callable[[NodeRow, str, Mapping[str, str] | CodingAgentRow], SessionView]
"""Of a Node, from what is wanted of its session, and from what it would be started with now: a Terminal's
environment, or how an agent is set up."""


@dataclass(frozen=True)
class _Details:
    """What Nodes have beside a name and a place, by Node."""

    terminals: Mapping[str, TerminalRow]
    agents: Mapping[str, CodingAgentRow]
    paths: Mapping[str, str]
    states: Mapping[str, SpecificationState]
    notes: Mapping[str, StickyNoteRow]


def connection_view(row: ConnectionRow) -> ConnectionView:
    return {
        "id": row.id,
        "a": row.a,
        "b": row.b,
        "env": row.environment_name,
        "guardrail": row.guardrail,
    }


def node_view(tx: Connection, row: NodeRow, session: ShowSession) -> NodeView:
    found = workspaces.connections_of(tx, row.id)
    others = workspaces.nodes_by_id(tx, [connection.other(row.id) for connection in found])
    place = workspaces.workspace(tx, row.workspace_id)
    ids = [row.id, *others]
    terminal = workspaces.terminal(tx, row.id) if row.kind is NodeKind.TERMINAL else None
    details = _Details(
        terminals={row.id: terminal} if terminal is not None else {},
        agents=coding_agents.coding_agents_by_id(tx, [row.id]) if row.kind is NodeKind.CODING_AGENT else {},
        paths=documents.paths(tx, ids),
        states=documents.specification_states(tx, [row.id]) if row.kind is NodeKind.SPECIFICATION else {},
        notes=documents.sticky_notes_by_id(tx, [row.id]) if row.kind is NodeKind.STICKY_NOTE else {},
    )
    return _node(row, place.name if place is not None else "", found, others, details, session)


def node_views(tx: Connection, rows: Sequence[NodeRow], session: ShowSession) -> list[NodeView]:
    """Many at once, with as many questions of the database as one costs."""
    names = {place.id: place.name for place in workspaces.list_workspaces(tx)}
    found: defaultdict[str, list[ConnectionRow]] = defaultdict(list)
    for connection in workspaces.list_connections(tx):
        found[connection.a].append(connection)
        found[connection.b].append(connection)
    known = {row.id: row for row in rows}
    beyond = {end for row in rows for c in found[row.id] for end in (c.a, c.b)} - known.keys()
    if beyond:
        known.update(workspaces.nodes_by_id(tx, beyond))
    details = _Details(
        terminals={terminal.node_id: terminal for terminal in workspaces.list_terminals(tx)},
        agents=coding_agents.coding_agents_by_id(tx),
        paths=documents.paths(tx),
        states=documents.specification_states(tx),
        notes=documents.sticky_notes_by_id(tx),
    )
    return [
        _node(row, names.get(row.workspace_id, ""), found[row.id], known, details, session) for row in rows
    ]


async def show_files(files: FileAccess, views: Iterable[NodeView]) -> None:
    """Put in what stands at the paths of Files and Specifications, which the store does not know."""
    with_path = [view for view in views if "path" in view]
    found = await look_at_files(files, {view["path"] for view in with_path})
    for view in with_path:
        view["file"] = found[view["path"]]


def _node(
    row: NodeRow,
    workspace_name: str,
    found: Sequence[ConnectionRow],
    others: Mapping[str, NodeRow],
    details: _Details,
    session: ShowSession,
) -> NodeView:
    view: NodeView = {
        "id": row.id,
        "workspace": row.workspace_id,
        "workspace_name": workspace_name,
        "kind": row.kind,
        "name": row.name,
        "x": row.x,
        "y": row.y,
        "revision": row.revision,
        "created_at": format_instant(row.created_at),
        "connections": [_neighbour(others[c.other(row.id)], c) for c in found],
    }
    if row.id in details.terminals:
        terminal = details.terminals[row.id]
        view["shell"] = terminal.shell
        view["directory"] = terminal.directory
        view["session"] = session(row, terminal.wanted, environment_of(row.id, found, details.paths))
    if row.id in details.agents:
        _show_agent(view, details.agents[row.id])
        view["session"] = session(row, details.agents[row.id].wanted, details.agents[row.id])
    if row.id in details.paths:
        view["path"] = details.paths[row.id]
    if row.id in details.states:
        view["state"] = details.states[row.id]
    if row.id in details.notes:
        view["text"] = details.notes[row.id].text
        view["colour"] = details.notes[row.id].colour
    return view


def _neighbour(other: NodeRow, connection: ConnectionRow) -> NeighbourView:
    return {
        "node": other.id,
        "kind": other.kind,
        "name": other.name,
        "env": connection.environment_name,
        "guardrail": connection.guardrail,
    }


def _show_agent(view: NodeView, row: CodingAgentRow) -> None:
    settings = row.settings
    view["provider"] = settings.provider
    view["command"] = list(settings.command)
    view["model"] = settings.model
    view["directory"] = row.directory
    view["keep_open"] = settings.keep_open
    view["allow_editing"] = settings.may_edit
    view["turn_limit_s"] = settings.turn_limit_ms / 1000

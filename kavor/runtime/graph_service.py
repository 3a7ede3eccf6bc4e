"""What may be asked of Workspaces, Nodes and Connections."""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy.engine import Connection
from typing_extensions import TypedDict

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, Conflict, NotFound, Refused
from kavor.domain.graph import NodeKind, check_pair
from kavor.domain.instant import Instant
from kavor.domain.schedule import ScheduleState
from kavor.runtime.environment import path_of, tell_terminals, variable_of
from kavor.runtime.events import Change
from kavor.runtime.find import check_name, find_node, find_workspace, matching_nodes, matching_workspaces
from kavor.runtime.placement import free_place
from kavor.runtime.runtime import Runtime
from kavor.runtime.targets import is_available
from kavor.runtime.turn import Turn
from kavor.runtime.views import ConnectionView, NodeView, Views, WorkspaceView
from kavor.sessions.session import SessionSpec
from kavor.store import ledger, schedules, workspaces
from kavor.store.workspaces import NodeRow, TerminalRow, WorkspaceRow


class NodeFields(TypedDict, total=False):
    """What an edit of a Node may set."""

    name: str
    x: float
    y: float
    directory: str
    shell: str | None
    path: str


class GraphService:
    def __init__(self, runtime: Runtime, views: Views) -> None:
        self._runtime = runtime
        self._views = views

    # --- Workspaces

    async def workspaces(self, ref: str | None = None) -> list[WorkspaceView]:
        def ask(view: Connection) -> list[WorkspaceView]:
            rows = workspaces.list_workspaces(view) if ref is None else matching_workspaces(view, ref)
            return [self._views.workspace(row) for row in rows]

        return await self._runtime.read(ask)

    async def workspace(self, ref: str) -> WorkspaceView:
        return await self._runtime.read(lambda view: self._views.workspace(find_workspace(view, ref)))

    async def add_workspace(self, directory: str, name: str | None) -> WorkspaceView:
        """Raises BadInput for a directory that is not there, or a name that is taken."""

        def make(turn: Turn, tx: Connection) -> WorkspaceView:
            place = _workspace_directory(directory)
            row = WorkspaceRow(
                id=secrets.token_hex(4),
                name=check_name(name if name is not None else place.name or "/"),
                directory=str(place),
                revision=1,
                created_at=self._runtime.clock.now(),
            )
            if any(other.name == row.name for other in workspaces.list_workspaces(tx)):
                raise BadInput(f"there is a Workspace {row.name!r} already", "choose another with --name")
            workspaces.add_workspace(tx, row)
            turn.changes.append(Change("workspace", row.id, "created"))
            return self._views.workspace(row)

        return await self._runtime.change(make)

    async def remove_workspace(self, ref: str, *, with_nodes: bool) -> str:
        """Its directory is not touched. Raises Refused while it has Nodes, unless they may go too."""
        row, nodes = await self._runtime.read(
            lambda view: (
                found := find_workspace(view, ref),
                workspaces.list_nodes(view, workspace_id=found.id),
            )
        )
        if nodes and not with_nodes:
            raise Refused(
                f"the Workspace {row.name!r} still has {len(nodes)} Nodes",
                "remove them first, or give --nodes to remove them with it",
            )
        for node in nodes:
            await self.remove_node(node.id)

        def remove(turn: Turn, tx: Connection) -> str:
            if workspaces.list_nodes(tx, workspace_id=row.id):
                raise Refused(
                    f"a Node was added to the Workspace {row.name!r} meanwhile", "look at it, then try again"
                )
            workspaces.remove_workspace(tx, row.id)
            turn.changes.append(Change("workspace", row.id, "removed"))
            return row.id

        return await self._runtime.change(remove)

    # --- Nodes

    async def nodes(self, *, workspace: str | None, kind: NodeKind | None, ref: str | None) -> list[NodeView]:
        def ask(view: Connection) -> list[NodeView]:
            workspace_id = None if workspace is None else find_workspace(view, workspace).id
            if ref is not None:
                rows = matching_nodes(view, ref, kind=kind, workspace_id=workspace_id)
            else:
                rows = workspaces.list_nodes(view, workspace_id=workspace_id, kind=kind)
            return self._views.nodes(view, rows)

        return await self._runtime.read(ask)

    async def node(self, ref: str) -> NodeView:
        return await self._runtime.read(lambda view: self._views.node(view, find_node(view, ref)))

    async def add_terminal(
        self,
        name: str,
        *,
        workspace: str | None,
        shell: str | None,
        directory: str | None,
        x: float | None,
        y: float | None,
        open_session: bool,
    ) -> NodeView:
        """A Terminal, with its shell started unless told otherwise; without a position, at a free place.

        Raises BadInput with nothing kept.
        """

        def make(turn: Turn, tx: Connection) -> tuple[NodeRow, TerminalRow]:
            place = find_workspace(tx, workspace)
            node = self._new_node(tx, place, NodeKind.TERMINAL, name, x, y)
            terminal = TerminalRow(
                node_id=node.id,
                directory=_directory(place, directory),
                shell=shell,
                wanted="open" if open_session else "closed",
            )
            workspaces.add_node(tx, node)
            workspaces.add_terminal(tx, terminal)
            turn.changes.append(Change("node", node.id, "created"))
            return node, terminal

        node, terminal = await self._runtime.change(make)
        if open_session:
            try:
                await self._runtime.supervisor.open(
                    SessionSpec(id=node.id, directory=terminal.directory, shell=terminal.shell)
                )
            except Exception:
                await self._runtime.change(lambda turn, tx: _drop_node(tx, turn, node))
                raise
        return await self.node(node.id)

    async def add_named_path(
        self,
        kind: NodeKind,
        name: str | None,
        *,
        workspace: str | None,
        path: str | None,
        x: float | None,
        y: float | None,
    ) -> NodeView:
        """A File, named after itself unless told otherwise, or a Specification. Raises BadInput for a path
        that will not do."""

        def make(turn: Turn, tx: Connection) -> NodeView:
            place = find_workspace(tx, workspace)
            chosen = name or (Path(path).name if path else kind.label)
            node = self._new_node(tx, place, kind, chosen, x, y)
            workspaces.add_node(tx, node)
            workspaces.add_path(tx, kind, node.id, path_of(place, kind, node.name, path))
            turn.changes.append(Change("node", node.id, "created"))
            return self._views.node(tx, node)

        return await self._runtime.change(make)

    def _new_node(
        self, tx: Connection, place: WorkspaceRow, kind: NodeKind, name: str, x: float | None, y: float | None
    ) -> NodeRow:
        free_x, free_y = free_place(tx, place.id, kind)
        return NodeRow(
            id=secrets.token_hex(4),
            workspace_id=place.id,
            kind=kind,
            name=check_name(name),
            x=free_x if x is None else x,
            y=free_y if y is None else y,
            revision=1,
            created_at=self._runtime.clock.now(),
        )

    async def edit_node(self, ref: str, fields: NodeFields, *, revision: int | None) -> NodeView:
        """Raises Conflict over a stale revision. A move alone needs none: the last one wins."""

        def save(turn: Turn, tx: Connection) -> NodeView:
            row = find_node(tx, ref)
            moves_only = set(fields) <= {"x", "y"}
            if not moves_only and revision != row.revision:
                raise Conflict(
                    f"{row.name!r} was edited meanwhile: it is at revision {row.revision}, not {revision}",
                    "look at the present text and save again",
                )
            values: dict[str, object] = {} if moves_only else {"revision": row.revision + 1}
            if "name" in fields:
                values["name"] = check_name(fields["name"])
            if "x" in fields:
                values["x"] = fields["x"]
            if "y" in fields:
                values["y"] = fields["y"]
            workspaces.change_node(tx, row.id, values)
            self._save_terminal(tx, row, fields)
            if "path" in fields:
                place = find_workspace(tx, row.workspace_id)
                workspaces.change_path(
                    tx, row.kind, row.id, path_of(place, row.kind, row.name, fields["path"])
                )
                tell_terminals(tx, turn, row.id)
            turn.changes.append(Change("node", row.id))
            if row.kind is NodeKind.SCHEDULE:
                turn.changes.append(Change("schedule", row.id))
            return self._views.node(tx, find_node(tx, row.id))

        return await self._runtime.change(save)

    def _save_terminal(self, tx: Connection, row: NodeRow, fields: NodeFields) -> None:
        values: dict[str, object] = {}
        if "directory" in fields:
            place = find_workspace(tx, row.workspace_id)
            values["directory"] = _directory(place, fields["directory"])
        if "shell" in fields:
            values["shell"] = fields["shell"]
        if values and row.kind is not NodeKind.TERMINAL:
            raise BadInput(f"a {row.kind.label} has no directory and no shell", "only a Terminal has")
        workspaces.change_terminal(tx, row.id, values)

    async def remove_node(self, ref: str, kind: NodeKind | None = None) -> str:
        """Its session is ended; a Schedule that aimed at it is paused with the reason (K+2).

        Attempts stay on record; what waits in a slot, for it or of it, is Blocked.
        """
        row = await self._runtime.read(lambda view: find_node(view, ref, kind))
        if row.kind is NodeKind.TERMINAL:
            await self._runtime.supervisor.close(row.id)

        def remove(turn: Turn, tx: Connection) -> str:
            for connection in workspaces.connections_of(tx, row.id):
                if connection.schedule_id not in (None, row.id):
                    _pause_without_target(tx, turn, str(connection.schedule_id), row.name, "removed")
            self._runtime.arbiter.block_waiting(tx, row.id, "its target was removed", turn)
            if row.kind is NodeKind.SCHEDULE:
                for waiting in ledger.list_attempts(tx, schedule_id=row.id, states=[AttemptState.PENDING]):
                    self._runtime.arbiter.withdraw(tx, waiting, turn, "its Schedule was removed")
            self._runtime.targets.forget(row.id)
            _drop_node(tx, turn, row)
            return row.id

        return await self._runtime.change(remove)

    # --- Connections

    async def connections(self, workspace: str | None) -> list[ConnectionView]:
        def ask(view: Connection) -> list[ConnectionView]:
            workspace_id = None if workspace is None else find_workspace(view, workspace).id
            rows = workspaces.list_connections(view, workspace_id=workspace_id)
            return [self._views.connection(row) for row in rows]

        return await self._runtime.read(ask)

    async def connect(self, one: str, other: str, environment_name: str | None) -> ConnectionView:
        """Join two Nodes. Raises Refused for a pair that may not be joined; joining twice changes nothing."""

        def join(turn: Turn, tx: Connection) -> ConnectionView:
            a, b = find_node(tx, one), find_node(tx, other)
            connect(tx, turn, a.id, b.id, environment_name=environment_name, now=self._runtime.clock.now())
            made = workspaces.connection_between(tx, a.id, b.id)
            assert made is not None
            return self._views.connection(made)

        return await self._runtime.change(join)

    async def disconnect(self, one: str, other: str) -> ConnectionView:
        """Taking a Running Schedule's target away pauses it, with the reason kept (decision 2)."""

        def part(turn: Turn, tx: Connection) -> ConnectionView:
            a, b = find_node(tx, one), find_node(tx, other)
            row = workspaces.connection_between(tx, a.id, b.id)
            if row is None:
                raise NotFound(f"{a.name!r} and {b.name!r} are not connected", "kavor node show lists them")
            tell_terminals(tx, turn, a.id, b.id)
            workspaces.remove_connection(tx, row.id)
            if row.schedule_id is not None:
                target = b if row.schedule_id == a.id else a
                _pause_without_target(tx, turn, row.schedule_id, target.name, "disconnected")
                # The Connection alone says what a Schedule aims at (K+3): nothing of it goes there now.
                for waiting in ledger.list_attempts(
                    tx, schedule_id=row.schedule_id, states=[AttemptState.PENDING]
                ):
                    self._runtime.arbiter.withdraw(tx, waiting, turn, "its target was disconnected")
            turn.changes.append(Change("connection", str(row.id), "removed"))
            return self._views.connection(row)

        return await self._runtime.change(part)


def connect(
    tx: Connection, turn: Turn, one: str, other: str, *, environment_name: str | None, now: Instant
) -> None:
    """Join two Nodes within a transaction; of a joined pair, another variable may be chosen so.

    Raises Refused or BadInput.
    """
    a, b = find_node(tx, one), find_node(tx, other)
    check_pair(a.id, a.kind, b.id, b.kind)
    if a.workspace_id != b.workspace_id:
        raise Refused(
            f"{a.name!r} and {b.name!r} are in different Workspaces", "connect Nodes of one Workspace"
        )
    held_already = workspaces.connection_between(tx, a.id, b.id)
    if held_already is not None and environment_name in (None, held_already.environment_name):
        return
    variable = variable_of(tx, a, b, environment_name)
    if held_already is not None:
        workspaces.change_connection(tx, held_already.id, environment_name=variable)
        turn.changes.append(Change("connection", str(held_already.id)))
        tell_terminals(tx, turn, a.id, b.id)
        return
    schedule = next((node for node in (a, b) if node.kind is NodeKind.SCHEDULE), None)
    if schedule is not None:
        held = workspaces.target_of(tx, schedule.id)
        if held is not None:
            target = workspaces.node(tx, held)
            raise Refused(
                f"{schedule.name!r} has a target already: {target.name if target else held!r}",
                "a Schedule has one direct target; disconnect that one first",
            )
    workspaces.add_connection(
        tx,
        a.id,
        b.id,
        schedule_id=schedule.id if schedule else None,
        environment_name=variable,
        created_at=now,
    )
    made = workspaces.connection_between(tx, a.id, b.id)
    assert made is not None
    turn.changes.append(Change("connection", str(made.id), "created"))
    tell_terminals(tx, turn, a.id, b.id)
    if schedule is not None:
        turn.changes.append(Change("schedule", schedule.id))


def _pause_without_target(
    tx: Connection, turn: Turn, schedule_id: str, target_name: str, what_happened: str
) -> None:
    row = schedules.schedule(tx, schedule_id)
    if row is not None and row.state is ScheduleState.RUNNING:
        schedules.pause(tx, schedule_id, f"its target {target_name!r} was {what_happened}")
    turn.changes.append(Change("schedule", schedule_id))


def _drop_node(tx: Connection, turn: Turn, node: NodeRow) -> None:
    """Its Connections go with it."""
    tell_terminals(tx, turn, node.id)
    for connection in workspaces.connections_of(tx, node.id):
        turn.changes.append(Change("connection", str(connection.id), "removed"))
    workspaces.remove_node(tx, node.id)
    if node.kind is NodeKind.SCHEDULE:
        turn.changes.append(Change("schedule", node.id, "removed"))
    turn.changes.append(Change("node", node.id, "removed"))


def _workspace_directory(given: str) -> Path:
    directory = _expanded(given)
    if not directory.is_absolute():
        raise BadInput(f"{given!r} is not an absolute path", "give the whole path of the directory")
    if not is_available(str(directory)):
        raise BadInput(f"there is no directory {directory}", "make it first: mkdir -p DIR")
    return directory.resolve()


def _expanded(given: str) -> Path:
    """With ``~`` as the home it stands for. Raises BadInput."""
    try:
        return Path(given).expanduser()
    except RuntimeError:
        raise BadInput(f"there is no home for {given!r}", "give the whole path") from None


def _directory(place: WorkspaceRow, given: str | None) -> str:
    """A Terminal's directory, from what was given relative to its Workspace. Raises BadInput."""
    directory = Path(place.directory, _expanded(given)) if given else Path(place.directory)
    if not is_available(str(directory)):
        raise BadInput(f"there is no directory {directory}", "make it first, or give another --directory")
    return str(directory.resolve())

"""What may be asked of Nodes and Connections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from sqlalchemy.engine import Connection

from kavor.domain.attempts import AttemptState
from kavor.domain.environment import NAMED_KINDS
from kavor.domain.graph import TARGET_KINDS, NodeKind
from kavor.runtime.connections import connect, disconnect, pause_without_target
from kavor.runtime.find import find_node, find_workspace, matching_nodes
from kavor.runtime.node_kinds import (
    NO_PATHS,
    FoundPaths,
    NodeFields,
    check_fields,
    find_paths,
    write_first_text,
)
from kavor.runtime.node_views import ConnectionView, NodeView, show_files
from kavor.runtime.nodes import change_node, drop_node, make_node, new_name
from kavor.runtime.providers import ProviderService
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.runtime.views import Views
from kavor.store import coding_agents, ledger, workspaces
from kavor.store.workspaces import NodeRow, WorkspaceRow

OpenSession = Callable[[str], Awaitable[object]]


class GraphService:
    def __init__(
        self, runtime: Runtime, views: Views, providers: ProviderService, open_session: OpenSession
    ) -> None:
        self._runtime = runtime
        self._views = views
        self._providers = providers
        self._open_session = open_session

    # --- Nodes

    async def nodes(self, *, workspace: str | None, kind: NodeKind | None, ref: str | None) -> list[NodeView]:
        def ask(view: Connection) -> list[NodeView]:
            workspace_id = None if workspace is None else find_workspace(view, workspace).id
            if ref is not None:
                rows = matching_nodes(view, ref, kind=kind, workspace_id=workspace_id)
            else:
                rows = workspaces.list_nodes(view, workspace_id=workspace_id, kind=kind)
            return self._views.nodes(view, rows)

        return await self._with_files(await self._runtime.read(ask))

    async def node(self, ref: str) -> NodeView:
        shown = await self._runtime.read(lambda view: self._views.node(view, find_node(view, ref)))
        await self._with_files([shown])
        return shown

    async def add_node(
        self, kind: NodeKind, fields: NodeFields, *, workspace: str | None, open_session: bool = True
    ) -> NodeView:
        """A Node of any kind but a Schedule. The session of one that can have one is opened, unless told
        otherwise. Raises BadInput with nothing kept."""
        opens = open_session and kind in TARGET_KINDS
        if kind is NodeKind.CODING_AGENT and "provider" in fields:
            await self._providers.check(fields["provider"], fields.get("command"))
        check_fields(kind, fields, at_first=True)
        chosen = await self._runtime.read(lambda view: find_workspace(view, workspace))
        paths = await self._find_paths(chosen, kind, new_name(kind, fields), fields, at_first=True)
        if kind is NodeKind.SPECIFICATION and paths.file is not None and fields.get("text"):
            # When all else is known to be right: a file that is written stays.
            write = partial(write_first_text, paths.file, fields["text"])
            await self._runtime.files.work(paths.file, write, writes=True)

        def make(turn: Turn, tx: Connection) -> NodeRow:
            place = find_workspace(tx, chosen.id)
            now = self._runtime.clock.now()
            return make_node(tx, turn, place, kind, fields, paths, now=now, is_open=opens)

        node = await self._runtime.change(make)
        if opens:
            try:
                await self._open_session(node.id)
            except Exception:
                await self._runtime.change(lambda turn, tx: drop_node(tx, turn, node))
                raise
        return await self.node(node.id)

    async def edit_node(self, ref: str, fields: NodeFields, *, revision: int | None) -> NodeView:
        """Raises BadInput, and Conflict over a stale revision. A move alone needs none: the last one wins."""
        if fields.keys() & {"provider", "command"}:
            await self._check_provider(ref, fields)
        paths = NO_PATHS
        if fields.keys() & {"directory", "path"}:
            row, place = await self._runtime.read(lambda view: _node_and_workspace(view, ref))
            check_fields(row.kind, fields)
            paths = await self._find_paths(place, row.kind, row.name, fields)

        def save(turn: Turn, tx: Connection) -> NodeView:
            row = find_node(tx, ref)
            change_node(tx, turn, row, fields, paths, revision=revision)
            return self._views.node(tx, find_node(tx, row.id))

        saved = await self._runtime.change(save)
        await self._with_files([saved])
        return saved

    async def _with_files(self, shown: list[NodeView]) -> list[NodeView]:
        await show_files(self._runtime.files, shown)
        return shown

    async def _find_paths(
        self, place: WorkspaceRow, kind: NodeKind, name: str, fields: NodeFields, *, at_first: bool = False
    ) -> FoundPaths:
        """Raises BadInput, and Refused where the file system does not answer."""
        if kind not in TARGET_KINDS | NAMED_KINDS:
            return NO_PATHS
        given = fields.get("path") or fields.get("directory") or ""
        find = partial(find_paths, place.directory, kind, name, fields, at_first=at_first)
        return await self._runtime.files.follow(str(Path(place.directory, given)), find)

    async def _check_provider(self, ref: str, fields: NodeFields) -> None:
        row = await self._runtime.read(lambda view: coding_agents.coding_agent(view, find_node(view, ref).id))
        if row is None:
            return  # it is no CodingAgent, and the save says so
        present = row.settings
        provider = fields.get("provider", present.provider)
        kept = list(present.command) if provider == present.provider else None
        await self._providers.check(provider, fields.get("command", kept))

    async def remove_node(self, ref: str, kind: NodeKind | None = None) -> str:
        """Its session is ended; a Schedule that aimed at it is paused with the reason (K+2).

        Attempts stay on record; what waits in a slot, for it or of it, is Blocked.
        """
        row = await self._runtime.read(lambda view: find_node(view, ref, kind))
        if row.kind in TARGET_KINDS:
            await self._runtime.supervisor.close(row.id)

        def remove(turn: Turn, tx: Connection) -> str:
            for connection in workspaces.connections_of(tx, row.id):
                if connection.schedule_id not in (None, row.id):
                    pause_without_target(tx, turn, str(connection.schedule_id), row.name, "removed")
            self._runtime.arbiter.target_removed(tx, row.id, turn)
            if row.kind is NodeKind.SCHEDULE:
                self._withdraw_waiting(tx, turn, row.id, "its Schedule was removed")
            self._runtime.targets.forget(row.id)
            drop_node(tx, turn, row)
            return row.id

        return await self._runtime.change(remove)

    # --- Connections

    async def connections(self, workspace: str | None) -> list[ConnectionView]:
        def ask(view: Connection) -> list[ConnectionView]:
            workspace_id = None if workspace is None else find_workspace(view, workspace).id
            rows = workspaces.list_connections(view, workspace_id=workspace_id)
            return [self._views.connection(row) for row in rows]

        return await self._runtime.read(ask)

    async def connect(
        self, one: str, other: str, environment_name: str | None = None, guardrail: str | None = None
    ) -> ConnectionView:
        """Join two Nodes, or change how they are joined, as :func:`connections.connect` says. Raises Refused
        for a pair that may not be joined; joining twice changes nothing."""

        def join(turn: Turn, tx: Connection) -> ConnectionView:
            made = connect(
                tx,
                turn,
                one,
                other,
                environment_name=environment_name,
                guardrail=guardrail,
                now=self._runtime.clock.now(),
            )
            return self._views.connection(made)

        return await self._runtime.change(join)

    async def disconnect(self, one: str, other: str) -> ConnectionView:
        """Taking a Running Schedule's target away pauses it, with the reason kept (decision 2)."""

        def part(turn: Turn, tx: Connection) -> ConnectionView:
            row = disconnect(tx, turn, one, other)
            if row.schedule_id is not None:
                # The Connection alone says what a Schedule aims at (K+3): nothing of it goes there now.
                self._withdraw_waiting(tx, turn, row.schedule_id, "its target was disconnected")
            return self._views.connection(row)

        return await self._runtime.change(part)

    def _withdraw_waiting(self, tx: Connection, turn: Turn, schedule_id: str, reason: str) -> None:
        for waiting in ledger.list_attempts(tx, schedule_id=schedule_id, states=[AttemptState.PENDING]):
            self._runtime.arbiter.withdraw(tx, waiting, turn, reason)


def _node_and_workspace(view: Connection, ref: str) -> tuple[NodeRow, WorkspaceRow]:
    row = find_node(view, ref)
    return row, find_workspace(view, row.workspace_id)

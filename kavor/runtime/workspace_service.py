"""What may be asked of Workspaces."""

from __future__ import annotations

import secrets
from functools import partial

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput, Refused
from kavor.runtime.events import Change
from kavor.runtime.find import check_name, find_workspace, matching_workspaces
from kavor.runtime.graph_service import GraphService
from kavor.runtime.paths import workspace_directory
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.runtime.views import Views, WorkspaceView
from kavor.store import workspaces
from kavor.store.workspaces import WorkspaceRow


class WorkspaceService:
    def __init__(self, runtime: Runtime, views: Views, graph: GraphService) -> None:
        self._runtime = runtime
        self._views = views
        self._graph = graph

    async def listing(self, ref: str | None = None) -> list[WorkspaceView]:
        def ask(view: Connection) -> list[WorkspaceView]:
            rows = workspaces.list_workspaces(view) if ref is None else matching_workspaces(view, ref)
            return [self._views.workspace(row) for row in rows]

        return await self._runtime.read(ask)

    async def get(self, ref: str) -> WorkspaceView:
        return await self._runtime.read(lambda view: self._views.workspace(find_workspace(view, ref)))

    async def add(self, directory: str, name: str | None) -> WorkspaceView:
        """Raises BadInput for a directory that is not there, or a name that is taken."""

        place = await self._runtime.files.follow(directory, partial(workspace_directory, directory))

        def make(turn: Turn, tx: Connection) -> WorkspaceView:
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

    async def remove(self, ref: str, *, with_nodes: bool) -> str:
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
            await self._graph.remove_node(node.id)

        def remove(turn: Turn, tx: Connection) -> str:
            if workspaces.list_nodes(tx, workspace_id=row.id):
                raise Refused(
                    f"a Node was added to the Workspace {row.name!r} meanwhile", "look at it, then try again"
                )
            workspaces.remove_workspace(tx, row.id)
            turn.changes.append(Change("workspace", row.id, "removed"))
            return row.id

        return await self._runtime.change(remove)

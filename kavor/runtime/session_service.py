"""What may be asked of sessions: open, close, look at them, type into them."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind
from kavor.runtime.environment import session_spec
from kavor.runtime.events import Change
from kavor.runtime.find import find_node, find_workspace
from kavor.runtime.runtime import Runtime
from kavor.runtime.session_views import SessionView
from kavor.runtime.turn import Turn
from kavor.runtime.views import Views
from kavor.sessions.session import SessionSpec
from kavor.sessions.terminal.screens import Look, Screens, Show
from kavor.store import workspaces
from kavor.store.workspaces import NodeRow

MAX_TAIL_BYTES = 1024 * 1024
MAX_TYPED_BYTES = 64 * 1024


class SessionService:
    def __init__(self, runtime: Runtime, views: Views, screens: Screens | None) -> None:
        self._runtime = runtime
        self._views = views
        self._screens = screens

    async def listing(self, workspace: str | None) -> list[SessionView]:
        def ask(view: Connection) -> list[SessionView]:
            workspace_id = None if workspace is None else find_workspace(view, workspace).id
            rows = workspaces.list_nodes(view, workspace_id=workspace_id, kind=NodeKind.TERMINAL)
            return [self._views.session(view, row) for row in rows]

        return await self._runtime.read(ask)

    async def open(self, ref: str) -> SessionView:
        """Raises BadInput where its shell or directory is not there; the wish to have it open is kept only
        when it did open."""
        node = await self._node(ref)
        spec = await self._runtime.read(lambda view: _spec(view, node))
        await self._runtime.supervisor.open(spec)
        return await self._wish(node, "open")

    async def close(self, ref: str) -> SessionView:
        """On purpose: nothing starts it again but a person (K74)."""
        node = await self._node(ref)
        await self._runtime.supervisor.close(node.id)
        return await self._wish(node, "closed")

    async def restart(self, ref: str) -> SessionView:
        node = await self._node(ref)
        await self._runtime.supervisor.close(node.id)
        return await self.open(node.id)

    async def screen(self, ref: str, *, whole: bool = False) -> str:
        node = await self._open_node(ref)
        return await self._runtime.supervisor.sessions.screen(node.id, whole=whole)

    async def look(self, ref: str, show: Show, gone: Callable[[], None]) -> Look:
        """Have the screen drawn, as docs/terminal-stream.md says. ``gone`` is called at its end."""
        node = await self._open_node(ref)
        if self._screens is None:
            raise Refused(f"the screen of {node.name!r} cannot be looked at", "its session is simulated")
        return self._screens.look(node.id, show, gone)

    async def tail(self, ref: str, max_bytes: int) -> str:
        if not 1 <= max_bytes <= MAX_TAIL_BYTES:
            raise BadInput(f"{max_bytes} bytes is out of range", f"ask for 1 to {MAX_TAIL_BYTES:,}")
        node = await self._open_node(ref)
        return (await self._runtime.supervisor.sessions.tail(node.id, max_bytes)).decode(errors="replace")

    async def type(self, ref: str, text: str, *, enter: bool) -> SessionView:
        """As a person at the keyboard would."""
        data = text.encode() + (b"\r" if enter else b"")
        if len(data) > MAX_TYPED_BYTES:
            raise BadInput(f"{len(data):,} bytes are too many at once", f"type at most {MAX_TYPED_BYTES:,}")
        node = await self._open_node(ref)
        await self._runtime.supervisor.sessions.type(node.id, data)
        return await self._runtime.read(lambda view: self._views.session(view, node))

    async def _node(self, ref: str) -> NodeRow:
        def ask(view: Connection) -> NodeRow:
            node = find_node(view, ref)
            if node.kind is not NodeKind.TERMINAL:
                raise Refused(f"a {node.kind.label} has no session", "name a Terminal")
            return node

        return await self._runtime.read(ask)

    async def _open_node(self, ref: str) -> NodeRow:
        node = await self._node(ref)
        session = await self._runtime.read(lambda _: self._runtime.targets.session(node.id))
        if session is None or not session.open:
            raise Refused(f"the session of {node.name!r} is not open", "open it: kavor session open NODE")
        return node

    async def _wish(self, node: NodeRow, wanted: str) -> SessionView:
        def keep(turn: Turn, tx: Connection) -> SessionView:
            workspaces.change_terminal(tx, node.id, {"wanted": wanted})
            turn.changes.append(Change("session", node.id))
            return self._views.session(tx, node)

        return await self._runtime.change(keep)


def _spec(view: Connection, node: NodeRow) -> SessionSpec:
    row = workspaces.terminal(view, node.id)
    assert row is not None, "a Terminal Node has its row"
    return session_spec(view, row)

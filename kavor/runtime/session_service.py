"""What may be asked of sessions: open, close, look at them, type into them, answer an agent, stop it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import TARGET_KINDS, NodeKind
from kavor.runtime.events import Change
from kavor.runtime.find import find_node, find_workspace
from kavor.runtime.runtime import Runtime
from kavor.runtime.session_views import SessionView
from kavor.runtime.turn import Turn, Work
from kavor.runtime.views import Views
from kavor.sessions.session import WaitingFor
from kavor.sessions.terminal.screens import Look, Screens, Show
from kavor.store import coding_agents, conversations, ledger, workspaces
from kavor.store.workspaces import NodeRow

MAX_TAIL_BYTES = 1024 * 1024
MAX_TYPED_BYTES = 64 * 1024

CANCEL_SECONDS = 15.0
"""How long whoever stops a turn is kept waiting for its end; an agent that will not stop is ended sooner."""

_AGENTS = frozenset({NodeKind.CODING_AGENT})


class SessionService:
    def __init__(self, runtime: Runtime, views: Views, screens: Screens | None) -> None:
        self._runtime = runtime
        self._views = views
        self._screens = screens

    async def listing(self, workspace: str | None) -> list[SessionView]:
        def ask(view: Connection) -> list[SessionView]:
            workspace_id = None if workspace is None else find_workspace(view, workspace).id
            rows = workspaces.list_nodes(view, workspace_id=workspace_id)
            return [self._views.session(view, row) for row in rows if row.kind in TARGET_KINDS]

        return await self._runtime.read(ask)

    async def open(self, ref: str) -> SessionView:
        """Raises BadInput where its shell, program or directory is not there; the wish to have it open is
        kept only when it did open."""
        node = await self._node(ref)
        await self._runtime.supervisor.open(node.id)
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
        """As it is now; of a session that has ended, as it was then."""
        node = await self._node_that_showed(ref)
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
        node = await self._node_that_showed(ref)
        return (await self._runtime.supervisor.sessions.tail(node.id, max_bytes)).decode(errors="replace")

    async def type(self, ref: str, text: str, *, enter: bool) -> SessionView:
        """As a person at the keyboard would."""
        data = text.encode() + (b"\r" if enter else b"")
        if len(data) > MAX_TYPED_BYTES:
            raise BadInput(f"{len(data):,} bytes are too many at once", f"type at most {MAX_TYPED_BYTES:,}")
        node = await self._open_node(ref)
        await self._runtime.supervisor.sessions.type(node.id, data)
        return await self._afterwards(node)

    async def answer(self, ref: str, question: str | None, option: str | None) -> SessionView:
        """Answer what an agent asks; without an ``option`` it is told that nobody allows it.

        ``question`` is the id of the one that is meant; without it the one that is open. Raises Refused where
        none is, and what :meth:`AgentSessions.answer` raises.
        """
        node = await self._node(ref, _AGENTS)
        session = await self._runtime.read(lambda _: self._runtime.targets.session(node.id))
        if session is None or session.question is None:
            raise Refused(f"{node.name!r} asks nothing now", "kavor session list shows what agents wait for")
        await self._runtime.supervisor.sessions.answer(node.id, question or session.question.id, option)
        return await self._afterwards(node)

    async def cancel(self, ref: str) -> SessionView:
        """Stop the turn that an agent works on, and wait until it has ended, Interrupted; an agent that does
        not stop for long is answered as it is then. Raises Refused where there is no turn."""
        node = await self._node(ref, _AGENTS)
        session = await self._runtime.read(lambda _: self._runtime.targets.session(node.id))
        if session is None or session.waiting_for not in (WaitingFor.BUSY, WaitingFor.ANSWER):
            raise Refused(f"{node.name!r} works on nothing now", "there is nothing to stop")
        work = await self._runtime.read(lambda view: _at_work(view, node.id))
        with self._runtime.events.subscribed() as events, contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CANCEL_SECONDS):
                await self._runtime.supervisor.sessions.cancel(node.id)
                while work is not None and work == await self._runtime.read(
                    lambda view: _at_work(view, node.id)
                ):
                    await events.get()
        return await self._afterwards(node)

    async def _afterwards(self, node: NodeRow) -> SessionView:
        """With all that the session has reported by now."""
        await self._runtime.supervisor.catch_up()
        return await self._runtime.read(lambda view: self._views.session(view, node))

    async def _node(self, ref: str, kinds: Collection[NodeKind] = TARGET_KINDS) -> NodeRow:
        def ask(view: Connection) -> NodeRow:
            node = find_node(view, ref)
            if node.kind not in TARGET_KINDS:
                raise Refused(f"a {node.kind.label} has no session", "name a Terminal or a CodingAgent")
            if node.kind not in kinds:
                wanted = " or ".join(f"a {kind.label}" for kind in kinds)
                raise Refused(f"{node.name!r} is a {node.kind.label}", f"this is for {wanted} alone")
            return node

        return await self._runtime.read(ask)

    async def _node_that_showed(self, ref: str) -> NodeRow:
        """One with a screen, whose session is open, or has ended and is still remembered. Raises Refused."""
        return await self._node_with_screen(ref, open_only=False)

    async def _open_node(self, ref: str) -> NodeRow:
        """One with a screen, whose session is open. Raises Refused."""
        return await self._node_with_screen(ref, open_only=True)

    async def _node_with_screen(self, ref: str, *, open_only: bool) -> NodeRow:
        """A Terminal, or an agent that has a screen of its own."""
        node = await self._node(ref)
        session = await self._runtime.read(lambda _: self._runtime.targets.session(node.id))
        if node.kind is NodeKind.CODING_AGENT and (session is None or not session.own_screen):
            raise Refused(f"{node.name!r} is a CodingAgent without a screen", "this is for a Terminal")
        if session is None or (open_only and not session.open):
            raise self._not_open(node)
        return node

    def _not_open(self, node: NodeRow) -> Refused:
        return Refused(f"the session of {node.name!r} is not open", "open it: kavor session open NODE")

    async def _wish(self, node: NodeRow, wanted: str) -> SessionView:
        def keep(turn: Turn, tx: Connection) -> SessionView:
            if node.kind is NodeKind.CODING_AGENT:
                coding_agents.wish(tx, node.id, wanted)
            else:
                workspaces.change_terminal(tx, node.id, {"wanted": wanted})
            turn.changes.append(Change("session", node.id))
            return self._views.session(tx, node)

        return await self._runtime.change(keep)


def _at_work(view: Connection, agent_id: str) -> Work | None:
    """What an agent works on."""
    line = ledger.lines(view, agent_id).get(agent_id)
    if line is not None and line.at_work is not None:
        return Work.attempt(line.at_work)
    message = conversations.message_at_work(view, agent_id)
    return None if message is None else Work.message(message)

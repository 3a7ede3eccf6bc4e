"""Opening sessions and closing them: on behalf of a person, and at the start of the runtime."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine
from dataclasses import replace

from sqlalchemy.engine import Connection

from kavor.domain.errors import KavorError, Unreachable
from kavor.runtime.agent_door import AgentDoor
from kavor.runtime.observations import Seen
from kavor.runtime.session_specs import spec_of, wanted_at_start
from kavor.runtime.turns import Turns
from kavor.sessions.session import (
    AgentSessions,
    AgentSpec,
    SessionsLost,
    SessionSpec,
    SessionState,
)

log = logging.getLogger(__name__)


class Openings:
    """Belongs to the event loop."""

    door: AgentDoor | None = None
    """What lets agents reach Kavor's tools; without one they are opened without."""

    def __init__(
        self,
        runtime: Turns,
        sessions: AgentSessions,
        note: Callable[[Seen], None],
        spawn: Callable[[Coroutine[object, object, None], str], None],
    ) -> None:
        """``note`` has an observation recorded, ``spawn`` sees to what is done in the background."""
        self._runtime = runtime
        self._sessions = sessions
        self._note = note
        self._spawn = spawn
        self._heard: dict[str, SessionState] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By Node: one session is opened or closed at a time."""
        self._agents_opening: set[asyncio.Task[SessionState]] = set()
        self._stopping = False

    def hear(self, state: SessionState) -> None:
        """A session reports that it is in this state now."""
        self._heard[state.id] = state
        if not state.open:
            self._dismiss(state.id)
        self._note(Seen(state))

    def heard(self, session_id: str) -> SessionState | None:
        """What a session reported last."""
        return self._heard.get(session_id)

    async def restore(self) -> None:
        """Open the sessions that a Running Schedule aims at, unless closed on purpose (K+1, K74).

        Shells are open when this returns. Agents take their time, and what is due meanwhile waits for them.
        """
        shells = []
        for spec in await self._runtime.read(self._to_restore):
            if isinstance(spec, AgentSpec):
                await self._know_starting(spec)
                self._spawn(self._restore_one(spec), f"restore {spec.id}")
            else:
                shells.append(self._restore_one(spec))
        await asyncio.gather(*shells)

    async def open(self, node_id: str) -> SessionState:
        """Start the session of a target; one that is open already is left as it is.

        Raises KavorError where it cannot be started, Unreachable where the runtime is about to stop, and
        SessionsLost.
        """
        async with self._locks[node_id]:
            self._check_goes_on()
            spec = await self._runtime.read(lambda view: spec_of(view, node_id))
            if isinstance(spec, AgentSpec):
                known = await self._known(node_id)
                if known is not None and known.open:
                    return known
                await self._know_starting(spec)
            return await self._start(spec)

    async def close(self, session_id: str) -> SessionState | None:
        """Close a session if one is open; None where there was none."""
        async with self._locks[session_id]:
            known = await self._known(session_id)
            if known is None or not known.open:
                return known
            state = await self._sessions.close(session_id)
            self._dismiss(session_id)
            self._note(Seen(state))
            await self._know(state)
            return state

    def lost(self, session_ids: Collection[str]) -> None:
        """The holder of these sessions died, and they are gone with it."""
        for session_id in session_ids:
            self._heard.pop(session_id, None)
            self._dismiss(session_id)

    def stop_opening(self) -> None:
        """From now on nothing is opened, and agents that are being opened are given up."""
        self._stopping = True
        for opening in self._agents_opening:
            opening.cancel()

    async def end_agents(self) -> None:
        """Close the sessions of agents that this process holds, those too that are being opened. That is
        nobody's wish, and they may be restored (K+1)."""
        self.stop_opening()
        if self._agents_opening:
            await asyncio.wait(self._agents_opening)
        known = await self._runtime.read(lambda view: self._runtime.targets.sessions())
        held_here = [session for session in known if session.open and not session.own_screen]
        agents = [session.id for session in held_here if self._sessions.holds(session.id)]
        await asyncio.gather(*map(self._sessions.close, agents))

    async def _start(self, spec: SessionSpec | AgentSpec) -> SessionState:
        self._heard.pop(spec.id, None)
        state = await (self._open_agent(spec) if isinstance(spec, AgentSpec) else self._open(spec))
        # What was told of it meanwhile is newer than the answer.
        state = self._heard.get(spec.id, state)
        self._note(Seen(state))
        # At once too, so that what is due now finds it open; the recorder hands over what waited for it.
        await self._know(state)
        return state

    async def _open_agent(self, spec: AgentSpec) -> SessionState:
        """To its end, also where whoever wanted it has given up waiting."""
        self._check_goes_on()
        opening = asyncio.create_task(self._start_agent(spec), name=f"open {spec.id}")
        self._agents_opening.add(opening)
        opening.add_done_callback(self._opened)
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            if opening.cancelled():
                self._check_goes_on()
            raise

    def _opened(self, opening: asyncio.Task[SessionState]) -> None:
        self._agents_opening.discard(opening)
        if not opening.cancelled():
            opening.exception()  # seen, also where nobody waits for it any more

    def _check_goes_on(self) -> None:
        if self._stopping:
            raise Unreachable("the runtime is stopping", "open it once the runtime runs again")

    async def _start_agent(self, spec: AgentSpec) -> SessionState:
        try:
            if self.door is not None:
                spec = replace(spec, tools=await self.door.admit(spec.id))
            return await self._open(spec)
        except Exception as error:
            reason = error.message if isinstance(error, KavorError) else "it could not be started"
            ended = SessionState(spec.id, open=False, waiting_for=None, diagnostic=reason)
            self.hear(ended)
            await self._know(ended)
            raise

    async def _open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        # Here, since whoever holds sessions would be held up for all of them.
        await self._runtime.files.check_answers(spec.directory)
        return await self._sessions.open(spec)

    async def _know_starting(self, spec: AgentSpec) -> None:
        await self._runtime.read(lambda view: self._runtime.targets.starting(spec))

    async def _known(self, session_id: str) -> SessionState | None:
        return await self._runtime.read(lambda view: self._runtime.targets.session(session_id))

    async def _know(self, state: SessionState) -> None:
        await self._runtime.read(lambda view: self._runtime.targets.update(state))

    def _dismiss(self, session_id: str) -> None:
        if self.door is not None:
            self.door.dismiss(session_id)

    async def _restore_one(self, spec: SessionSpec | AgentSpec) -> None:
        try:
            async with self._locks[spec.id]:
                self._check_goes_on()
                known = await self._known(spec.id)
                if isinstance(spec, AgentSpec) and (known is None or not known.open):
                    return  # it was closed before its turn came, on purpose
                await self._start(spec)
        except (KavorError, SessionsLost) as error:
            log.warning("the session of %s could not be restored: %s", spec.id, error)

    def _to_restore(self, view: Connection) -> list[SessionSpec | AgentSpec]:
        return [
            spec_of(view, node_id)
            for node_id in wanted_at_start(view)
            if not self._runtime.targets.state(node_id).open
        ]

"""What an agent sees of a Terminal, and commands that it runs there.

A command is delivered as a Schedule's is: into a prompt that is free, never over what a person is typing,
and never ahead of what waits there already (K+6, K+7).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from typing import Any, NamedTuple

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.payload import check_payload
from kavor.domain.printed import readable_output
from kavor.runtime.agent_access.sight import look
from kavor.runtime.commands import Command
from kavor.runtime.events import Change, Event
from kavor.runtime.runtime import Runtime
from kavor.sessions.session import Outcome, WaitingFor
from kavor.store import ledger
from kavor.store.workspaces import NodeRow

LOOK_AGAIN_S = 1.0
"""How long at most until a Terminal that is not free is looked at again; it is sooner where it changes."""

OFFER_AGAIN_S = 0.05
"""After a Terminal that seemed free took nothing."""

RUNNING = "running"
NOT_RUN = "not run"


class Terminals:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._lines: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Agents that want the same Terminal take turns, in the order in which they came."""

    async def screen(self, agent_id: str, ref: str) -> dict[str, Any]:
        terminal = await self._open(agent_id, ref)
        shown = await self._runtime.supervisor.sessions.screen(terminal.row.id)
        return {**terminal.told(), "screen": readable_output(shown)}

    async def tail(self, agent_id: str, ref: str, max_bytes: int) -> dict[str, Any]:
        terminal = await self._open(agent_id, ref)
        ended = await self._runtime.supervisor.sessions.tail(terminal.row.id, max_bytes)
        return {**terminal.told(), "output": readable_output(ended.decode(errors="replace"))}

    async def buffer(self, agent_id: str, ref: str, offset: int, limit: int) -> dict[str, Any]:
        """All that is recorded, in lines; ``next_offset`` is None at its end."""
        terminal = await self._open(agent_id, ref)
        whole = await self._runtime.supervisor.sessions.screen(terminal.row.id, whole=True)
        lines = readable_output(whole).split("\n")
        end = offset + limit
        return {
            **terminal.told(),
            "lines": lines[offset:end],
            "offset": offset,
            "next_offset": end if end < len(lines) else None,
            "line_count": len(lines),
        }

    async def interrupt(self, agent_id: str, ref: str, run: str) -> dict[str, Any]:
        """Ctrl-C for what runs there, or only for a ``run`` where one is given: not for what comes after it,
        and a line that a person has begun is left alone. Raises Refused."""
        row, _, running = await self._open(agent_id, ref, to_change=True)
        if run not in ("", running):
            raise Refused(f"the run {run!r} does not run in {row.name!r} now", "look at its screen")
        if running is None:
            raise Refused(f"nothing runs in {row.name!r} that could be interrupted", "look at its screen")
        if not await self._runtime.supervisor.sessions.interrupt(row.id, running):
            raise Refused(f"what ran in {row.name!r} has just ended", "look at its screen")
        self._runtime.supervisor.tools.interrupted(agent_id, row.name)
        return {"node": row.id, "name": row.name, "interrupted": True}

    # --- Commands

    async def run(self, agent_id: str, ref: str, command: str, wait_s: float) -> dict[str, Any]:
        """Run a command once, and wait for its end. Raises BadInput, and Refused with nothing run.

        Whoever gives up the wait before the command was handed over has nothing run.
        """
        text = check_payload(command)
        deadline = asyncio.get_running_loop().time() + wait_s
        row, _, _ = await self._open(agent_id, ref, to_change=True)
        started = await self._start(agent_id, row, text, deadline)
        if not isinstance(started, Command):
            return {
                "state": NOT_RUN,
                "waiting_for": started,
                "diagnostic": f"{row.name!r} was not free within {wait_s:g} s ({started}); nothing was run",
            }
        return await self._until_ended(started, deadline)

    async def wait(self, agent_id: str, ref: str, run: str, wait_s: float) -> dict[str, Any]:
        """Wait on for a command of this agent's. Raises NotFound."""
        row = await self._runtime.read(lambda view: look(view, agent_id).find(ref, NodeKind.TERMINAL))
        command = self._runtime.supervisor.commands.find(run, agent_id=agent_id)
        if command.terminal_id != row.id:
            raise BadInput(f"the run {run!r} is not one of {row.name!r}", "name the Terminal it runs in")
        return await self._until_ended(command, asyncio.get_running_loop().time() + wait_s)

    async def _start(self, agent_id: str, row: NodeRow, text: str, deadline: float) -> Command | str:
        """The command as it runs, or why nothing was run by then."""
        line = self._lines[row.id]
        try:
            async with asyncio.timeout_at(deadline):
                await line.acquire()
        except TimeoutError:
            return "another agent's command waits there"
        try:
            return await self._start_in_turn(agent_id, row, text, deadline)
        finally:
            line.release()

    async def _start_in_turn(self, agent_id: str, row: NodeRow, text: str, deadline: float) -> Command | str:
        key = self._runtime.supervisor.new_command_key()
        with self._runtime.events.subscribed() as events:
            while True:
                # Asked of the graph each time: what was reachable may not be so any more.
                obstacle: str = await self._runtime.read(lambda view: self._obstacle(view, agent_id, row.id))
                look_again = LOOK_AGAIN_S
                if not obstacle:
                    offer = asyncio.ensure_future(self._offer(key, text, agent_id, row))
                    # Whoever gives up now gives up the wait: an offer that is made is made to its end.
                    offered = await asyncio.shield(offer)
                    if isinstance(offered, Command):
                        return offered
                    obstacle, look_again = offered, OFFER_AGAIN_S
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0:
                    return obstacle
                await _until_it_changes(events, row.id, min(look_again, left))

    def _obstacle(self, view: Connection, agent_id: str, terminal_id: str) -> str:
        """Why this Terminal takes no command now; empty where it does. Raises Refused where it never will."""
        row = look(view, agent_id).find_to_change(terminal_id, NodeKind.TERMINAL)
        state = self._runtime.targets.state(terminal_id)
        if not state.open:
            raise _closed(row)
        line = ledger.lines(view, terminal_id).get(terminal_id)
        if line is not None and line.waiting is not None:
            return "a Schedule's command waits there"
        if line is not None and line.at_work is not None:
            return "a Schedule's command runs there"
        return state.waiting_for or ""

    async def _offer(self, key: str, text: str, agent_id: str, row: NodeRow) -> Command | str:
        answer, command = await self._runtime.supervisor.commands.hand_over(
            key, text, agent_id=agent_id, terminal_id=row.id
        )
        if answer.accepted:
            self._runtime.supervisor.tools.ran(agent_id, row.name, text, command)
            return command
        if answer.closed:
            raise _closed(row)
        return answer.waiting_for or WaitingFor.BUSY

    async def _until_ended(self, command: Command, deadline: float) -> dict[str, Any]:
        outcome = await command.until_ended(max(0.0, deadline - asyncio.get_running_loop().time()))
        return _running(command) if outcome is None else _ended(outcome)

    async def _open(self, agent_id: str, ref: str, *, to_change: bool = False) -> _OpenTerminal:
        """Raises Refused where its session is not open."""

        def ask(view: Connection) -> _OpenTerminal:
            sight = look(view, agent_id)
            find = sight.find_to_change if to_change else sight.find
            row = find(ref, NodeKind.TERMINAL)
            state = self._runtime.targets.state(row.id)
            if not state.open:
                raise _closed(row)
            session = self._runtime.targets.session(row.id)
            return _OpenTerminal(row, state.waiting_for, None if session is None else session.running)

        return await self._runtime.read(ask)


class _OpenTerminal(NamedTuple):
    row: NodeRow
    waiting_for: WaitingFor | None
    running: str | None

    def told(self) -> dict[str, Any]:
        return {"node": self.row.id, "name": self.row.name, "waiting_for": self.waiting_for}


def _closed(row: NodeRow) -> Refused:
    return Refused(f"the session of {row.name!r} is not open", "a person can open it")


async def _until_it_changes(events: asyncio.Queue[Event], terminal_id: str, limit_s: float) -> None:
    """Return once something has changed that may have freed this Terminal, or after so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            while not _may_free((await events.get()).change, terminal_id):
                pass


def _may_free(change: Change | None, terminal_id: str) -> bool:
    return change is None or change.type == "attempt" or (change.type, change.id) == ("session", terminal_id)


def _running(command: Command) -> dict[str, Any]:
    return {"state": RUNNING, "run": command.key, "diagnostic": "it goes on; wait for it with its run"}


def _ended(outcome: Outcome) -> dict[str, Any]:
    return {
        "state": outcome.state,
        "exit_code": outcome.exit_code,
        "output": readable_output(outcome.evidence.output),
        "truncated": outcome.evidence.truncated,
        "duration_ms": outcome.evidence.duration_ms,
        "diagnostic": outcome.diagnostic,
    }

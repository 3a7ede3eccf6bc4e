"""A process on a PTY with the recording of what it shows: what every session holds, whatever is in it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from kavor.domain.errors import Refused
from kavor.sessions.session import SessionSpec, SessionState, WaitingFor
from kavor.sessions.terminal import processes
from kavor.sessions.terminal.delivery import now
from kavor.sessions.terminal.feed import Feed
from kavor.sessions.terminal.output import Output
from kavor.sessions.terminal.pseudoterminal import Pseudoterminal
from kavor.sessions.terminal.recording import Recording
from kavor.sessions.terminal.session_folder import empty_folder

KILL_SECONDS = 2.0
"""How long a process that is closed has before it is killed."""
MOST_UNREAD_INPUT = 1024 * 1024
"""How much typing may wait, in bytes, for a program that does not read it."""


class HeldProcess:
    """From its start on; it stays known after its end.

    When it has ended and all that it left behind is recorded, ``ended`` is given its exit code and the short
    name of its program, where that is known, and answers in words how it ended. ``gone`` is called when its
    terminal and its files are let go of, too.
    """

    def __init__(
        self,
        spec: SessionSpec,
        terminal: Pseudoterminal,
        folder: Path,
        output: Output,
        ended: Callable[[int, str | None], str],
        gone: Callable[[], None],
    ) -> None:
        self._spec = spec
        self._terminal = terminal
        self._folder = folder
        self._output = output
        self._ended = ended
        self._gone = gone
        self._over = asyncio.Event()
        self.pid = terminal.pid
        self.started_at = now()
        self.exit_code: int | None = None
        """Negative: the signal that killed it."""
        self.closing = False
        """It was asked to end."""
        processes.when_it_ends(self.pid, self._end)

    @property
    def open(self) -> bool:
        return not self._over.is_set()

    @property
    def recording(self) -> Recording:
        return self._output.recording

    def state(self, waiting_for: WaitingFor | None, diagnostic: str) -> SessionState:
        """``waiting_for``: what keeps a delivery out while it is open."""
        return SessionState(
            id=self._spec.id,
            open=self.open,
            waiting_for=waiting_for if self.open else None,
            pid=self.pid,
            started_at=self.started_at,
            exit_code=self.exit_code,
            diagnostic=diagnostic,
            environment=dict(self._spec.environment),
        )

    def check_room(self, more: int) -> None:
        """Raises Refused where so many bytes more would be too many for a program that does not read them."""
        if self._terminal.unwritten + more > MOST_UNREAD_INPUT:
            raise Refused("the program in this terminal does not read its input", "wait, or end that program")

    def resize(self, columns: int, rows: int) -> None:
        """Raises BadInput for a size no terminal has."""
        self._terminal.resize(columns, rows)
        self.recording.resized(columns, rows)

    def feed(self, writer: asyncio.StreamWriter, engine: int) -> Feed:
        """What an engine that draws its screen is fed by; ``engine`` is its process."""
        return self._output.feed(writer, engine)

    async def close(self) -> None:
        """End it as the closing of a terminal does, by force if need be."""
        if self.open:
            self.closing = True
            self._terminal.hang_up()
            try:
                await asyncio.wait_for(self._over.wait(), KILL_SECONDS)
            except TimeoutError:
                self._terminal.kill()
                await self._over.wait()

    def _end(self) -> None:
        process = processes.look_at(self.pid)
        _, status = os.waitpid(self.pid, 0)
        self.exit_code = code = os.waitstatus_to_exitcode(status)
        self._terminal.drain()
        self._output.rest()
        self._over.set()
        self._output.ended(self._ended(code, process.name if process else None))
        self._terminal.close()
        empty_folder(self._folder)
        self._gone()

"""The runtime's side of what is looked at: an engine process for each session with onlookers.

An engine is started for the first onlooker and ends some seconds after the last. One that dies is replaced
while they look on: they get a full frame, and nothing else happens. What it draws is passed on unread.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Awaitable, Callable

from kavor.home import Home
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.emulation import link
from kavor.sessions.terminal.emulation.link import FromRuntime
from kavor.sessions.terminal.engine_processes import END_SECONDS, EngineProcess, EngineProcesses
from kavor.terminal_frames import Credit, Problem, ReadScrollback, Resize, encode

LINGER_SECONDS = 5.0
"""How long an engine stays when nobody looks."""
DEATHS_BEFORE_THE_FALLBACK = 2
MOST_DEATHS = 12
"""Without a minute's life in between; then it is said that the screen cannot be shown."""
A_LIFE_SECONDS = 60.0
_PAUSE_SECONDS = 0.2
"""At least so long after an engine began another one does, once the fallback has its turn."""

_ENGINES = ("ghostty", "avt")

log = logging.getLogger(__name__)

Show = Callable[[bytes], None]
"""Takes one message for an onlooker. Called on the event loop; must not block."""


class Look:
    """One onlooker of one session, until `close`. ``credit`` is what frames it may still be sent."""

    def __init__(self, number: int, screen: _Screen, show: Show, gone: Callable[[], None]) -> None:
        self.number = number
        self.credit = 0
        self.show = show
        self.gone = gone
        self._screen = screen

    def heard(self, message: Credit | ReadScrollback) -> None:
        """Pass on what the onlooker asks of the engine."""
        match message:
            case Credit(frames):
                self.credit += max(0, frames)
                self._screen.tell(link.Grant(self.number, frames))
            case ReadScrollback(request, first, count):
                self._screen.tell(link.Read(self.number, request, first, count))

    async def type(self, data: bytes) -> None:
        """Raises what `TerminalSessions.type` raises."""
        await self._screen.sessions.type(self._screen.session_id, data)

    async def resize(self, size: Resize) -> None:
        """Raises BadInput for a size no terminal has."""
        await self._screen.sessions.resize(self._screen.session_id, size.columns, size.lines)

    def close(self) -> None:
        self._screen.leave(self)


class Screens:
    """All sessions of one home that are looked at. Belongs to the event loop."""

    def __init__(self, home: Home, sessions: TerminalSessions) -> None:
        self._home = home
        self._sessions = sessions
        self._screens: dict[str, _Screen] = {}
        self._numbers = itertools.count(1)
        self._engines = EngineProcesses()

    def look(self, session_id: str, show: Show, gone: Callable[[], None]) -> Look:
        """Look at a session. ``gone`` is called when there is nothing more to be shown."""
        screen = self._screens.get(session_id)
        if screen is None or screen.over:
            screen = _Screen(self._home, self._sessions, session_id, self._engines, self._left)
            self._screens[session_id] = screen
        look = Look(next(self._numbers), screen, show, gone)
        screen.join(look)
        return look

    async def _left(self) -> None:
        """Nobody looks at one of the sessions any more."""
        if all(screen.over for screen in self._screens.values()):
            await self._engines.end()

    async def close(self) -> None:
        """End all engines."""
        await asyncio.gather(*(screen.close() for screen in self._screens.values()))
        self._screens.clear()
        await self._engines.end()


class _Screen:
    """The onlookers of one session, and the engine that draws for them."""

    def __init__(
        self,
        home: Home,
        sessions: TerminalSessions,
        session_id: str,
        engines: EngineProcesses,
        left: Callable[[], Awaitable[None]],
    ) -> None:
        self.session_id = session_id
        self.sessions = sessions
        self._home = home
        self._engines = engines
        self._left = left
        self._looks: dict[int, Look] = {}
        self._engine: EngineProcess | None = None
        self._deaths = 0
        self._leaving: asyncio.TimerHandle | None = None
        self._closing = False
        self._drawing = asyncio.create_task(self._draw(), name=f"screen of {session_id}")

    @property
    def over(self) -> bool:
        return self._closing or self._drawing.done()

    def join(self, look: Look) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        self._looks[look.number] = look
        self.tell(link.Attach(look.number, look.credit))

    def leave(self, look: Look) -> None:
        if self._looks.pop(look.number, None) is None:
            return
        self.tell(link.Detach(look.number))
        if not self._looks and not self.over:
            self._leaving = asyncio.get_running_loop().call_later(LINGER_SECONDS, self._finish)

    def tell(self, message: FromRuntime) -> None:
        """Lost where no engine is there; the next one learns of all onlookers when it starts."""
        if self._engine is not None:
            self._engine.tell(message)

    def _finish(self) -> None:
        self._closing = True
        if self._engine is not None:
            self._engine.dismiss()

    async def close(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        self._finish()
        await asyncio.wait([self._drawing], timeout=END_SECONDS)
        self._drawing.cancel()
        await asyncio.wait([self._drawing])

    async def _draw(self) -> None:
        while not self._closing:
            started = time.monotonic()
            await self._run_engine()
            if self._closing:
                await self._left()
                return
            log.warning("the engine of session %s died", self.session_id)
            if time.monotonic() - started > A_LIFE_SECONDS:
                self._deaths = 0
            self._deaths += 1
            if self._deaths >= MOST_DEATHS:
                self._give_up()
                return
            if self._deaths > DEATHS_BEFORE_THE_FALLBACK:
                await asyncio.sleep(started + _PAUSE_SECONDS - time.monotonic())

    async def _run_engine(self) -> None:
        """One life of an engine."""
        name = _ENGINES[self._deaths >= DEATHS_BEFORE_THE_FALLBACK]
        try:
            engine = await self._engines.start()
        except OSError as error:
            log.warning("%s", error)
            return
        self._engine = engine
        try:
            self.tell(link.Begin(name, str(self._home.host_socket), self.session_id))
            for look in self._looks.values():
                self.tell(link.Attach(look.number, look.credit))
            await self._pass_on(engine)
        finally:
            self._engine = None
            await engine.end()

    async def _pass_on(self, engine: EngineProcess) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ValueError, OSError):
            while True:
                number, takes_credit, message = await link.read_from_engine(engine.reader)
                look = self._looks.get(number)
                if look is not None:
                    look.credit -= takes_credit
                    look.show(message)

    def _give_up(self) -> None:
        problem = Problem("the screen cannot be shown", "its output is in: kavor session tail NODE")
        for look in list(self._looks.values()):
            look.show(encode(problem))
            look.gone()

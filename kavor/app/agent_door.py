"""The door through which agents reach Kavor's tools: a word for each session, and the server of the tools.

That is a process of its own, started for the first agent. It listens on a socket that the runtime has bound,
so that one that dies can be replaced while agents keep the address they were given.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys

from kavor.home import Home
from kavor.runtime.agent_access.tokens import Tokens
from kavor.runtime.commands import Commands
from kavor.sessions.session import ToolsAccess

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"

START_AGAIN_S = 1.0
"""How soon a server that has ended is replaced, while agents may need it."""

STOP_LIMIT_S = 3.0


class LoopbackDoor:
    """Belongs to the event loop. Implements AgentDoor."""

    def __init__(self, home: Home, tokens: Tokens, commands: Commands) -> None:
        self._home = home
        self._tokens = tokens
        self._commands = commands
        self._listening: socket.socket | None = None
        self._server: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def admit(self, agent_id: str) -> ToolsAccess:
        """A word of its own for the session that is about to open; its server is up, or will be in a moment.

        Raises OSError where this machine has no loopback.
        """
        if self._listening is None:
            self._listening = _listen()
            self._keeping = asyncio.create_task(self._keep_serving(self._listening), name="tool server")
        port = self._listening.getsockname()[1]
        self._commands.forget(agent_id)
        return ToolsAccess(url=f"http://{LOOPBACK}:{port}/mcp", token=self._tokens.issue(agent_id))

    def dismiss(self, agent_id: str) -> None:
        self._tokens.withdraw(agent_id)
        self._commands.forget(agent_id)

    async def close(self) -> None:
        """End the server; nobody is let in any more."""
        if self._keeping is None or self._listening is None:
            return
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        self._listening.close()

    async def _keep_serving(self, listening: socket.socket) -> None:
        try:
            while True:
                self._server = await self._start(listening)
                code = await self._server.wait()
                log.error("the process that serves tools to agents ended with %d; it is started again", code)
                await asyncio.sleep(START_AGAIN_S)
        finally:
            if self._server is not None:
                await _end(self._server)

    async def _start(self, listening: socket.socket) -> asyncio.subprocess.Process:
        """It ends when its stdin does, and so with this process, however this one ends."""
        descriptor = listening.fileno()
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "kavor", "mcp", "--http", "--socket-fd", str(descriptor)),
            cwd="/",
            env={**os.environ, "KAVOR_HOME": str(self._home.data)},
            pass_fds=[descriptor],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )


def _listen() -> socket.socket:
    """At a port of the system's choice, on this machine alone."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.bind((LOOPBACK, 0))
    listening.listen(128)
    return listening


async def _end(server: asyncio.subprocess.Process) -> None:
    if server.returncode is not None:
        return
    assert server.stdin is not None
    server.stdin.close()
    try:
        async with asyncio.timeout(STOP_LIMIT_S):
            await server.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            server.kill()
        await server.wait()

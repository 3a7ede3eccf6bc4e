"""The door through which agents reach Kavor's tools: a word for each session, and the server of the tools.

That is a process of its own, started for the first agent. It listens on a socket that the runtime has bound,
so that one that dies can be replaced while agents keep the address they were given. Agents that outlive a
runtime are let in by the next one, at the same address.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections.abc import Collection

from kavor.app import door_memory
from kavor.app.door_memory import DoorMemory
from kavor.domain.errors import Refused
from kavor.home import Home
from kavor.runtime.agent_access.tokens import Tokens
from kavor.runtime.commands import Commands
from kavor.sessions.session import ToolsAccess

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"

START_AGAIN_S = 1.0
"""How soon a server that has ended is replaced, while agents may need it."""

STOP_LIMIT_S = 3.0

SAME_PORT_S = 5.0
"""How long the server of a runtime that was killed may take to leave its port to us."""


class LoopbackDoor:
    """Belongs to the event loop. Implements AgentDoor."""

    def __init__(self, home: Home, tokens: Tokens, commands: Commands) -> None:
        self._home = home
        self._tokens = tokens
        self._commands = commands
        self._before = door_memory.recall(home)
        self._listening: socket.socket | None = None
        self._port: int | None = None
        self._opening = asyncio.Lock()
        self._taking_up: asyncio.Task[None] | None = None
        self._server: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def admit(self, agent_id: str) -> ToolsAccess:
        """A word of its own for the session that is about to open; its server is up, or will be in a moment.

        Raises Refused where this machine lets nobody listen on loopback.
        """
        port = await self._open()
        self._commands.forget(agent_id)
        access = ToolsAccess(url=f"http://{LOOPBACK}:{port}/mcp", token=self._tokens.issue(agent_id))
        self._keep()
        return access

    def dismiss(self, agent_id: str) -> None:
        self._tokens.withdraw(agent_id)
        self._commands.forget(agent_id)
        self._keep()

    def take_up(self, living: Collection[str]) -> None:
        """Let in again those agents of a former runtime that live on; the others' words are void by now."""
        again = self._tokens.let_in_again(self._before.digests, living)
        if again:
            self._taking_up = asyncio.create_task(self._open_again(again), name="tool server, again")

    async def close(self) -> None:
        """End the server. What agents that live on were given is good for the next one."""
        if self._taking_up is not None:
            self._taking_up.cancel()
            await asyncio.gather(self._taking_up, return_exceptions=True)
        if self._keeping is None or self._listening is None:
            return
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        self._listening.close()

    async def _open(self) -> int:
        """Serve from now on; answers the port. Raises Refused."""
        async with self._opening:
            if self._listening is None:
                wait_s = SAME_PORT_S if self._before.digests else 0.0
                self._listening = await _listen(self._before.port, wait_s)
                self._port = self._listening.getsockname()[1]
                self._keeping = asyncio.create_task(self._keep_serving(self._listening), name="tool server")
        assert self._port is not None
        return self._port

    async def _open_again(self, digests: Collection[str]) -> None:
        try:
            if await self._open() != self._before.port:
                raise Refused("another program has their port")
        except Refused as error:
            # Whoever listens where they look for us learns their words.
            self._tokens.void(digests)
            log.warning("agents that live on have no tools until they are opened again: %s", error)
        self._keep()

    def _keep(self) -> None:
        """For the next runtime. Sessions end after the server has, too."""
        if self._port is not None:
            door_memory.keep(self._home, DoorMemory(self._port, self._tokens.digests()))

    async def _keep_serving(self, listening: socket.socket) -> None:
        try:
            while True:
                try:
                    self._server = await self._start(listening)
                    code = await self._server.wait()
                    log.error("the process that serves tools to agents ended with %d", code)
                except OSError as error:
                    log.error("the process that serves tools to agents cannot be started: %s", error)
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


async def _listen(former_port: int | None, wait_s: float) -> socket.socket:
    """On this machine alone: at the port that agents were told before, for which it may wait, or else at one
    of the system's choice. Raises Refused."""
    deadline = asyncio.get_running_loop().time() + wait_s
    while former_port is not None:
        try:
            return _bound(former_port)
        except OSError as error:
            if asyncio.get_running_loop().time() >= deadline:
                log.info("port %d, which agents were told before, cannot be had: %s", former_port, error)
                break
            await asyncio.sleep(0.1)
    try:
        return _bound(0)
    except OSError as error:
        raise Refused(
            f"nothing can listen on {LOOPBACK}: {error}", "agents need it for Kavor's tools"
        ) from error


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # Connections of a former runtime that are not quite over do not hold the port.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
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

"""The runtime's side of engine processes, which a fork server makes when they are wanted."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from asyncio import StreamReader, StreamWriter, Task
from asyncio.subprocess import DEVNULL, Process

from kavor.sessions.terminal.emulation import link
from kavor.sessions.terminal.emulation.link import FromRuntime

log = logging.getLogger(__name__)

END_SECONDS = 1.0
"""How long a process has to end by itself."""


class EngineProcess:
    """One engine, until `end`."""

    def __init__(self, pid: int, reader: StreamReader, writer: StreamWriter) -> None:
        self.pid = pid
        self.reader = reader
        """What it draws. It ends with the process."""
        self._writer = writer

    def tell(self, message: FromRuntime) -> None:
        self._writer.write(link.to_engine(message))

    def dismiss(self) -> None:
        """Have it end, which it does once it has left its screen with the PTY host."""
        with contextlib.suppress(OSError):
            self._writer.write_eof()

    async def end(self) -> None:
        """Wait for one that has died, or was dismissed; in the end by force, also where this is cancelled."""
        self.dismiss()
        try:
            async with asyncio.timeout(END_SECONDS):
                with contextlib.suppress(OSError):
                    while await self.reader.read(65_536):
                        pass
        except (TimeoutError, asyncio.CancelledError):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self._writer.transport.abort()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


class EngineProcesses:
    """Starts engines, by a fork server that is there from the first one until `end`."""

    def __init__(self) -> None:
        self._server: Task[_ForkServer] | None = None

    async def start(self) -> EngineProcess:
        """Raises OSError when none can be had."""
        for _ in range(2):  # the server may have died since
            server = self._server = self._server or asyncio.create_task(_ForkServer.start())
            try:
                return await (await asyncio.shield(server)).fork()
            except (OSError, asyncio.IncompleteReadError) as error:
                log.warning("no engine could be forked: %r", error)
                await self._end(server)
        raise ConnectionError("no engine can be started")

    async def end(self) -> None:
        """No more engines for now; those that still run end by themselves."""
        if self._server is not None:
            await self._end(self._server)

    async def _end(self, server: Task[_ForkServer]) -> None:
        if self._server is server:
            self._server = None
        with contextlib.suppress(OSError):
            await (await server).end()


class _ForkServer:
    def __init__(self, process: Process, requests: socket.socket) -> None:
        self._process = process
        self._requests = requests

    @classmethod
    async def start(cls) -> _ForkServer:
        """Raises OSError."""
        requests, its = socket.socketpair()
        with contextlib.ExitStack() as unless_started, its:
            unless_started.enter_context(requests)
            requests.setblocking(False)
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "kavor.sessions.terminal.emulation.fork_server",
                stdin=its.fileno(),
                stdout=DEVNULL,
                stderr=DEVNULL,
                cwd="/",
            )
            unless_started.pop_all()
        return cls(process, requests)

    async def fork(self) -> EngineProcess:
        """Raises OSError or IncompleteReadError when the server has died."""
        ours, its = socket.socketpair()
        with contextlib.ExitStack() as unless_started:
            unless_started.enter_context(ours)
            with its:
                socket.send_fds(self._requests, [b"\n"], [its.fileno()])
            reader, writer = await asyncio.open_connection(sock=ours)
            unless_started.callback(writer.transport.abort)
            engine = EngineProcess(await link.read_started(reader), reader, writer)
            unless_started.pop_all()
        return engine

    async def end(self) -> None:
        self._requests.close()
        try:
            await asyncio.wait_for(self._process.wait(), END_SECONDS)
        except (TimeoutError, asyncio.CancelledError):
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

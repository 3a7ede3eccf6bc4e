"""One program with pipes, in a process group of its own, that ends with everything it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
from asyncio import StreamReader, StreamWriter
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from kavor.domain.errors import Refused
from kavor.sessions.agent.pace import Pace
from kavor.sessions.terminal.processes import when_it_ends

MARK = "KAVOR_SESSION_MARK"
"""In the environment of everything that one start of a session started."""
KEPT_WORDS = 16 * 1024
"""Bytes of a program's stderr that are kept, the latest."""
READ_AHEAD = 1024 * 1024
ERRORS_A_SECOND, ERRORS_AT_ONCE = 4 * 1024 * 1024, 64 * 1024 * 1024
"""Bytes of stderr that are read each second, after so many."""
END_SECONDS = 1.0
"""How long a program may take to end once it is asked to, before it is killed."""


class AgentProcess:
    """Its stdin and stdout are for a protocol; its stderr is read away and its end kept.

    A child of the program may hold its pipes open, or leave its group: the end is the program's own, not the
    end of its output, and what lives on then is found by its mark.
    """

    def __init__(self, process: subprocess.Popen[bytes], record: Path) -> None:
        self._process = process
        self._record = record
        self._errors = bytearray()
        self._drain: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[int] | None = None
        self._transports: list[asyncio.BaseTransport] = []
        self.ended = asyncio.Event()
        """Set when the program has ended; it is not waited for yet, so its pid is still its own."""
        self.reader: StreamReader
        self.writer: StreamWriter

    @classmethod
    async def start(
        cls, command: Sequence[str], directory: str, environment: Mapping[str, str], records: Path
    ) -> AgentProcess:
        """``environment`` has a MARK; ``records`` is where a next runtime finds what this one left behind.

        Raises Refused when the program cannot be started.
        """
        self = cls(*_spawn(command, directory, environment, records))
        when_it_ends(self.pid, self.ended.set)
        try:
            await self._connect()
        except BaseException:  # whoever wanted it has given up, and nobody else knows of it
            self._abandon()
            raise
        return self

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The last line of its stderr that says something, shortened; empty where there was none."""
        lines = [line.strip() for line in self._errors.decode(errors="replace").splitlines()]
        last = next((line for line in reversed(lines) if any(map(str.isalnum, line))), "")
        return "".join(char if char.isprintable() else "?" for char in last)[:200]

    @property
    def errors(self) -> bytes:
        """The end of its stderr."""
        return bytes(self._errors)

    async def end(self) -> int:
        """Have it end, kill what does not, and everything else with its mark. Its exit code (negative: the
        signal). Asked again, the same answer."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        return await asyncio.shield(self._ending)

    async def _end(self) -> int:
        self.writer.close()
        for wish in (signal.SIGTERM, signal.SIGKILL):
            if not self.ended.is_set():
                self._signal_group(wish)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.ended.wait(), END_SECONDS)
        self._signal_group(signal.SIGKILL)  # the leader is a zombie at most, so the group is still its own
        await asyncio.to_thread(kill_marked, {self._record.name})
        code = await asyncio.to_thread(self._process.wait)
        if self._drain is not None:
            await asyncio.wait([self._drain], timeout=END_SECONDS)
            self._drain.cancel()
        for transport in self._transports:
            transport.close()
        self._record.unlink(missing_ok=True)
        return code

    def _abandon(self) -> None:
        """End it before anybody has spoken to it. Blocks, for a moment."""
        self._signal_group(signal.SIGKILL)
        kill_marked({self._record.name})
        self._process.wait()
        for transport in self._transports:
            transport.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._record.unlink()

    def _signal_group(self, wish: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, wish)

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self.reader = StreamReader(READ_AHEAD)
        output = asyncio.StreamReaderProtocol(self.reader)
        out, _ = await loop.connect_read_pipe(lambda: output, stdout)
        self._transports.append(out)
        flow, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(StreamReader()), stdin
        )
        self._transports.append(flow)
        self.writer = StreamWriter(flow, protocol, None, loop)
        errors = StreamReader(READ_AHEAD)
        err, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(errors), stderr)
        self._transports.append(err)
        self._drain = asyncio.create_task(self._keep_end_of(errors))

    async def _keep_end_of(self, errors: StreamReader) -> None:
        pace = Pace(ERRORS_A_SECOND, ERRORS_AT_ONCE)
        while chunk := await errors.read(64 * 1024):
            self._errors += chunk
            del self._errors[:-KEPT_WORDS]
            await pace.keep(len(chunk))


def _spawn(
    command: Sequence[str], directory: str, environment: Mapping[str, str], records: Path
) -> tuple[subprocess.Popen[bytes], Path]:
    records.mkdir(mode=0o700, parents=True, exist_ok=True)
    record = records / environment[MARK]
    record.touch(mode=0o600)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        record.unlink()
        raise Refused(f"{command[0]} cannot be started: {error}") from error
    return process, record


def new_mark() -> str:
    return secrets.token_hex(8)


def kill_left_behind(records: Path) -> int:
    """End what a runtime that was killed could not. How many processes. Blocks."""
    marks = {record.name for record in records.iterdir()} if records.is_dir() else set()
    killed = kill_marked(marks) if marks else 0
    for mark in marks:
        (records / mark).unlink(missing_ok=True)
    return killed


def kill_marked(marks: set[str]) -> int:
    """Kill every process with one of these marks, until there is none. Asks the system about every process
    of this user, which takes some tens of milliseconds."""
    killed = 0
    for _ in range(5):  # one may start another while it is looked for
        found = [process for process in psutil.process_iter() if _mark_of(process) in marks]
        if not found:
            break
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
                killed += 1
        psutil.wait_procs(found, timeout=END_SECONDS)
    return killed


def _mark_of(process: psutil.Process) -> str | None:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        mark: str | None = process.environ().get(MARK)
        return mark
    except (psutil.Error, OSError):
        return None

"""Engine processes as the runtime has them made, and as they end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
from live_shell import until

from kavor.sessions.terminal import engine_processes, protocol
from kavor.sessions.terminal.engine_processes import EngineProcess, EngineProcesses


@pytest.fixture
async def processes() -> AsyncIterator[EngineProcesses]:
    processes = EngineProcesses()
    yield processes
    await processes.end()
    assert psutil.Process().children() == []


RUNTIME = """
import asyncio, sys
from kavor.sessions.terminal.emulation import link
from kavor.sessions.terminal.engine_processes import EngineProcesses
async def run():
    processes = EngineProcesses()
    loaded, drawing = await processes.start(), await processes.start()
    drawing.tell(link.Begin("ghostty", sys.argv[1], "node-1"))
    print(loaded.pid, drawing.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(run())
"""


def is_running(pid: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE  # whoever adopted it may be slow
    return False


async def is_gone(engine: EngineProcess) -> None:
    """Also out of the table of processes."""
    await until(lambda: not psutil.pid_exists(engine.pid), "the end of the engine")


async def test_engines_are_forks_that_share_nothing_that_ends(processes: EngineProcesses) -> None:
    first, second, third = await asyncio.gather(*(processes.start() for _ in range(3)))
    (server,) = psutil.Process().children()
    assert {one.pid for one in server.children()} == {first.pid, second.pid, third.pid}
    assert psutil.Process(first.pid).nice() == server.nice() >= 10
    os.kill(first.pid, signal.SIGABRT)
    assert await asyncio.wait_for(first.reader.read(), 20) == b"", "its end is heard of"
    await first.end()
    await is_gone(first)
    second.dismiss()
    assert await asyncio.wait_for(second.reader.read(), 20) == b""
    await is_gone(second)
    await second.end()
    assert psutil.pid_exists(third.pid)
    await third.end()
    await is_gone(third)


async def test_an_engine_that_does_not_end_is_killed(
    processes: EngineProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_processes, "END_SECONDS", 0.1)
    engine = await processes.start()
    os.kill(engine.pid, signal.SIGSTOP)
    await engine.end()
    await is_gone(engine)


async def test_an_engine_whose_end_nobody_waits_for_is_killed(processes: EngineProcesses) -> None:
    engine = await processes.start()
    os.kill(engine.pid, signal.SIGSTOP)
    ending = asyncio.ensure_future(engine.end())
    await asyncio.sleep(0.05)
    ending.cancel()
    await asyncio.wait([ending])
    await is_gone(engine)


async def test_a_server_that_has_died_is_replaced(processes: EngineProcesses) -> None:
    first = await processes.start()
    (server,) = psutil.Process().children()
    server.kill()
    await until(lambda: psutil.Process().children() == [], "its end")
    engines = await asyncio.gather(processes.start(), processes.start())
    (server,) = psutil.Process().children()
    assert {one.pid for one in server.children()} == {one.pid for one in engines}
    assert psutil.Process(first.pid).status() != psutil.STATUS_ZOMBIE, "it goes on"
    for engine in (first, *engines):
        await engine.end()


async def test_an_engine_that_is_no_longer_wanted_when_it_is_there_ends(processes: EngineProcesses) -> None:
    starting = asyncio.ensure_future(processes.start())
    await asyncio.sleep(0)
    starting.cancel()
    await asyncio.wait([starting])
    other = await processes.start()
    (server,) = psutil.Process().children()
    await until(lambda: [one.pid for one in server.children()] == [other.pid], "its end")
    await other.end()


async def test_where_no_process_can_be_started_it_says_so(
    processes: EngineProcesses, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o700)
    for executable in (broken, tmp_path / "missing"):
        with monkeypatch.context() as patch:
            patch.setattr(engine_processes.sys, "executable", str(executable))
            with pytest.raises(OSError, match="no engine can be started"):
                await processes.start()
    await (await processes.start()).end()


async def test_everything_ends_with_the_runtime(tmp_path: Path) -> None:
    """Which may be killed: then the sockets close, and that is all that is heard."""
    followed = asyncio.Event()

    async def attend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer = {"sizes": [{"offset": 0, "columns": 80, "rows": 24}], "offset": 0}
        writer.write(protocol.encode({"id": 0, "answer": answer}))
        followed.set()
        await reader.read()
        writer.close()

    host = await asyncio.start_unix_server(attend, tmp_path / "host")
    runtime = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUNTIME, str(tmp_path / "host"), stdout=PIPE
    )
    assert runtime.stdout is not None
    loaded, drawing = map(int, (await asyncio.wait_for(runtime.stdout.readline(), 20)).split())
    (server,) = psutil.Process(runtime.pid).children()
    assert {one.pid for one in server.children()} == {loaded, drawing}
    await asyncio.wait_for(followed.wait(), 20)
    runtime.kill()
    await runtime.wait()
    for pid in (loaded, drawing, server.pid):
        await until(lambda pid=pid: not is_running(pid), "the end of all")
    host.close()

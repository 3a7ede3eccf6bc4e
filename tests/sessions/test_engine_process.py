"""The process that draws, on a PTY host of the test's own: what it leaves there, and when."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.emulation import link
from kavor.sessions.terminal.emulation.engine import IN_ORDER
from kavor.sessions.terminal.emulation.process import CHECKPOINT_AT_ONCE_BYTES
from kavor.sessions.terminal.engine_processes import EngineProcess, EngineProcesses

LINE = b"\x1b[9;1Ha line that is painted over and over again"


def lines(least: int) -> bytes:
    return LINE * (least // len(LINE) + 1)


class OwnHost:
    """Speaks to one engine as the PTY host does."""

    def __init__(self, engine: EngineProcess, reader: StreamReader, writer: StreamWriter) -> None:
        self.engine = engine
        self._reader = reader
        self._writer = writer
        self.length = 0

    async def replay(self, output: bytes) -> None:
        """Answer its first question: the session has had this output."""
        hello = await self.hears()
        assert hello["ask"] == "watch"
        self.length = len(output)
        sizes = [{"offset": 0, "columns": 80, "rows": 24}]
        answer: protocol.Json = {"id": hello["id"], "answer": {"sizes": sizes, "offset": self.length}}
        self._writer.write(protocol.encode(answer, output))

    def output(self, data: bytes) -> None:
        self.length += len(data)
        self._writer.write(protocol.encode({"tell": "output"}, data))

    def ask_cursor(self) -> None:
        """Its answer comes behind all that the engine says of itself about the output so far."""
        self._writer.write(protocol.encode({"tell": "cursor", "query": 1}))

    async def hears(self) -> dict[str, Any]:
        message = await asyncio.wait_for(protocol.read_message(self._reader), 20)
        assert message is not None, "the engine has gone"
        return {**message.content, "output": message.attached}


@pytest.fixture(params=IN_ORDER)
async def host(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OwnHost]:
    """What an engine has just connected to."""
    connected: asyncio.Queue[tuple[StreamReader, StreamWriter]] = asyncio.Queue()
    path = str(tmp_path / "host")
    server = await asyncio.start_unix_server(lambda *streams: connected.put_nowait(streams), path)
    engines = EngineProcesses()
    engine = await engines.start()
    engine.tell(link.Begin(request.param, path, "node-1"))
    reader, writer = await asyncio.wait_for(connected.get(), 20)
    yield OwnHost(engine, reader, writer)
    writer.close()
    server.close()
    await engine.end()
    await engines.end()


async def test_a_checkpoint_is_left_at_once_where_much_would_have_to_be_played(host: OwnHost) -> None:
    """A program may wait for it; and there need not be any more output."""
    await host.replay(b"painted once" + lines(CHECKPOINT_AT_ONCE_BYTES))
    first = await host.hears()
    assert (first["ask"], first["offset"]) == ("checkpoint", host.length)
    assert b"painted once" in first["output"]
    host.output(b"\x1b[2;1Hpainted later")
    for _ in range(4):
        host.output(lines(CHECKPOINT_AT_ONCE_BYTES // 4))
    host.ask_cursor()
    second = await host.hears()
    assert (second["ask"], second["offset"]) == ("checkpoint", host.length), "not after some time"
    assert b"painted later" in second["output"]
    assert (await host.hears())["ask"] == "cursor"


async def test_an_engine_that_is_no_longer_needed_leaves_its_screen_and_says_goodbye(host: OwnHost) -> None:
    await host.replay(b"painted once")
    host.output(b"\x1b[2;1Hpainted later")
    host.ask_cursor()
    assert (await host.hears())["ask"] == "cursor", "so little is worth no checkpoint"
    host.engine.dismiss()
    last = await host.hears()
    assert (last["ask"], last["offset"]) == ("checkpoint", host.length)
    assert b"painted later" in last["output"]
    assert (await host.hears())["ask"] == "goodbye"
    assert await asyncio.wait_for(host.engine.reader.read(), 20) == b"", "and is gone"

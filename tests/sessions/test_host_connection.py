"""An engine's end of its connection to the PTY host: messages come whole, however they are cut on the way."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import AsyncIterator

import pytest

from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.emulation.host_connection import HostConnection
from kavor.sessions.terminal.protocol import LONGEST_MESSAGE, Message

Ends = tuple[HostConnection, asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def ends() -> AsyncIterator[Ends]:
    """The engine's, and the host's two."""
    ours, its = socket.socketpair()
    _, connection = await asyncio.get_running_loop().create_connection(HostConnection, sock=ours)
    reader, writer = await asyncio.open_connection(sock=its, limit=LONGEST_MESSAGE)
    yield connection, reader, writer
    writer.close()
    await connection.close()


async def read(connection: HostConnection) -> Message | None:
    return await asyncio.wait_for(connection.read(), 20)


async def send(writer: asyncio.StreamWriter, data: bytes, pieces: random.Random) -> None:
    while data:
        length = pieces.choice((1, 7, 1000, 65_536, 300_000))
        writer.write(data[:length])
        await writer.drain()
        await asyncio.sleep(0)
        data = data[length:]


@pytest.mark.parametrize("seed", range(5))
async def test_messages_come_whole_and_in_order(ends: Ends, seed: int) -> None:
    connection, _, writer = ends
    random_ = random.Random(seed)
    lengths = [random_.choice((0, 1, 50, 4_000, 65_536, 262_144, 700_000)) for _ in range(40)]
    messages = [
        Message({"tell": "output", "number": number}, random_.randbytes(length))
        for number, length in enumerate(lengths)
    ]
    sent = b"".join(protocol.encode(one.content, one.attached) for one in messages)
    sending = asyncio.ensure_future(send(writer, sent, random_))
    for message in messages:
        found = await read(connection)
        assert found is not None
        assert found.content["number"] == message.content["number"]
        assert found.attached == message.attached
    await sending


async def test_the_longest_message_comes_whole_and_so_does_the_next(ends: Ends) -> None:
    connection, _, writer = ends
    writer.write(protocol.encode({"id": 0}, bytes(LONGEST_MESSAGE)))
    writer.write(protocol.encode({"tell": "output"}, b"x" * 100_000))
    first, second = await read(connection), await read(connection)
    assert first is not None
    assert second is not None
    assert (len(first.attached), second.attached) == (LONGEST_MESSAGE, b"x" * 100_000)


async def test_what_has_come_is_still_read_when_the_host_has_closed(ends: Ends) -> None:
    connection, _, writer = ends
    writer.write(protocol.encode({"tell": "output"}, b"last") + b'{"tell": "outp')
    writer.close()
    last = await read(connection)
    assert last is not None
    assert last.attached == b"last"
    assert await read(connection) is None, "half a message is none"


async def test_what_is_written_arrives_before_it_is_closed(ends: Ends) -> None:
    connection, reader, _ = ends
    connection.write({"ask": "checkpoint"}, bytes(4_000_000))
    closing = asyncio.ensure_future(connection.close())
    found = await asyncio.wait_for(protocol.read_message(reader), 20)
    assert found is not None
    assert len(found.attached) == 4_000_000
    assert await reader.read() == b""
    await closing


async def test_what_is_no_message_is_refused(ends: Ends) -> None:
    connection, _, writer = ends
    writer.write(b'{"tell": "output", "bytes": %d}\n' % (LONGEST_MESSAGE + 1))
    with pytest.raises(ValueError, match="cannot come with a message"):
        await read(connection)

"""What is read from a program that prints messages, and anything else."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from typing import Any, cast

import pytest

from kavor.sessions.agent import json_lines
from kavor.sessions.agent.json_lines import READ_SIZE, JsonLines


async def read(*lines: bytes) -> tuple[list[dict[str, Any]], int]:
    """The messages in these lines, and how many lines were none."""
    reader = StreamReader()
    reader.feed_data(b"".join(line + b"\n" for line in lines))
    reader.feed_eof()
    stream = JsonLines(reader, cast(StreamWriter, None))
    messages = []
    while message := await stream.receive():
        messages.append(message)
    return messages, stream.strays


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (rb'{"a": "\ud800 half a pair"}', "? half a pair"),
        (rb'{"a": "\ud83d\ude00 and \\ud800"}', "\U0001f600 and \\ud800"),
        (b'{"a": "caf\xe9"}', "caf\N{REPLACEMENT CHARACTER}"),
        (b'{"a": "\xed\xa0\x80"}', "\N{REPLACEMENT CHARACTER}" * 3),
    ],
)
async def test_what_is_no_text_is_replaced(line: bytes, text: str) -> None:
    assert await read(line) == ([{"a": text}], 0)


@pytest.mark.parametrize("line", [b"42", b"[]", b'{"half": ', b'{"id": [1], "result": {}}', b"[" * 100_000])
async def test_what_is_no_message_is_passed_over(line: bytes) -> None:
    assert await read(line, b'{"id": 1}') == ([{"id": 1}], 1)


async def test_an_error_in_any_form_is_one() -> None:
    messages, _ = await read(b'{"id": 1, "error": "boom"}', b'{"id": 2, "error": {"code": 3}}')
    assert messages == [{"id": 1, "error": {"message": "boom"}}, {"id": 2, "error": {"code": 3}}]


async def test_a_flood_leaves_the_loop_to_others() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    flood = b"y\n" * 200_000
    _, strays = await read(flood)
    beside.cancel()
    assert strays == 200_000
    assert turns >= len(flood) // READ_SIZE


async def test_a_program_may_print_much_at_once_and_is_slowed_where_it_does_not_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(json_lines, "MESSAGES_AT_ONCE", 100)
    monkeypatch.setattr(json_lines, "MESSAGES_A_SECOND", 500)
    slept: list[float] = []
    told: list[str] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        passed[0] += seconds

    passed = [0.0]
    monkeypatch.setattr("kavor.sessions.agent.pace.time.monotonic", lambda: passed[0])
    monkeypatch.setattr("kavor.sessions.agent.pace.asyncio.sleep", sleep)
    reader = StreamReader()
    stream = JsonLines(reader, cast(StreamWriter, None), lambda: told.append("slowed"))
    for count in range(1_100):
        reader.feed_data(b'{"id": %d}\n' % count)
        await stream.receive()
        if count == 99:
            assert [seconds for seconds in slept if seconds] == []
    assert 1.9 < sum(slept) < 2.1, "1,000 more than at once, at 500 a second"
    assert told == ["slowed"]


async def test_answers_to_a_program_that_reads_nothing_are_dropped() -> None:
    class Unread:
        """What was written, and never read."""

        written = 0

        @property
        def transport(self) -> Unread:
            return self

        def get_write_buffer_size(self) -> int:
            return self.written

        def write(self, data: bytes) -> None:
            self.written += len(data)

        async def drain(self) -> None: ...

    unread = Unread()
    stream = JsonLines(StreamReader(), cast(StreamWriter, unread))
    for number in range(2_000):
        await stream.send({"id": number, "result": "x" * 1_000})
    assert unread.written < json_lines.MOST_UNREAD + 2_000
    await stream.send({"id": 1, "method": "session/prompt"})
    assert unread.written > json_lines.MOST_UNREAD, "what is asked of it is not dropped"

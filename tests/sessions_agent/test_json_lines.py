"""What is read from a program that prints messages, and anything else."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from typing import Any, cast

import pytest

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

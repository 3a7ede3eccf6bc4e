"""Ctrl-C makes the system drop what a shell has written and nobody has read yet: perhaps its marks.

The session runs in the test's own process here, so that a mark can be kept from it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from at_once import over
from dialects import BASH, DASH, FISH, ZSH, Dialect
from live_shell import own_session_of, until

from kavor.sessions.session import WaitingFor
from kavor.sessions.terminal import line_editor
from kavor.sessions.terminal.marks import Mark
from kavor.sessions.terminal.session import TerminalSession


def drop(session: TerminalSession, monkeypatch: pytest.MonkeyPatch, *kinds: str) -> list[str]:
    """Keep the next mark of each kind from the session; the list has those that are still to come."""
    awaited = list(kinds)
    see = session._output._marked

    def marked(mark: Mark) -> None:
        if mark.kind in awaited:
            awaited.remove(mark.kind)
        else:
            see(mark)

    monkeypatch.setattr(session._output, "_marked", marked)
    return awaited


@over(BASH, ZSH, FISH, DASH)
async def test_a_shell_at_its_prompt_after_ctrl_c_is_found_there(
    dialect: Dialect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(*marks: str) -> None:
        folder = tmp_path / "-".join(marks)
        folder.mkdir()
        async with own_session_of(dialect.program(folder), folder, []) as session:
            session.type(b"sleep 60\r")
            await until(lambda: session.waiting_for is WaitingFor.BUSY, "the start")
            await asyncio.sleep(0.4)
            dropped = drop(session, monkeypatch, *marks)
            session.type(b"\x03")
            await until(lambda: session.waiting_for is None, "the prompt")
            assert not dropped
            assert (await session.deliver("1", "echo S")).accepted

    await asyncio.gather(found("B"), found("D"), found("D", "B"))


@over(BASH, ZSH, FISH)
async def test_a_key_that_was_swallowed_is_sent_again(
    own_session: TerminalSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_editor, "LOST_SECONDS", 2.0)
    dropped = drop(own_session, monkeypatch, "line")
    own_session.type(b"ab\x7f\x7f")
    await until(lambda: not dropped, "the lost answer")
    await until(lambda: own_session.waiting_for is None, "another answer")


@over(BASH, ZSH)
async def test_a_shells_own_reading_is_not_taken_for_a_prompt(
    own_session: TerminalSession, dialect: Dialect
) -> None:
    """It reads single keys, like a line editor; what was typed last is no Ctrl-C."""
    own_session.type(b"read -e line\r" if dialect is BASH else b"line=; vared line\r")
    await asyncio.sleep(3.0)
    assert own_session.waiting_for is WaitingFor.BUSY
    own_session.type(b"x\r")
    await until(lambda: own_session.waiting_for is None, "the prompt")

"""The screen as text: one picture from either engine, and one that dies is replaced by the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from live_shell import Shell, until

from kavor.domain.errors import KavorError
from kavor.sessions.terminal import one_look
from kavor.sessions.terminal import recording as recording_module
from kavor.sessions.terminal.checkpoints import Checkpoints
from kavor.sessions.terminal.emulation.engine import IN_ORDER, make_engine
from kavor.sessions.terminal.emulation.look import as_text, play, screen_rows
from kavor.sessions.terminal.one_look import screen_text
from kavor.sessions.terminal.protocol import LONGEST_MESSAGE
from kavor.sessions.terminal.pseudoterminal import READ_SIZE
from kavor.sessions.terminal.recording import (
    KEPT_BYTES,
    KEPT_FOR_AN_ENGINE,
    Checkpoint,
    Recording,
    Resize,
)

SIZE = [Resize(0, 20, 5)]


def played(name: str, size: tuple[int, int], output: bytes, resizes: Sequence[Resize]) -> str:
    engine = make_engine(name, *size)
    play(engine, output, resizes)
    return as_text(screen_rows(engine)).decode()


@pytest.mark.parametrize("name", IN_ORDER)
@pytest.mark.parametrize(
    ("output", "text"),
    [
        (b"hello\r\nworld  \r\n", "hello\nworld"),
        (b"\x1b[31mred\x1b[0m \xe4\xbd\xa0 \xe5", "red 你"),
        (b"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7", "3\n4\n5\n6\n7"),
        (b"below\x1b[?1049h\x1b[2J\x1b[Habove\x1b[?1049l", "below"),
        (b"abc\x1b[1;2HX\x1b[3;1Hz\x1b[c\x1b[6n", "aXc\n\nz"),
        (b"", ""),
    ],
)
def test_both_engines_show_the_same(name: str, output: bytes, text: str) -> None:
    assert played(name, (20, 5), output, []) == text


@pytest.mark.parametrize("name", IN_ORDER)
def test_a_change_of_size_takes_effect_where_it_happened(name: str) -> None:
    text = played(name, (10, 3), b"0123456789abcd\r\n\x1b[5G!", [Resize(16, 20, 3)])
    assert text == "0123456789abcd\n    !"


@pytest.mark.parametrize("name", IN_ORDER)
def test_a_checkpoint_keeps_no_change_from_whoever_draws(name: str) -> None:
    engine = make_engine(name, 20, 5)
    engine.feed(b"one\r\ntwo")
    assert [row.text for row in screen_rows(engine)][:2] == ["one", "two"]
    engine.feed(b"\x1b[1;1HONE\x1b[5;1Hfive")
    engine.checkpoint()
    changed = {row.y: row.text for row in engine.changed_rows()}
    assert (changed[0], changed[4]) == ("ONE", "five")
    engine.feed(b"\x1b[2;1HTWO\x1b[5;1HFIVE")
    engine.checkpoint()
    engine.resize(20, 3)
    assert [row.y for row in engine.changed_rows()] == [0, 1, 2], "and none of the rows that are gone"


async def test_an_engine_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = one_look._ask

    async def ghostty_dies(engine: str, what: str, recording: bytes) -> bytes | None:
        asked.append(engine)
        return await ask("no-such-engine" if engine == "ghostty" else engine, what, recording)

    monkeypatch.setattr(one_look, "_ask", ghostty_dies)
    assert await screen_text(b"still here", SIZE) == "still here"
    assert asked == ["ghostty", "avt"]


async def test_without_any_engine_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_look, "_IN_ORDER", ("none", "neither"))
    with pytest.raises(KavorError) as error:
        await screen_text(b"x", SIZE)
    assert error.value.hint


async def test_an_engine_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o700)
    monkeypatch.setattr(one_look, "LIMIT_SECONDS", 0.2)
    monkeypatch.setattr(one_look.sys, "executable", str(slow))
    with pytest.raises(KavorError):
        await asyncio.wait_for(screen_text(b"x", SIZE), 10)


async def test_the_screen_of_a_session(shell: Shell) -> None:
    await shell.deliver("PS1='$ '; clear; printf 'one\\n\\033[1mtwo\\033[0m\\n'")
    await shell.ready()
    assert await shell.sessions.screen(shell.id) == "one\ntwo\n$"
    await shell.type(b"half a li")
    await shell.shows(b"half a li")
    assert await shell.sessions.screen(shell.id) == "one\ntwo\n$ half a li"


async def test_a_full_screen_that_nobody_looks_at_is_not_lost() -> None:
    recording = Recording(80, 24)
    checkpoints = Checkpoints(recording, seconds_between=0)
    recording.append(b"below\x1b[?1049h\x1b[?2004h\x1b[2J\x1b[Hpainted once")
    for number in range(12):
        recording.append(b"".join(b"\x1b[9;1H%060d" % i for i in range(KEPT_BYTES // 4 // 66)))
        recording.append(b"\x1b[9;1Hround %02d" % number)
        checkpoints.consider()
        await until(lambda: checkpoints._taking is None, "the checkpoint")
    assert recording.length > 2 * KEPT_BYTES
    shown = await screen_text(*recording.replay())
    assert shown.startswith("painted once\n")
    assert "round 11" in shown
    recording.append(b"\x1b[?1049l")
    assert await screen_text(*recording.replay()) == "below"


def test_modes_whose_switch_is_no_longer_recorded_are_still_on() -> None:
    recording = Recording(80, 24)
    recording.append(b"\x1b[?1049;1h\x1b[?25l\x1b[?2004h")
    recording.append(b"\x1b[?2004l")
    for _ in range(5):
        recording.append(b"x" * (KEPT_BYTES // 2), has_switches=False)
    output, _ = recording.replay()
    assert output.startswith(b"\x1b[?1049h\x1b[?1h\x1b[?25l\x1b[?2004lx")


def test_a_recording_is_bounded() -> None:
    recording = Recording(80, 24)
    recording.append(b"first")
    recording.resized(100, 30)
    recording.append(b"x" * KEPT_BYTES)
    recording.append(b"y" * KEPT_BYTES)
    recording.resized(90, 20)
    recording.resized(91, 21)
    recording.append(b"end")
    kept, sizes = recording.replay()
    assert KEPT_BYTES <= len(kept) < 1.5 * KEPT_BYTES
    assert recording.tail(5) == b"yyend"
    assert recording.tail(0) == b""
    assert sizes == [Resize(0, 100, 30), Resize(len(kept) - 3, 91, 21)]


class Following:
    """An engine that takes everything and leaves no checkpoint."""

    def output(self, data: bytes) -> None: ...

    def resized(self, columns: int, rows: int) -> None: ...

    def ask_cursor(self, answer: Callable[[int, int], None]) -> None: ...

    def ended(self, reason: str) -> None: ...

    def let_go(self) -> None: ...


def test_what_an_engine_that_dies_would_need_is_kept_while_it_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = Recording(80, 24)
    follower = Following()
    recording.follow(follower)
    recording.append(b"painted once")
    for _ in range(8):
        recording.append(b"x" * (KEPT_BYTES // 2), has_switches=False)
    assert recording.replay()[0].startswith(b"painted once")
    recording.append(b"xx\nxx")
    recording.keep(Checkpoint(recording.length - 4, 80, 24, b"painted again"))
    recording.append(b"y" * KEPT_BYTES + b"\n" + b"y" * KEPT_BYTES)
    recording.append(b"y" * KEPT_BYTES)
    output, _ = recording.replay()
    assert b"painted againx\nxxy" in output, "and nothing that followed it is cut off"
    assert len(output) < 3.5 * KEPT_BYTES
    for _ in range(20):
        recording.append(b"z" * KEPT_BYTES)
    assert len(recording.replay()[0]) < 1.1 * KEPT_FOR_AN_ENGINE, "but not without end"
    recording.keep(Checkpoint(recording.length, 80, 24, b"painted at last"))
    recording.unfollow(follower, died=True)
    recording.append(b"z" * 2 * KEPT_BYTES)
    assert b"painted at last" in recording.replay()[0], "another comes at once"
    recording.follow(follower)
    monkeypatch.setattr(recording_module, "GRACE_SECONDS", 0.0)
    recording.unfollow(follower, died=True)
    recording.append(b"end")
    assert len(recording.replay()[0]) < 1.5 * KEPT_BYTES, "or not at all"


@pytest.mark.parametrize("before", [0, KEPT_BYTES // 4 - 4000, KEPT_BYTES // 4, KEPT_BYTES, 3 * KEPT_BYTES])
def test_nothing_an_engine_needs_is_dropped_before_the_recording_says_that_it_is_full(before: int) -> None:
    """Wherever the checkpoint lies, and not with the next piece of output either."""
    recording = Recording(80, 24)
    recording.follow(Following())
    recording.append(b"x" * before, has_switches=False)
    recording.keep(Checkpoint(recording.length, 80, 24, b"painted"))
    recording.append(b"painted once")
    while not recording.is_full:
        recording.append(b"y" * READ_SIZE, has_switches=False)
    recording.append(b"y" * READ_SIZE, has_switches=False)
    output, _ = recording.replay()
    assert b"painted once" in output
    assert KEPT_FOR_AN_ENGINE < len(output) < LONGEST_MESSAGE - KEPT_BYTES, "with room for a checkpoint"
    recording.keep(Checkpoint(recording.length, 80, 24, b"painted"))
    assert not recording.is_full


@pytest.mark.parametrize(("then", "shown"), [("", True), ("\x1b[?1049h", False)])
async def test_what_was_painted_once_outlives_a_flood_that_nobody_follows(then: str, shown: bool) -> None:
    """Also where the recording no longer reaches back to the checkpoint, unless it is of another screen."""
    recording = Recording(80, 24)
    recording.append(b"painted once")
    recording.keep(Checkpoint(recording.length, 80, 24, b"painted once"))
    recording.append(then.encode())
    flood = b"".join(b"\x1b[9;1H%060d" % i for i in range(2 * KEPT_BYTES // 66))
    for _ in range(3):
        recording.append(flood)
    recording.append(b"\x1b[9;1H\x1b[Kat last")
    text = await screen_text(*recording.replay())
    assert ("painted once" in text) is shown
    assert "at last" in text

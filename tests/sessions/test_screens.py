"""Sessions that are looked at: frames against credit, engines that die, questions answered once."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator, Iterator

import psutil
import pytest
from live_shell import OpenShell, Shell, until

from kavor.api.terminal_stream import Screen
from kavor.domain.attempts import AttemptState
from kavor.home import Home
from kavor.sessions.terminal import screens as screens_module
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.recording import KEPT_BYTES
from kavor.sessions.terminal.screens import Look, Screens
from kavor.terminal_frames import (
    UNDERLINE_SHIFT,
    Credit,
    Ended,
    Frame,
    FromEngine,
    Modes,
    ReadScrollback,
    Resize,
    Scrollback,
    Underline,
    decode_from_engine,
)


class Viewer:
    """Looks, and builds the screen from what it is shown. Draws each frame at once, unless told otherwise."""

    def __init__(self, screens: Screens, session_id: str, *, draws: bool = True) -> None:
        self.screen = Screen()
        self.frames: list[Frame] = []
        self.messages: list[FromEngine] = []
        self.draws = draws
        self.look: Look = screens.look(session_id, self._show, lambda: None)

    def _show(self, data: bytes) -> None:
        message = decode_from_engine(data)
        self.messages.append(message)
        if isinstance(message, Frame):
            self.frames.append(message)
            self.screen.apply(message)
            if self.draws:
                self.look.heard(Credit())

    async def sees(self, text: str) -> None:
        await until(lambda: text in self.screen.text, lambda: f"{text!r} in\n{self.screen.text}\n")

    async def scrollback(self, first: int, count: int) -> Scrollback:
        self.look.heard(ReadScrollback(7, first, count))
        await until(lambda: any(isinstance(one, Scrollback) for one in self.messages), "the scrollback")
        return next(one for one in self.messages if isinstance(one, Scrollback))


def fork_servers() -> list[psutil.Process]:
    """The processes of this test that make engines: one where somebody looks, none otherwise."""
    own = psutil.Process().children()
    return [process for process in own if "kavor.sessions.terminal.emulation.fork_server" in _line(process)]


def engines() -> list[psutil.Process]:
    """The engine processes of this test."""
    return [engine for server in fork_servers() for engine in server.children()]


def _line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.fixture
async def screens(home: Home, sessions: TerminalSessions) -> AsyncIterator[Screens]:
    screens = Screens(home, sessions)
    yield screens
    await screens.close()
    assert fork_servers() == []


@pytest.fixture
async def viewer(screens: Screens, shell: Shell) -> AsyncIterator[Viewer]:
    """Looks at the shell, whose prompt is ``$``."""
    await shell.run(b"PS1='$ '; clear")
    viewer = Viewer(screens, shell.id)
    viewer.look.heard(Credit(2))
    await viewer.sees("$")
    yield viewer
    viewer.look.close()


async def test_a_viewer_sees_what_is_typed_and_run(viewer: Viewer, shell: Shell) -> None:
    await viewer.look.type(b"printf '\\033[1;31m%s\\033[0m\\n' r''ed\r")
    await viewer.sees("\nred\n")
    (run,) = next(row for row in viewer.screen.rows if row.text == "red").runs
    assert (run.cells, run.text, run.foreground, run.attributes) == (3, "red", 2, 1)
    assert viewer.frames[0].full
    assert not viewer.frames[-1].full
    assert viewer.screen.modes & Modes.BRACKETED_PASTE, "the line editor's"
    await viewer.look.resize(Resize(70, 20))
    await until(lambda: (viewer.screen.columns, len(viewer.screen.rows)) == (70, 20), "the size")
    await viewer.look.type(b"clear; stty size; seq 100\r")
    await viewer.sees("100\n$")
    above = await viewer.scrollback(0, 3)
    assert [row.text for row in above.rows][-3:]
    assert viewer.screen.scrollback == above.total > 80


async def test_a_viewer_is_sent_no_more_frames_than_it_gives_credit_for(
    screens: Screens, shell: Shell
) -> None:
    viewer = Viewer(screens, shell.id, draws=False)
    await viewer.look.type(b"seq 200000; echo ov''er\r")
    await shell.shows(b"over")
    await shell.ready()
    assert viewer.frames == []
    viewer.look.heard(Credit(2))
    await until(lambda: viewer.frames, "a frame")
    assert "over" in viewer.screen.text, "what it missed is one frame"
    await shell.run(b"clear; echo 2")
    await until(lambda: len(viewer.frames) == 2, "the second frame")
    await shell.run(b"clear; echo 3")
    await asyncio.sleep(0.2)
    assert len(viewer.frames) == 2
    viewer.look.heard(Credit(1))
    await viewer.sees("3")


async def test_two_viewers_see_the_same_screen(viewer: Viewer, screens: Screens, shell: Shell) -> None:
    await shell.run(b"echo before")
    await viewer.sees("before")
    second = Viewer(screens, shell.id)
    second.look.heard(Credit(2))
    await second.sees("before")
    await shell.run(b"echo after")
    await second.sees("\nafter")
    await viewer.sees("\nafter")
    assert second.screen.rows == viewer.screen.rows
    second.look.close()


async def test_what_nobody_looks_at_has_no_engine(
    screens: Screens, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens_module, "LINGER_SECONDS", 0.1)
    assert fork_servers() == []
    viewer = Viewer(screens, shell.id)
    viewer.look.heard(Credit(2))
    await until(lambda: viewer.frames, "a frame")
    viewer.look.close()
    await until(lambda: fork_servers() == [], "the end of the engines, and of what makes them")
    again = Viewer(screens, shell.id)
    again.look.heard(Credit(2))
    await until(lambda: again.frames, "a frame")


async def test_engines_that_die_at_random_moments_are_not_noticed(
    viewer: Viewer, shell: Shell, screens: Screens
) -> None:
    """Neither by the shell nor by an attempt; the viewer has the right screen again."""
    moments = random.Random(20261130)
    key = await shell.accept("for i in $(seq 30000); do echo $i of a long list; done; (exit 3)")
    for _ in range(4):
        await asyncio.sleep(moments.uniform(0.02, 0.3))
        for engine in engines():
            engine.send_signal(signal.SIGABRT)
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (AttemptState.FAILED, 3)
    await viewer.look.type(b"echo typed''-meanwhile\r")
    await viewer.sees("typed-meanwhile")
    await until(lambda: viewer.screen.text.endswith("$"), "the prompt")
    assert viewer.screen.text == await shell.sessions.screen(shell.id)


async def abort_drawing(viewer: Viewer) -> None:
    """Abort the engine that draws, and wait for what the next one draws."""
    (drawing,) = engines()
    await abort(drawing, viewer)


async def abort(drawing: psutil.Process, viewer: Viewer) -> None:
    frames = len(viewer.frames)
    drawing.send_signal(signal.SIGABRT)
    await until(lambda: any(one.full for one in viewer.frames[frames:]), "a full frame")


async def is_curly(viewer: Viewer) -> bool:
    """Whether the wave on the screen is, as the simpler engine draws none."""
    await viewer.sees("wave")
    runs = [run for row in viewer.screen.rows for run in row.runs if run.text == "wave"]
    return {run.attributes >> UNDERLINE_SHIFT for run in runs} == {Underline.CURLY}


async def test_after_the_second_death_the_simpler_engine_draws(viewer: Viewer, shell: Shell) -> None:
    await shell.run(b"printf '\\033[4:3mwave\\033[0m\\n'")
    assert await is_curly(viewer)
    await abort_drawing(viewer)
    assert await is_curly(viewer)
    await abort_drawing(viewer)
    assert not await is_curly(viewer)


async def test_the_end_of_what_makes_engines_counts_for_nothing(viewer: Viewer, shell: Shell) -> None:
    await shell.run(b"printf '\\033[4:3mwave\\033[0m\\n'")
    assert await is_curly(viewer)
    (drawing,), (server,) = engines(), fork_servers()
    server.kill()
    await until(lambda: fork_servers() == [], "its end")
    await shell.run(b"echo meanwhile")
    await viewer.sees("\nmeanwhile")
    await abort(drawing, viewer)
    assert await is_curly(viewer)


async def test_an_engine_that_does_not_read_does_not_hold_up_the_program(
    viewer: Viewer, shell: Shell
) -> None:
    (drawing,) = engines()
    drawing.suspend()
    outcome = await shell.deliver("yes | head -c 8000000; echo ov''er")
    assert outcome.state is AttemptState.COMPLETED
    await viewer.sees("over")


async def test_the_end_of_the_session_is_told_with_its_last_screen(viewer: Viewer, shell: Shell) -> None:
    await shell.run_out(b"echo last words; exit 3")
    await until(lambda: isinstance(viewer.messages[-1], Ended), "the end")
    assert "last words" in viewer.screen.text


UPDATES = 2 * KEPT_BYTES // 60
FULL_SCREEN = (
    "printf 'under the screen\\n\\033[?1049h\\033[?1h\\033[2J\\033[HTHE TOP LINE'; "
    f"awk 'BEGIN {{ for (i = 0; i < {UPDATES}; i++) printf \"\\033[5;1H%060d\", i }}'; "
    "printf '\\033[12;1Hthe last line'; read -r; printf '\\033[?1049l\\033[?1l'"
)


async def test_a_full_screen_program_is_rebuilt_when_its_beginning_is_no_longer_recorded(
    viewer: Viewer, shell: Shell, screens: Screens
) -> None:
    await shell.type(FULL_SCREEN.encode() + b"\r")
    await viewer.sees("the last line")
    await viewer.sees("THE TOP LINE")
    await asyncio.sleep(1.5)  # within which a checkpoint is left with the host
    frames = len(viewer.frames)
    for engine in engines():
        engine.send_signal(signal.SIGABRT)
    await until(lambda: any(one.full for one in viewer.frames[frames:]), "a full frame")
    await viewer.sees("THE TOP LINE")
    assert viewer.screen.modes & Modes.ALTERNATE_SCREEN
    assert viewer.screen.modes & Modes.APPLICATION_CURSOR
    await shell.type(b"\r")
    await viewer.sees("under the screen")


ASKS = (
    b"s=$(stty -g); stty -icanon -echo min 0 time 100; printf '\\033[3;5H\\033[6n\\033[c'; "
    b"IFS= read -r -d c a; stty $s; printf '\\nGOT%q\\n' \"$a\"\r"
)


@pytest.mark.parametrize("looked_at", [True, False])
async def test_questions_of_programs_are_answered_once_and_in_order(
    screens: Screens, open_shell: OpenShell, looked_at: bool
) -> None:
    shell = await open_shell()
    await shell.ready()
    if looked_at:
        viewer = Viewer(screens, shell.id)
        viewer.look.heard(Credit(2))
        await until(lambda: viewer.frames, "a frame")
    await shell.type(ASKS)
    await shell.shows(rb"GOT$'\E[3;5R\E[?62;22'")
    await shell.ready()
    late = Viewer(screens, shell.id)
    late.look.heard(Credit(2))
    await late.sees("GOT")
    await shell.run(b"echo nothing''-typed")
    assert (await shell.output()).count(b"62;22") == 1, "playing it again asks nobody"


@pytest.fixture(autouse=True)
def no_engine_is_left() -> Iterator[None]:
    yield
    for process in engines():
        os.kill(process.pid, signal.SIGKILL)

"""A window's way to a terminal: over the runtime's socket, in plain Python."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from kavor_command import Kavor

from kavor.api.terminal_stream import Screen, TerminalStream
from kavor.domain.errors import Refused, Unreachable
from kavor.home import Home
from kavor.terminal_frames import Ended, Frame, FromEngine, Problem


class Window:
    def __init__(self, home: Home, node: str) -> None:
        self.screen = Screen()
        self.others: list[FromEngine] = []
        self.end: Exception | None = None
        self.stream = TerminalStream(home, node)
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        try:
            for message in self.stream:
                if isinstance(message, Frame):
                    self.screen.apply(message)
                    self.stream.grant()
                else:
                    self.others.append(message)
        except (Refused, Unreachable) as error:
            self.end = error

    def close(self) -> None:
        self.stream.close()
        self.ended()

    def ended(self) -> None:
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture
def window(kavor: Kavor, home: Home) -> Iterator[Window]:
    (session,) = kavor.json("session", "list")["sessions"]
    window = Window(home, session["node"])
    kavor.until(lambda: window.screen.text)
    yield window
    window.close()


def test_a_window_sees_types_resizes_and_reads_back(kavor: Kavor, window: Window) -> None:
    window.stream.resize(70, 15)
    kavor.until(lambda: (window.screen.columns, len(window.screen.rows)) == (70, 15))
    window.stream.type(b"seq 100; echo $((40+2))-do''ne\r")
    kavor.until(lambda: "42-done" in window.screen.text)
    request = window.stream.read_scrollback(0, 1000)
    kavor.until(lambda: window.others)
    (answer,) = window.others
    assert getattr(answer, "request", None) == request
    whole = kavor.json("session", "screen", "shell", "--full")["screen"]
    assert "\n1\n2\n3\n" in whole
    assert whole.endswith(kavor.json("session", "screen", "shell")["screen"])


def test_what_cannot_be_done_is_said_and_the_stream_goes_on(kavor: Kavor, window: Window) -> None:
    window.stream.resize(0, 10)
    kavor.until(lambda: window.others)
    assert isinstance(window.others[0], Problem)
    window.stream.type(b"echo still''-there\r")
    kavor.until(lambda: "still-there" in window.screen.text)


def test_the_end_of_a_session_and_of_the_runtime_are_told(kavor: Kavor, home: Home, window: Window) -> None:
    window.stream.type(b"exit 3\r")
    kavor.until(lambda: window.others)
    assert isinstance(window.others[0], Ended)
    (session,) = kavor.json("session", "list")["sessions"]
    refused = Window(home, session["node"])
    refused.ended()
    assert isinstance(refused.end, Refused)
    assert "not open" in refused.end.message
    kavor("runtime", "stop")
    window.ended()


LEAVING = """
import sys
from kavor.api.terminal_stream import TerminalStream
from kavor.home import find_home
stream = TerminalStream(find_home(), sys.argv[1])
for message in stream:
    break
"""


def test_a_script_that_leaves_the_stream_ends_at_once(kavor: Kavor, home: Home, window: Window) -> None:
    (session,) = kavor.json("session", "list")["sessions"]
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", LEAVING, session["node"]], env=kavor.environment, timeout=20, check=False
    )
    assert done.returncode == 0
    assert time.monotonic() - begun < 8, "no time-out was waited for"
    window.stream.type(b"echo still''-there\r")
    kavor.until(lambda: "still-there" in window.screen.text)


def test_the_last_screen_of_a_session_that_ended_can_be_read(kavor: Kavor, window: Window) -> None:
    window.stream.type(b"echo last''-words; exit 3\r")
    kavor.until(lambda: kavor.json("session", "list")["sessions"][0]["state"] == "ended")
    assert "last-words" in kavor.json("session", "screen", "shell")["screen"]
    assert "last-words" in kavor.json("session", "tail", "shell")["tail"]

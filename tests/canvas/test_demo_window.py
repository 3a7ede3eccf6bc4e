"""``kavor demo`` on a screen: a window on a Workspace whose Schedules fire each minute."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kavor.api.client import Client
from kavor.home import find_home

PATIENCE_S = 60


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


class Screen:
    """A virtual one; ``display`` is its name, and every pixel is in a file."""

    def __init__(self, display: str, pixels: Path) -> None:
        self.display = display
        self._pixels = pixels

    def is_blank(self) -> bool:
        drawn = self._pixels.read_bytes()
        return len(set(drawn[len(drawn) // 2 :: 997])) < 2


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a short path, for sockets."""
    made = Path(tempfile.mkdtemp(prefix="kv"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def screen(folder: Path) -> Iterator[Screen]:
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    ours, its = os.pipe()
    command = ["Xvfb", "-displayfd", str(its), "-screen", "0", "1400x900x24", "-fbdir", str(folder)]
    server = subprocess.Popen([*command, "-nolisten", "tcp"], pass_fds=[its], stderr=subprocess.DEVNULL)
    os.close(its)
    with os.fdopen(ours) as told:
        number = told.readline().strip()
    yield Screen(f":{number}", folder / "Xvfb_screen0")
    server.terminate()
    server.wait()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_demo_opens_a_window_and_leaves_nothing_behind(
    screen: Screen, folder: Path, ending: signal.Signals
) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
    }
    environment |= {"DISPLAY": screen.display, "TMPDIR": str(folder), "HOME": str(folder), "TZ": "UTC"}
    assert screen.is_blank()
    demo = subprocess.Popen(
        [sys.executable, "-m", "kavor", "demo"], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        wait_until(lambda: not screen.is_blank())
        (root,) = folder.glob("kavor-demo-*")
        client = Client(find_home({"KAVOR_HOME": str(root / "home")}), "UTC")
        schedules = client.get("/api/schedules")["schedules"]
        assert [one["name"] for one in schedules] == ["first fire", "first prompt"]
        for schedule in schedules:
            assert (schedule["state"], schedule["description"]) == ("Running", "Every minute")
            assert schedule["target"] is not None
    finally:
        demo.send_signal(ending)  # closes the window, as Ctrl-C does
        _, errors = demo.communicate(timeout=PATIENCE_S)
    assert (demo.returncode, errors) == (0, "")
    assert not list(folder.glob("kavor-demo-*"))

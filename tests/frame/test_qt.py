"""Qt starts here, with a screen and without one, and survives what 6.12.0 does not on Python 3.11."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

VOID_CALLS = """
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

application = QApplication([])
window = QWidget()
window.show()
application.processEvents()
thing = QObject()
for _ in range(20_000):
    thing.setObjectName("a")  # each such call lost a reference to None
print(application.platformName())
"""


@pytest.fixture
def virtual_screen() -> Iterator[str]:
    """The display name of an X server that exists for this test."""
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write_end], stderr=subprocess.DEVNULL)
    os.close(write_end)
    try:
        with os.fdopen(read_end) as chosen:
            yield f":{chosen.readline().strip()}"
    finally:
        server.terminate()
        server.wait(10)


def platform_that_started(**environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", VOID_CALLS],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_qt_starts_without_a_screen() -> None:
    assert platform_that_started(QT_QPA_PLATFORM="offscreen") == "offscreen"


@pytest.mark.skipif(sys.platform != "linux", reason="X11 is Linux's screen")
def test_qt_starts_on_an_x11_screen(virtual_screen: str) -> None:
    assert platform_that_started(QT_QPA_PLATFORM="xcb", DISPLAY=virtual_screen) == "xcb"

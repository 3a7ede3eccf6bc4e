"""Fixtures every test may use."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kavor.home import Home, find_home

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A run that was started in the background ignores Ctrl-C, and every command that a test starts and
    # interrupts would ignore it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def home() -> Iterator[Home]:
    """A fresh home with a path short enough for Unix sockets; gone after the test."""
    root = Path(tempfile.mkdtemp(prefix="kv"))
    try:
        home = find_home({"KAVOR_HOME": str(root)})
        home.prepare()
        yield home
    finally:
        shutil.rmtree(root, ignore_errors=True)

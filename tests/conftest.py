"""Fixtures every test may use."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kavor.home import Home, find_home


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

"""The command on a fresh home, and on one that the tests of a module share."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from kavor_command import Kavor

from kavor.home import Home, find_home


@pytest.fixture
def kavor(home: Home, tmp_path: Path) -> Iterator[Kavor]:
    """The command, with no runtime yet; one that it starts is gone after the test, with its sessions."""
    kavor = Kavor(home, tmp_path)
    yield kavor
    if kavor.home.socket.exists():
        kavor("runtime", "stop", "--end-sessions")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kavor]:
    """The command with a runtime that the module's tests share: one Workspace ``place``, in it a Terminal
    ``build`` without a session."""
    root = Path(tempfile.mkdtemp(prefix="kv"))
    kavor = Kavor(find_home({"KAVOR_HOME": str(root)}), tmp_path_factory.mktemp("user"))
    try:
        kavor.json("workspace", "add", str(tmp_path_factory.mktemp("place")), "--name", "place")
        kavor.json("node", "add", "terminal", "--name", "build", "--closed")
        yield kavor
    finally:
        if kavor.home.socket.exists():
            kavor("runtime", "stop", "--end-sessions")
        shutil.rmtree(root, ignore_errors=True)

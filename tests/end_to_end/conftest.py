"""A person's whole way: the command, a runtime and a shell of their own, each in a fresh home."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kavor.home import Home

sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))

from kavor_command import Kavor


@pytest.fixture
def kavor(home: Home, tmp_path: Path) -> Iterator[Kavor]:
    """The command with one Workspace ``place`` and in it a Terminal ``shell`` at its prompt."""
    user_home = tmp_path / "user"
    user_home.mkdir()
    place = tmp_path / "place"
    place.mkdir()
    kavor = Kavor(home, user_home)
    kavor.json("workspace", "add", str(place))
    kavor.json("node", "add", "terminal", "--name", "shell")
    kavor.until(lambda: kavor.json("session", "list")["sessions"][0]["waiting_for"] is None)
    yield kavor
    if home.socket.exists():
        kavor("runtime", "stop", "--end-sessions")

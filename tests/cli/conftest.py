"""The command on a fresh home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kavor_command import Kavor

from kavor.home import Home


@pytest.fixture
def kavor(home: Home, tmp_path: Path) -> Iterator[Kavor]:
    """The command, with no runtime yet; one that it starts is gone after the test, with its sessions."""
    kavor = Kavor(home, tmp_path)
    yield kavor
    kavor("runtime", "stop", "--end-sessions")

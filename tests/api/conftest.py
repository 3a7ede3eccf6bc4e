"""One runtime that the tests of a module share, and one that a test may break."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from api_world import Api, running

from kavor.home import Home, find_home


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """On a runtime that the tests of a module share: starting one is slow. What a test makes has names of
    its own."""
    root = Path(tempfile.mkdtemp(prefix="kv"))
    try:
        with running(find_home({"KAVOR_HOME": str(root)}), tmp_path_factory.mktemp("api")) as api:
            yield api
    finally:
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def own_api(home: Home, tmp_path: Path) -> Iterator[Api]:
    """On a runtime of the test's own."""
    with running(home, tmp_path) as api:
        yield api

"""Worlds for the runtime: the synchronous core alone, and the whole runtime with scripted sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ledger_world import LedgerWorld
from scripted_runtime import ScriptedRuntime

from kavor.home import Home
from kavor.store.database import open_store


@pytest.fixture
def world(home: Home) -> Iterator[LedgerWorld]:
    """A Workspace on Monday 2 November 2026, 09:59:30Z."""
    store = open_store(home.database, home.backups)
    directory = home.data / "work"
    directory.mkdir()
    yield LedgerWorld(store, directory, "2026-11-02T09:59:30Z")
    store.close()


@pytest.fixture
def directory(home: Home) -> Path:
    """The directory of a Workspace."""
    made = home.data / "work"
    made.mkdir()
    return made


@pytest.fixture
async def scripted(home: Home) -> AsyncIterator[ScriptedRuntime]:
    """A runtime that has started on an empty database."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        runtime = ScriptedRuntime(home, thread)
        await runtime.start()
        yield runtime
        await runtime.stop()

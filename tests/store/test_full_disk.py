"""A full disk: said in words, nothing half kept, and over as soon as there is room again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kavor.domain.errors import StorageFailed
from kavor.home import Home
from kavor.store import workspaces
from kavor.store.database import open_store

MEGABYTE = 1024 * 1024


def fill(disk: Path) -> Path:
    """Take every byte that is left; answer the file that has them."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (65536, 4096):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                pass
    return ballast


def test_a_disk_that_fills_while_running(home: Home, small_disk: Callable[[int], Path]) -> None:
    disk = small_disk(2 * MEGABYTE)
    store = open_store(disk / "kavor.db", home.backups)
    with store.transaction() as tx:
        workspaces.set_fact(tx, "kept", "yes")
    ballast = fill(disk)
    with pytest.raises(StorageFailed, match="the disk is full") as failure, store.transaction() as tx:
        workspaces.set_fact(tx, "large", "x" * MEGABYTE)
    assert "free some space" in failure.value.hint
    with store.reading() as view:
        assert workspaces.fact(view, "large") is None
        assert workspaces.fact(view, "kept") == "yes"
    ballast.unlink()
    with store.transaction() as tx:
        workspaces.set_fact(tx, "large", "x" * (MEGABYTE // 4))
    store.close()


def test_a_disk_that_is_full_at_the_start(home: Home, small_disk: Callable[[int], Path]) -> None:
    disk = small_disk(2 * MEGABYTE)
    database = disk / "kavor.db"
    open_store(database, home.backups).close()
    ballast = fill(disk)
    with pytest.raises(StorageFailed, match="the disk is full"):
        open_store(database, home.backups)
    ballast.unlink()
    store = open_store(database, home.backups)
    with store.reading() as view:
        assert workspaces.fact(view, "ledger-id")
    store.close()


def test_a_disk_that_is_full_before_there_is_a_database(
    home: Home, small_disk: Callable[[int], Path]
) -> None:
    disk = small_disk(MEGABYTE)
    database = disk / "kavor.db"
    ballast = fill(disk)
    with pytest.raises(StorageFailed, match="the disk is full"):
        open_store(database, home.backups)
    ballast.unlink()
    store = open_store(database, home.backups)
    with store.reading() as view:
        assert workspaces.fact(view, "ledger-id")
    store.close()

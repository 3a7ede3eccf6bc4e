"""Databases on disk, new and in trouble."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kavor.home import Home
from kavor.store import database
from kavor.store.database import Store, open_store

SmallDisk = Callable[[int], Path]


@pytest.fixture
def opened(home: Home) -> Iterator[Callable[[], Store]]:
    """Open the database of this home, as often as asked; all are closed after the test."""
    stores: list[Store] = []

    def open_it() -> Store:
        stores.append(open_store(home.database, home.backups))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


@pytest.fixture
def migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the migrations that a test may add to, used in place of the real ones."""
    copy = tmp_path / "migrations"
    shutil.copytree(
        database._MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"), copy_function=shutil.copy
    )
    monkeypatch.setattr(database, "_MIGRATIONS", copy)
    return copy


@pytest.fixture
def small_disk(home: Home) -> Iterator[SmallDisk]:
    """Make a file system of so many bytes. Needs the right to mount one."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount the small file system this needs")
    mounted: list[Path] = []

    def mount(size: int) -> Path:
        place = home.data / f"disk{len(mounted)}"
        place.mkdir()
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)],
            capture_output=True,
            text=True,
        )
        if made.returncode:
            pytest.skip(f"a small file system cannot be mounted here: {made.stderr.strip()}")
        mounted.append(place)
        return place

    yield mount
    for place in mounted:
        # Lazily, since a test that failed may have left its database open.
        subprocess.run(["umount", "--lazy", str(place)], check=True)

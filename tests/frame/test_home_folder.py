"""Kavor's home is made private, and a folder that others share is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from kavor.domain.errors import HomeUnusable
from kavor.home import find_home


def test_its_folders_are_for_the_user_alone(tmp_path: Path) -> None:
    root = tmp_path / "kavor"
    root.mkdir(mode=0o755)
    home = find_home({"KAVOR_HOME": str(root)})
    home.prepare()
    folders = {home.data, home.run, home.logs, home.backups, home.sessions}
    assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}


def test_a_shared_folder_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with pytest.raises(HomeUnusable, match="not a folder for Kavor alone"):
        find_home({"KAVOR_HOME": str(shared)}).prepare()
    assert shared.stat().st_mode & 0o7777 == 0o1777
    assert list(shared.iterdir()) == []


def test_the_users_own_home_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    before = tmp_path.stat().st_mode
    with pytest.raises(HomeUnusable):
        find_home({"KAVOR_HOME": str(tmp_path)}).prepare()
    assert tmp_path.stat().st_mode == before

"""What the set-up does about a machine that lacks something."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, on a Debian that lacks ``libgl1`` until apt brings it; PATH holds the fake apt alone."""
    spec = importlib.util.spec_from_file_location("system_packages", ROOT / "packaging/system_packages.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "system_packages", script)
    spec.loader.exec_module(script)

    apt = tmp_path / "apt-get"
    apt.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/apt.log\n', encoding="utf-8")
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    lacking = script.Need("libgl1", "libGL.so.1", lambda: (tmp_path / "apt.log").exists())
    monkeypatch.setattr(script, "WINDOW", (lacking,))
    monkeypatch.setattr(script, "VIRTUAL_SCREEN", ())
    monkeypatch.setattr(script, "SHELLS", (script.Need("zsh", "zsh", lambda: False),))
    monkeypatch.setattr(script, "VENV", script.Need("python3-venv", "the ensurepip module", lambda: True))
    return script


def test_nothing_missing_says_nothing(
    machine: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "apt.log").touch()
    assert machine.main("run") == 0
    assert capfd.readouterr() == ("", "")


def test_root_gets_it_by_apt(machine: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert machine.main("run") == 0
    assert (tmp_path / "apt.log").read_text(encoding="utf-8").splitlines() == [
        "update -q",
        "install -q -y --no-install-recommends libgl1",
    ]


def test_root_is_told_when_apt_could_not(machine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(machine, "WINDOW", (machine.Need("libgl1", "libGL.so.1", lambda: False),))
    assert machine.main("run") == 1


def test_others_are_told_the_one_line(
    machine: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert machine.main("run") == 1
    assert capfd.readouterr().err.splitlines() == [
        "error: this machine lacks libGL.so.1",
        "hint: run  sudo apt-get install -y libgl1",
    ]
    assert not (tmp_path / "apt.log").exists()


def test_without_apt_only_a_missing_ensurepip_stops(
    machine: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "apt-get").unlink()
    assert machine.main("run") == 0
    assert "libGL.so.1" in capfd.readouterr().err
    monkeypatch.setattr(machine, "VENV", machine.Need("python3-venv", "the ensurepip module", lambda: False))
    assert machine.main("run") == 1


def test_a_shell_that_is_not_there_stops_nobody(
    machine: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "apt.log").touch()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert machine.main("test") == 0
    assert "zsh will be skipped" in capfd.readouterr().out
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert machine.main("test") == 0
    assert (tmp_path / "apt.log").read_text(encoding="utf-8").splitlines()[-1].endswith(" zsh")


def test_tests_need_a_virtual_screen_too(machine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "VIRTUAL_SCREEN", (machine.program("xvfb", "Xvfb"),))
    names = {need.name for need in machine.needs("test")} - {need.name for need in machine.needs("run")}
    assert names == {"Xvfb"}


def test_an_old_python_is_refused(
    machine: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "OLDEST_PYTHON", (9, 0))
    assert machine.main("run") == 1
    assert "needs Python" in capfd.readouterr().err

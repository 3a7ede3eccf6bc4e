"""Getting real agents: once for all checkouts, whole or not at all, and never a failure."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

NPM = """#!/bin/sh
PATH=/usr/bin:/bin
echo "$*" >> {log}
{then}
"""
WORKS = """
mkdir -p "$3/node_modules/.bin" && touch "$3/node_modules/.bin/opencode"
"""
FAILS = """
mkdir -p "$3/node_modules"
echo 'npm error code ENOTFOUND' >&2
echo 'npm error network request to the registry failed' >&2
echo 'npm error A complete log of this run can be found in: x.log' >&2
exit 1
"""


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, with a cache of its own, on a machine that has an old Node.js and no npm."""
    spec = importlib.util.spec_from_file_location("installer", ROOT / "packaging/real_agents.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "installer", script)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "node_version", lambda: 20)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return script


def put_npm(folder: Path, then: str) -> None:
    npm = folder / "npm"
    npm.write_text(NPM.format(log=folder / "log", then=then))
    npm.chmod(0o755)


def test_it_is_installed_once(
    installer: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put_npm(tmp_path, WORKS)
    assert installer.main(["opencode"]) == 0
    assert installer.main(["opencode"]) == 0
    assert "opencode-ai 1.18.33 is installed" in capfd.readouterr().out
    (command,) = (tmp_path / "log").read_text().splitlines()
    assert command.endswith("opencode-ai@1.18.33")
    (folder,) = installer.search_path(installer.pins()["opencode"])
    assert (folder / "opencode").exists()


def test_what_needs_a_newer_node_gets_one_ahead_of_the_machines(
    installer: ModuleType, tmp_path: Path
) -> None:
    put_npm(tmp_path, WORKS)
    assert installer.main(["claude"]) == 0
    assert len((tmp_path / "log").read_text().splitlines()) == 2
    folders = installer.search_path(installer.pins()["claude"])
    assert [folder.parents[1].name.partition("-")[0] for folder in folders] == ["node", "claude"]


def test_without_npm_it_says_what_to_install(
    installer: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    assert installer.main(["opencode"]) == 0
    assert "not installed, and its tests are skipped: npm is not there" in capfd.readouterr().out
    with pytest.raises(installer.NotInstalled, match="npm is not there"):
        installer.search_path(installer.pins()["opencode"])


def test_a_registry_that_is_away_fails_nothing_and_leaves_nothing(
    installer: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put_npm(tmp_path, FAILS)
    assert installer.main(["opencode"]) == 0
    assert "network request to the registry failed" in capfd.readouterr().out
    left = [path.name for path in (tmp_path / "cache/kavor/agents").iterdir()]
    assert left == ["opencode.lock"]
    with pytest.raises(installer.NotInstalled, match="make test-agents AGENTS=opencode"):
        installer.search_path(installer.pins()["opencode"])


def test_an_agent_that_there_is_none_of(installer: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    assert installer.main(["opencode", "hal"]) == 2
    assert "there is no agent hal" in capfd.readouterr().err

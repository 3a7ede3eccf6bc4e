"""Help and ``kavor next`` stay cheap: they load nothing they do not need."""

from __future__ import annotations

import re
import subprocess

import pytest
from kavor_command import Kavor

HEAVY = {
    "alembic",
    "apscheduler",
    "asyncio",
    "croniter",
    "fastapi",
    "http.client",
    "platformdirs",
    "psutil",
    "pydantic",
    "rich",
    "sqlalchemy",
    "sqlite3",
    "ssl",
    "starlette",
    "subprocess",
    "uvicorn",
    "websockets",
}


def modules_of(kavor: Kavor, *arguments: str) -> set[str]:
    """What the real command imports on its way."""
    command = kavor.command(*arguments)
    command.insert(1, "-Ximporttime")
    done = subprocess.run(command, capture_output=True, text=True, env=kavor.environment, check=True)
    return set(re.findall(r"\|\s+([\w.]+)$", done.stderr, re.MULTILINE))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["schedule", "add", "--help"],
        ["next", "*/5 * * * *"],
        ["next", "daily", "--time", "02:30", "--json"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(kavor: Kavor, arguments: list[str]) -> None:
    imported = modules_of(kavor, *arguments)
    assert "kavor.cli.main" in imported
    assert not imported & HEAVY


def test_help_loads_no_command(kavor: Kavor) -> None:
    assert not {name for name in modules_of(kavor, "--help") if name.startswith("kavor.domain.re")}


def test_help_starts_nothing_and_makes_nothing(kavor: Kavor) -> None:
    before = sorted(kavor.home.data.rglob("*"))
    for arguments in (["--help"], ["--version"], ["schedule", "--help"], ["next", "daily"], ["doctor"]):
        assert kavor(*arguments).code == 0
    assert sorted(kavor.home.data.rglob("*")) == before

"""Each import contract of pyproject.toml holds, and is seen to fail when it is broken."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "kavor", tmp_path / "kavor", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_all_contracts_hold() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("module", "offence", "contract"),
    [
        ("kavor/domain/graph.py", "import kavor.store", "The floors"),
        ("kavor/sessions/session.py", "import kavor.store", "The floors"),
        ("kavor/store/tables.py", "import kavor.sessions", "The floors"),
        ("kavor/runtime/dispatcher.py", "import kavor.api.client", "The floors"),
        ("kavor/upstairs.py", "", "The floors"),
        ("kavor/domain/graph.py", "import sqlalchemy", "The domain is pure rules"),
        ("kavor/cli/find.py", "import kavor.runtime.dispatcher", "A face reaches the runtime"),
        ("kavor/cli/find.py", "import kavor.app", "A face reaches the runtime"),
        ("kavor/api/client.py", "import kavor.store", "A face reaches the runtime"),
        ("kavor/mcp/link.py", "import kavor.runtime.dispatcher", "A face reaches the runtime"),
        ("kavor/app/agent_door.py", "import mcp", "What speaks to agents of tools"),
        ("kavor/api/agent_tools.py", "import kavor.mcp.tools", "What speaks to agents of tools"),
        ("kavor/sessions/session.py", "import sqlite3", "The database is the affair"),
        ("kavor/runtime/dispatcher.py", "import asyncio", "What decides is synchronous"),
        ("kavor/sessions/terminal/deliveries.py", "import psutil", "The PTY host is small"),
        ("kavor/canvas/cards/card.py", "import kavor.canvas.terminal.keys", "No circles"),
        ("kavor/api/connection.py", "import kavor.api.client", "No circles"),
    ],
)
def test_a_broken_contract_is_seen(copy: Path, module: str, offence: str, contract: str) -> None:
    with (copy / module).open("a", encoding="utf-8") as source:
        source.write(f"\n{offence}\n")
    result = lint_imports(copy)
    assert result.returncode != 0
    summary = " ".join(result.stdout.replace("\n", " ").split("Contracts:")[0].split())
    verdicts = [
        verdict.strip()
        for verdict in summary.replace("KEPT", "KEPT\n").replace("BROKEN", "BROKEN\n").splitlines()
    ]
    assert any(contract in verdict and verdict.endswith("BROKEN") for verdict in verdicts), result.stdout

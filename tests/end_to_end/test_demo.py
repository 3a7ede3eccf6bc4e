"""``kavor demo`` without a screen: from Resume to the ledger, with a shell and an agent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kavor.home import Home


@pytest.mark.timeout(240)
@pytest.mark.contract("K1", "K4", "K7")
def test_the_demo_fires_a_command_and_wakes_an_agent_that_leaves_its_report(
    tmp_path: Path, home: Home
) -> None:
    user_home, folder = tmp_path / "user", home.data / "t"  # where a socket's path is short enough
    for made in (user_home, folder):
        made.mkdir()
    environment = {**os.environ, "HOME": str(user_home), "TMPDIR": str(folder), "TZ": "UTC"}
    played = subprocess.run(
        [sys.executable, "-m", "kavor", "demo", "--headless", "--json"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=220,
    )
    assert played.returncode == 0, played.stderr
    assert "Completed" in played.stderr
    told = json.loads(played.stdout)
    command, prompt = told["attempts"]
    assert [one["state"] for one in (command, prompt)] == ["Completed", "Completed"]
    assert command["nominal_at"] == prompt["nominal_at"]
    assert "Kavor fired at" in command["evidence"]["output"]
    assert prompt["evidence"]["output"] == "My report is in the note."
    assert [(call["title"], call["status"]) for call in prompt["evidence"]["tool_calls"]] == [
        ("kavor: read_specification", "completed"),
        ("kavor: read_sticky_note", "completed"),
        ("kavor: terminal_run", "completed"),
        ("kavor: append_sticky_note", "completed"),
    ]
    assert "15 pages/welcome.md" in told["note"]["text"]
    assert list(folder.iterdir()) == []
    assert list(user_home.iterdir()) == [], "its shell writes into nobody's history"

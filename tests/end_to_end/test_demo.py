"""``kavor demo`` without a screen: from Resume to the ledger, with a shell and an agent."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kavor.api.client import Client
from kavor.home import Home, find_home

DEMO = [sys.executable, "-m", "kavor", "demo", "--headless"]


@pytest.mark.timeout(240)
@pytest.mark.contract("K1", "K4", "K7")
def test_the_demo_fires_a_command_and_wakes_an_agent_that_leaves_its_report(
    tmp_path: Path, home: Home
) -> None:
    user_home, folder = tmp_path / "user", home.data / "t"  # where a socket's path is short enough
    for made in (user_home, folder):
        made.mkdir()
    environment = {**os.environ, "HOME": str(user_home), "TMPDIR": str(folder), "TZ": "UTC"}
    for_people = subprocess.Popen(DEMO, env=environment, stdout=subprocess.PIPE, text=True)
    played = subprocess.run([*DEMO, "--json"], env=environment, capture_output=True, text=True, timeout=220)
    printed, _ = for_people.communicate(timeout=60)
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
        ("terminal_run in 'shell': wc -w pages/*.md", "completed"),
    ]
    assert prompt["evidence"]["tool_calls"][-1]["detail"] == "exit code 0"
    assert "15 pages/welcome.md" in told["note"]["text"]
    assert list(folder.iterdir()) == []
    assert list(user_home.iterdir()) == [], "its shell writes into nobody's history"
    assert for_people.returncode == 0
    for said in (printed, played.stderr):
        assert re.search(r"they fire at \w{3} \d{4}-\d\d-\d\d \d\d:\d\d:00 \S*UTC", said)
        assert not re.search(r"\dT\d\d:", said), "times are written for people"
    assert re.search(r"ended +\w{3} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S*UTC  \(ran \d+ ms\)", printed)


def test_a_demo_that_is_ended_leaves_nothing_behind(tmp_path: Path, home: Home) -> None:
    user_home, folder = tmp_path / "user", home.data / "t"
    for made in (user_home, folder):
        made.mkdir()
    environment = {**os.environ, "HOME": str(user_home), "TMPDIR": str(folder), "TZ": "UTC"}
    demo = subprocess.Popen(DEMO, env=environment, stdout=subprocess.PIPE, text=True)
    assert demo.stdout is not None
    assert any("Resumed" in line for line in demo.stdout)
    (root,) = folder.glob("kavor-demo-*")
    runtime = Client(find_home({"KAVOR_HOME": str(root / "home")})).get("/api/runtime")["pid"]
    demo.terminate()
    demo.communicate(timeout=60)
    assert demo.returncode == 128 + signal.SIGTERM
    assert list(folder.iterdir()) == []
    deadline = time.monotonic() + 20
    while not has_ended(runtime):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def has_ended(pid: int) -> bool:
    """Whether or not its parent has heard of it."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return state.strip()[:1] in ("", "Z")

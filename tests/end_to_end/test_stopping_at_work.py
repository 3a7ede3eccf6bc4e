"""A runtime that is stopped while it is asked for something: who asked is told, nothing is left behind."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import psutil
import pytest
from kavor_command import Kavor

from kavor.api.launch import wait_until_stopped


def stop(kavor: Kavor) -> str:
    """The runtime's log, when it has ended."""
    kavor("runtime", "stop", "--end-sessions")
    assert wait_until_stopped(kavor.home, 30)
    return kavor.home.runtime_log.read_text()


def processes_of(kavor: Kavor) -> list[list[str]]:
    """Those that have this home in their environment, but for the commands of the test."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("KAVOR_HOME") == str(kavor.home.data):
                found.append(process.cmdline())
        except psutil.Error:
            continue
    return found


@pytest.mark.contract("K+1")
def test_an_agent_that_is_being_opened(kavor: Kavor, tmp_path: Path) -> None:
    """Its login shell takes its time to tell where programs are."""
    kavor.json("node", "add", "coding-agent", "--name", "scribe", "--provider", "scripted", "--closed")
    asked = tmp_path / "asked"
    profile = Path(kavor.environment["HOME"]) / ".bash_profile"
    profile.write_text(f"touch {asked}; sleep 3\n")
    opening = subprocess.Popen(
        kavor.command("session", "open", "scribe"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=kavor.environment,
    )
    kavor.until(asked.exists)
    log = stop(kavor)
    _, said = opening.communicate(timeout=30)
    assert opening.returncode == 4
    assert said.startswith("error: the runtime is stopping\n")
    assert "Traceback" not in log
    assert "Cancel" not in log, "it is given up at once, and not when the server has waited for it"
    kavor.until(lambda: processes_of(kavor) == [])


def test_a_command_that_an_agent_waits_for(kavor: Kavor) -> None:
    kavor.json("node", "add", "coding-agent", "--name", "scribe", "--provider", "scripted")
    kavor.json("connect", "scribe", "shell")
    call = f"call terminal_run {json.dumps({'terminal': 'shell', 'command': 'sleep 60', 'wait_s': 60})}"
    kavor.until(lambda: session_waits(kavor, "scribe") is None)
    kavor.json("message", "send", "scribe", call)
    kavor.until(lambda: session_waits(kavor, "shell") == "busy")
    log = stop(kavor)
    assert "Traceback" not in log
    kavor.until(lambda: processes_of(kavor) == [])


def session_waits(kavor: Kavor, name: str) -> str | None:
    (found,) = [one for one in kavor.json("session", "list")["sessions"] if one["name"] == name]
    waits: str | None = found["waiting_for"]
    return waits

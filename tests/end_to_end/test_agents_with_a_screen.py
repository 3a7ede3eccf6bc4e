"""An agent with a screen of its own, as a person has it: seen, typed to, woken, and there when its runtime is
killed."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from kavor_command import Kavor

from kavor.api.terminal_stream import Screen, TerminalStream
from kavor.terminal_frames import Frame

TUI = Path(__file__).parent.parent / "sessions" / "tui_program.py"


@pytest.fixture
def agent(kavor: Kavor, tmp_path: Path) -> Kavor:
    """With an agent ``scribe`` at its prompt, whose hooks tell of its turns."""
    command = [sys.executable, "-I", "-S", str(TUI), str(tmp_path / "log"), "--notices", "hooks"]
    provider = {
        "label": "A screen",
        "transport": "tui",
        "command": [*command, "--hooks", "{hooks}"],
    }
    screen = {"quiet_s": 0.2, "hook_events": ["UserPromptSubmit", "PermissionRequest", "Stop", "StopFailure"]}
    signs = {
        "UserPromptSubmit": "began",
        "PermissionRequest": "asks",
        "StopFailure": "failed",
        "Stop": "ended",
    }
    tables = {"screened": provider, "screened.screen": screen, "screened.screen.signs": signs}
    lines = [
        line
        for name, table in tables.items()
        for line in (f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items()))
    ]
    (kavor.home.data / "providers.toml").write_text("\n".join(lines))
    kavor.json("node", "add", "coding-agent", "--name", "scribe", "--provider", "screened")
    kavor.until(lambda: session(kavor)["waiting_for"] is None)
    return kavor


def session(kavor: Kavor) -> dict[str, Any]:
    (found,) = [one for one in kavor.json("session", "list")["sessions"] if one["name"] == "scribe"]
    assert isinstance(found, dict)
    return found


def attempt_of(kavor: Kavor, prompt: str) -> str:
    kavor.json("schedule", "add", "--name", "wake", "--target", "scribe", "--payload", prompt)
    return str(kavor.json("schedule", "run", "wake")["id"])


def test_it_is_seen_typed_to_and_answered_on_its_own_screen(agent: Kavor) -> None:
    assert ">" in agent("session", "screen", "scribe").out
    agent("session", "type", "scribe", "half a thought")
    number = attempt_of(agent, "ask leave\nand nothing else")
    agent.until(lambda: agent.json("attempt", "show", number)["waiting_for"] == "unfinished input")
    assert "half a thought" in agent("session", "screen", "scribe").out
    agent("session", "type", "scribe", "", "--enter")
    agent.until(lambda: agent.json("attempt", "show", number)["state"] == "Needs attention")
    assert session(agent)["question"]["text"] == "May I leave?"
    assert "on its own screen" in agent.refused(3, "session", "answer", "scribe", "yes")
    agent("session", "type", "scribe", "y")
    agent.until(lambda: agent.json("attempt", "show", number)["state"] == "Completed")
    assert agent.json("attempt", "show", number)["evidence"]["output"] == "did: ask"
    (turn,) = agent.json("turn", "list", "scribe")["turns"]
    assert (turn["state"], turn["last_message"]) == ("Completed", "did: ask")
    assert "May I leave?" in agent("session", "tail", "scribe").out


def test_its_screen_is_streamed_as_a_terminals_is(agent: Kavor) -> None:
    stream = TerminalStream(agent.home, session(agent)["node"])
    screen = Screen()
    try:
        for message in stream:
            if isinstance(message, Frame):
                screen.apply(message)
                stream.grant()
                if "> typed here" in screen.text:
                    break
                if screen.text.endswith(">"):
                    stream.type(b"typed here")
    finally:
        stream.close()
    assert "> typed here" in screen.text


def test_messages_and_stopping(agent: Kavor) -> None:
    agent.json("message", "send", "scribe", "work 60")
    agent.until(lambda: "working" in agent("session", "screen", "scribe").out)
    agent.json("session", "cancel", "scribe")
    agent.until(lambda: agent.json("message", "list", "scribe")["messages"][0]["state"] == "interrupted")
    agent.until(lambda: session(agent)["waiting_for"] is None)
    agent.json("session", "close", "scribe")
    assert session(agent)["state"] == "closed"


@pytest.mark.contract("K+1")
def test_it_works_on_while_its_runtime_is_killed_and_is_taken_up_again(agent: Kavor) -> None:
    process = psutil.Process(session(agent)["pid"])
    number = attempt_of(agent, "work 2")
    agent.until(lambda: "working" in agent("session", "screen", "scribe").out)
    os.kill(agent.json("runtime", "status")["pid"], signal.SIGKILL)
    agent.until(lambda: agent.json("attempt", "show", number)["state"] == "Completed")
    assert session(agent)["pid"] == process.pid
    (turn,) = agent.json("turn", "list", "scribe")["turns"]
    assert turn["last_message"] == "did: work"
    agent.json("message", "send", "scribe", "work 60")
    agent.until(lambda: session(agent)["waiting_for"] == "busy")
    agent.json("session", "cancel", "scribe")
    agent.until(lambda: agent.json("message", "list", "scribe")["messages"][0]["state"] == "interrupted")
    assert "2 sessions live on" in agent("runtime", "stop").out
    assert process.is_running()

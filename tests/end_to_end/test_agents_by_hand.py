"""An agent as a person has it on the command line, and what is left when its runtime is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
from kavor_command import Kavor


@pytest.fixture
def agent(kavor: Kavor) -> Kavor:
    """With an agent ``scribe`` that waits for its script."""
    kavor.json("node", "add", "coding-agent", "--name", "scribe", "--provider", "scripted")
    kavor.until(lambda: session(kavor)["waiting_for"] is None)
    return kavor


def session(kavor: Kavor) -> dict[str, Any]:
    (found,) = [one for one in kavor.json("session", "list")["sessions"] if one["name"] == "scribe"]
    assert isinstance(found, dict)
    return found


def waits_for(kavor: Kavor, what: str | None) -> None:
    kavor.until(lambda: session(kavor)["open"] and session(kavor)["waiting_for"] == what)


def say(kavor: Kavor, *script: str) -> str:
    return str(kavor.json("message", "send", "scribe", "\n".join(script))["id"])


def states(kavor: Kavor) -> list[str]:
    """Of its messages, oldest first."""
    return [one["state"] for one in kavor.json("message", "list", "scribe")["messages"]][::-1]


def test_a_conversation_by_hand(agent: Kavor) -> None:
    number = say(agent, "ask rm -rf build", "say it is gone")
    waits_for(agent, "an answer")
    shown = agent("session", "answer", "scribe").out
    assert "rm -rf build" in shown
    assert "yes: Allow once" in shown
    assert "use one of: yes, no" in agent.refused(2, "session", "answer", "scribe", "perhaps")
    agent.json("session", "answer", "scribe", "allow once")
    agent.until(lambda: states(agent) == ["completed"])
    assert "asks nothing" in agent.refused(3, "session", "answer", "scribe", "yes")
    (turn,) = agent.json("turn", "list", "scribe")["turns"]
    assert (turn["message"], turn["last_message"]) == (int(number), "it is gone")
    whole = agent("turn", "show", str(turn["id"])).out
    assert f"message {number}" in whole
    assert "[tool] rm -rf build" in whole
    assert "[text] it is gone" in whole

    first, second = say(agent, "hang"), say(agent, "say never")
    waits_for(agent, "busy")
    assert "queued: waiting: busy" in agent("message", "show", second).out
    agent.json("message", "withdraw", second)
    agent.json("session", "cancel", "scribe")
    agent.until(lambda: states(agent) == ["completed", "interrupted", "blocked"])
    assert "it was stopped by a person" in agent("message", "show", first).out
    listed = agent("message", "list", "scribe").out
    assert "a person" in listed
    agent.json("session", "close", "scribe")
    assert "kavor session open" in agent.refused(3, "message", "send", "scribe", "are you there?")
    agent.refused(3, "session", "screen", "scribe")


def test_a_message_from_a_file(agent: Kavor, tmp_path: Path) -> None:
    file = tmp_path / "message.md"
    file.write_text("say one\nsay two\n")
    send = ("message", "send", "scribe")
    assert agent.json(*send, "--text-file", str(file))["text"] == "say one\nsay two"
    assert agent.json(*send, "--text-file", "-", stdin="say three")["text"] == "say three"
    agent.until(lambda: states(agent) == ["completed", "completed"])
    for given in ((), ("say four", "--text-file", str(file))):
        assert "either a TEXT or a --text-file" in agent.refused(2, *send, *given)
    assert "cannot be read" in agent.refused(2, *send, "--text-file", str(tmp_path / "missing"))


def test_an_attempt_shows_what_its_agent_called(agent: Kavor) -> None:
    script = "tool read the log\nsay the log is empty"
    agent.json("schedule", "add", "--name", "look", "--target", "scribe", "--payload", script)
    number = str(agent.json("schedule", "run", "look")["id"])
    agent.until(lambda: agent.json("attempt", "show", number)["state"] == "Completed")
    shown = agent("attempt", "show", number).out
    assert "read the log (completed)" in shown
    assert "the log is empty" in shown


@pytest.mark.contract("K61", "K75")
def test_it_shows_what_was_refused_and_run_too_whatever_the_agent_tells(agent: Kavor) -> None:
    agent.json("node", "add", "sticky-note", "--name", "rules")
    agent.json("connect", "scribe", "rules", "--guardrail", "sticky_note_read_only")
    agent.json("connect", "scribe", "shell")
    script = 'call append_sticky_note {"note": "rules", "text": "x"}\n'
    script += 'call terminal_run {"terminal": "shell", "command": "false"}\nsay done'
    agent.json("schedule", "add", "--name", "look", "--target", "scribe", "--payload", script)
    number = str(agent.json("schedule", "run", "look")["id"])
    agent.until(lambda: agent.json("attempt", "show", number)["state"] == "Completed")
    (turn,) = agent.json("turn", "list", "scribe")["turns"]
    rule = "the Guardrail sticky_note_read_only forbids it: 'rules' may be read, and not changed"
    for told in (
        f"append_sticky_note (refused: {rule})",
        "terminal_run in 'shell': false (failed: exit code 1)",
    ):
        assert told in agent("attempt", "show", number).out
        assert f"[tool] {told}" in agent("turn", "show", str(turn["id"])).out


def test_an_agent_interrupts_its_own_command_and_not_what_a_person_runs_after_it(agent: Kavor) -> None:
    agent.json("connect", "scribe", "shell")
    begin = 'call terminal_run {"terminal": "shell", "command": "sleep 60", "wait_s": 1}'
    interrupt = 'call terminal_interrupt {"terminal": "shell", "run": "$last.run"}'
    say(agent, begin, interrupt, "wait 1", "say $last")
    agent.until(lambda: states(agent) == ["completed"])
    (turn,) = agent.json("turn", "list", "scribe")["turns"]
    assert '"interrupted": true' in turn["last_message"]
    shown = agent("turn", "show", str(turn["id"])).out
    assert "terminal_run in 'shell': sleep 60 (failed: exit code 130)" in shown
    assert "terminal_interrupt in 'shell' (completed)" in shown

    short = begin.replace("sleep 60", "sleep 2")
    say(agent, short, "wait 6", interrupt)
    agent.until(lambda: waiting_shell(agent) == "busy")
    agent.until(lambda: waiting_shell(agent) is None)
    agent.json("session", "type", "shell", "sleep 99", "--enter")
    agent.until(lambda: waiting_shell(agent) == "busy")
    agent.until(lambda: states(agent) == ["completed", "completed"])
    (turn, _) = agent.json("turn", "list", "scribe")["turns"]
    assert "terminal_interrupt (refused: the run" in agent("turn", "show", str(turn["id"])).out
    assert waiting_shell(agent) == "busy", "a person's command goes on"


def waiting_shell(kavor: Kavor) -> str | None:
    (found,) = [one for one in kavor.json("session", "list")["sessions"] if one["name"] == "shell"]
    waits: str | None = found["waiting_for"]
    return waits


def test_an_orderly_stop_ends_agents_and_keeps_what_they_have_said(agent: Kavor) -> None:
    say(agent, "say half of it", "hang")
    waits_for(agent, "busy")
    status = agent.json("runtime", "status")
    assert (status["sessions"], status["agents"]) == (2, 1)
    process = psutil.Process(session(agent)["pid"])
    stopped = agent("runtime", "stop").out
    assert "1 session lives on" in stopped, "the shell alone"
    assert not process.is_running()
    (turn,) = agent.json("turn", "list", "scribe")["turns"]
    assert turn["state"] == "Interrupted"
    assert turn["last_message"].startswith("half of it")


@pytest.mark.contract("K56", "K77", "K+1")
def test_what_was_said_outlives_a_killed_runtime_and_what_was_begun_is_interrupted(agent: Kavor) -> None:
    """Decision 15: an agent is its runtime's child, and ends with it."""
    agent.json(
        "schedule", "add", "--name", "s", "--target", "scribe",
        "--payload", "hang", "--cron", "0 0 1 1 *",
    )  # fmt: skip
    agent.json("schedule", "resume", "s")
    number = str(agent.json("schedule", "run", "s")["id"])
    waits_for(agent, "busy")
    say(agent, "say still here")
    process = psutil.Process(session(agent)["pid"])
    os.kill(agent.json("runtime", "status")["pid"], signal.SIGKILL)

    attempt = agent.json("attempt", "show", number)
    assert attempt["state"] == "Interrupted"
    assert attempt["diagnostic"].startswith("the runtime stopped during the delivery")
    agent.until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    agent.until(lambda: states(agent) == ["completed"])
    turns = agent.json("turn", "list", "scribe")["turns"]
    assert [turn["state"] for turn in turns] == ["Completed", "Interrupted"]
    assert turns[0]["last_message"] == "still here"
    assert session(agent)["pid"] != process.pid
    assert agent.json("attempts", "--target", "scribe")["attempts"] == [attempt], "and nothing is done again"

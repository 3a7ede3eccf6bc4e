"""From an empty home to a recorded fire, and what is left of one when processes are killed."""

from __future__ import annotations

import os
import signal
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import psutil
import pytest
from kavor_command import Kavor


def next_minute(seconds_left: int = 4) -> str:
    """The next whole minute in the command's zone that is at least so far away."""
    soon = datetime.now(ZoneInfo("Europe/Berlin")) + timedelta(minutes=1, seconds=seconds_left)
    return f"{soon:%Y-%m-%dT%H:%M}"


def only_attempt(kavor: Kavor, schedule: str) -> dict[str, Any]:
    (attempt,) = kavor.json("schedule", "history", schedule)["attempts"]
    assert isinstance(attempt, dict)
    return attempt


def ended(kavor: Kavor, schedule: str, seconds: float = 30) -> dict[str, Any]:
    """The Schedule's only attempt, once it is over."""
    kavor.until(lambda: only_attempt(kavor, schedule)["finished_at"], seconds)
    return only_attempt(kavor, schedule)


@pytest.mark.contract("K1", "K10", "K16", "K52", "K60", "K61")
def test_a_schedule_is_set_up_step_by_step_and_fires_into_the_shell(kavor: Kavor) -> None:
    added = kavor.json("schedule", "add", "--name", "greet", "--payload", "echo fired-$((40+2))")
    assert added["state"] == "Paused"
    edited = kavor.json("schedule", "edit", "greet", "--once", next_minute())
    coming = kavor.json("schedule", "next", "greet")["occurrences"]
    assert [one["zone"] for one in coming] == ["Europe/Berlin"] == [edited["zone"]]
    kavor.json("connect", "greet", "shell")
    resumed = kavor.json("schedule", "resume", "greet")
    assert resumed["next_due"] == coming[0]["at"]
    kavor.until(lambda: kavor.json("schedule", "history", "greet")["attempts"], 90)
    attempt = ended(kavor, "greet")
    assert (attempt["state"], attempt["exit_code"], attempt["trigger"]) == ("Completed", 0, "scheduled")
    assert attempt["nominal_at"] == coming[0]["at"]
    assert attempt["lateness_ms"] >= 0
    shown = kavor.json("attempt", "show", str(attempt["id"]))
    assert "fired-42" in shown["evidence"]["output"]
    screen = kavor.json("session", "screen", "shell")["screen"]
    assert "echo fired-$((40+2))" in screen.replace("\n", ""), "as if it had been typed"
    assert "fired-42" in screen
    after = kavor.json("schedule", "show", "greet")
    assert (after["state"], after["last_attempt"]["state"]) == ("Paused", "Completed")


@pytest.mark.contract("K2")
def test_nothing_but_a_schedule_and_run_now_makes_an_attempt(kavor: Kavor) -> None:
    kavor.json(
        "schedule", "add", "--name", "idle", "--payload", "echo x", "--target", "shell", "--cron", "* * * * *"
    )
    kavor.json("session", "type", "shell", "echo typed", "--enter")
    kavor.json("session", "restart", "shell")
    kavor.json("schedule", "edit", "idle", "--payload", "echo y")
    assert kavor.json("attempts")["attempts"] == []
    kavor.json("schedule", "run", "idle")
    assert [attempt["payload"] for attempt in kavor.json("attempts")["attempts"]] == ["echo y"]


@pytest.mark.contract("K22")
def test_naming_a_node_in_the_payload_joins_nothing(kavor: Kavor) -> None:
    kavor.json("node", "add", "terminal", "--name", "vault", "--closed")
    kavor.json("schedule", "add", "--name", "s", "--payload", "echo 'vault'", "--target", "shell")
    kavor.json("schedule", "run", "s")
    ended(kavor, "s")
    assert kavor.json("node", "show", "vault")["connections"] == []
    assert kavor.json("node", "show", "vault")["session"]["open"] is False


@pytest.mark.contract("K78")
def test_work_that_is_cut_short_is_interrupted_and_not_done_again(kavor: Kavor) -> None:
    kavor.json(
        "schedule",
        "add",
        "--name",
        "s",
        "--target",
        "shell",
        "--payload",
        "echo once >> effect; exec sleep 60",
    )
    kavor.json("schedule", "run", "s")
    place = kavor.json("workspace", "list")["workspaces"][0]["directory"]
    kavor.until(lambda: Path(place, "effect").exists())
    os.kill(kavor.json("session", "list")["sessions"][0]["pid"], signal.SIGKILL)
    assert ended(kavor, "s")["state"] == "Interrupted"
    kavor.json("session", "open", "shell")
    kavor.until(lambda: kavor.json("session", "list")["sessions"][0]["waiting_for"] is None)
    effect = Path(place, "effect").read_text()
    assert effect == "once\n", "what happened is neither undone nor repeated"


@pytest.mark.contract("K77")
def test_a_command_outlives_a_killed_runtime_and_the_next_one_records_its_end(kavor: Kavor) -> None:
    kavor.json(
        "schedule", "add", "--name", "s", "--target", "shell",
        "--payload", 'sh -c "echo ran >> count; sleep 3; exit 3"',
    )  # fmt: skip
    kavor.json("schedule", "run", "s")
    kavor.until(lambda: only_attempt(kavor, "s")["state"] == "Delivering")
    shell = kavor.json("session", "list")["sessions"][0]["pid"]
    os.kill(kavor.json("runtime", "status")["pid"], signal.SIGKILL)
    attempt = ended(kavor, "s")
    assert (attempt["state"], attempt["exit_code"]) == ("Failed", 3)
    assert kavor.json("session", "list")["sessions"][0]["pid"] == shell, "the shell lives"
    place = kavor.json("workspace", "list")["workspaces"][0]["directory"]
    assert Path(place, "count").read_text() == "ran\n"


@pytest.mark.contract("K56", "K77")
def test_when_nobody_could_observe_the_end_it_is_interrupted_and_survivors_are_named(kavor: Kavor) -> None:
    kavor.json(
        "schedule", "add", "--name", "s", "--target", "shell",
        "--payload", "echo ran >> count; nohup sleep 61 >/dev/null",
    )  # fmt: skip
    kavor.json("schedule", "run", "s")
    shell = psutil.Process(kavor.json("session", "list")["sessions"][0]["pid"])
    (sleeper,) = kavor.until(lambda: [child for child in shell.children() if child.name() == "sleep"])
    try:
        for process in (psutil.Process(kavor.json("runtime", "status")["pid"]), shell.parent()):
            assert process is not None
            process.kill()
        attempt = ended(kavor, "s")
        assert (attempt["state"], attempt["exit_code"]) == ("Interrupted", None)
        assert f"(pid {sleeper.pid})" in attempt["diagnostic"]
        place = kavor.json("workspace", "list")["workspaces"][0]["directory"]
        assert Path(place, "count").read_text() == "ran\n", "never a second delivery"
    finally:
        sleeper.kill()

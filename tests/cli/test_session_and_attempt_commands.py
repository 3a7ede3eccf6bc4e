"""``kavor session`` and ``kavor attempt`` over a real shell."""

from __future__ import annotations

import signal
import subprocess
from typing import Any

import pytest
from kavor_command import Kavor


@pytest.fixture
def build(kavor: Kavor, tmp_path_factory: pytest.TempPathFactory) -> Kavor:
    """A runtime with a Terminal ``build`` whose bash is at its prompt, and a Schedule ``job`` aimed at it."""
    kavor.json("workspace", "add", str(tmp_path_factory.mktemp("place")))
    kavor.json("node", "add", "terminal", "--name", "build", "--shell", "bash")
    kavor.json(
        "schedule", "add", "--name", "job", "--target", "build", "--cron", "0 9 * * *", "--payload", "true"
    )
    until_state(kavor, None)
    return kavor


def session_of(kavor: Kavor) -> dict[str, Any]:
    (session,) = kavor.json("session", "list")["sessions"]
    assert isinstance(session, dict)
    return session


def until_state(kavor: Kavor, waiting_for: str | None) -> None:
    kavor.until(lambda: session_of(kavor)["open"] and session_of(kavor)["waiting_for"] == waiting_for)


def run(kavor: Kavor, payload: str) -> str:
    """Run ``job`` now with another payload; the number of its attempt."""
    kavor.json("schedule", "edit", "job", "--payload", payload)
    return str(kavor.json("schedule", "run", "job")["id"])


def ended(kavor: Kavor, number: str) -> dict[str, Any]:
    def over() -> dict[str, Any] | None:
        attempt = kavor.json("attempt", "show", number)
        return attempt if attempt["finished_at"] else None

    attempt = kavor.until(over)
    assert isinstance(attempt, dict)
    return attempt


@pytest.mark.contract("K42", "K43", "K52", "K55", "K61")
def test_what_came_of_each_attempt(build: Kavor) -> None:
    good = ended(build, run(build, "echo hello"))
    assert (good["state"], good["exit_code"], good["trigger"]) == ("Completed", 0, "manual")
    assert "hello" in good["evidence"]["output"]
    bad = ended(build, run(build, "printf '\\033[31mno\\033[0m\\n'; (exit 3)"))
    assert (bad["state"], bad["exit_code"]) == ("Failed", 3)

    history = build.json("schedule", "history", "job")["attempts"]
    assert [one["id"] for one in history] == [bad["id"], good["id"]]
    assert (
        history
        == build.json("attempts", "--schedule", "job", "--target", "build", "--since", "1h")["attempts"]
    )
    assert [one["id"] for one in build.json("attempts", "--state", "completed")["attempts"]] == [good["id"]]
    assert build.json("attempts", "--limit", "1")["attempts"] == history[:1]
    assert build.json("attempts", "--since", "2099-01-01")["attempts"] == []

    header, first, second = build("schedule", "history", "job").out.splitlines()
    assert " ".join(header.split()) == (
        "id schedule target trigger nominal delivered lateness duration state exit diagnostic"
    )
    assert "✗ Failed" in first
    assert "✓ Completed" in second
    shown = build("attempt", "show", str(bad["id"])).out
    assert shown.startswith(f"Attempt {bad['id']}  ✗ Failed")
    assert "seen       no\n" in shown
    assert "\x1b" not in shown
    assert "last       ✗ Failed" in build("schedule", "show", "job").out


@pytest.mark.contract("K51", "K69", "K+7")
def test_an_attempt_waits_for_a_person_and_can_be_withdrawn(build: Kavor) -> None:
    typed = build.json("session", "type", "build", "half a line")
    assert typed["waiting_for"] == "unfinished input", "the answer is what it is afterwards"
    number = run(build, "echo never")
    assert "… Pending" in build("attempts").out
    assert "waiting: unfinished input" in build("attempts").out
    assert f"attempt {number} already waits" in build.refused(3, "schedule", "run", "job")
    withdrawn = build.json("attempt", "withdraw", number)
    assert (withdrawn["state"], withdrawn["diagnostic"]) == ("Blocked", "withdrawn")
    assert "is Blocked, not Pending" in build.refused(3, "attempt", "withdraw", number)
    assert "only a Missed attempt" in build.refused(3, "attempt", "dismiss", number)
    assert "half a line" in build("session", "screen", "build").out
    assert "echo never" not in build("session", "screen", "build").out


def test_what_is_typed_is_answered_with_what_the_session_is_afterwards(build: Kavor) -> None:
    # Whether the shell has read the line by then is not known.
    afterwards = build.json("session", "type", "build", "sleep 60", "--enter")["waiting_for"]
    assert afterwards in ("unfinished input", "busy")
    build.json("session", "type", "build", "\x03")
    until_state(build, None)


def test_a_person_may_type_and_look(build: Kavor) -> None:
    build.json("session", "type", "build", "printf '\\033[1m%s\\033[0m\\n' $((6*7))", "--enter")
    build.until(lambda: "\n42" in build("session", "screen", "build").out)
    assert "\x1b[1m42\x1b[0m" in build.json("session", "tail", "build")["tail"]
    assert "\x1b[1m42\x1b[0m" in build("session", "tail", "build").out
    assert len(build.json("session", "tail", "build", "--bytes", "5")["tail"]) <= 5


@pytest.mark.contract("K74")
def test_a_session_closed_on_purpose_stays_closed(build: Kavor) -> None:
    closed = build.json("session", "close", "build")
    assert (closed["open"], closed["state"], closed["closed_on_purpose"]) == (False, "closed", True)
    attempt = ended(build, str(build.json("schedule", "run", "job")["id"]))
    assert attempt["state"] == "Blocked"
    told = build("schedule", "run", "job").out
    assert told.endswith(" of job: ⊘ Blocked: the session was closed\n")
    assert session_of(build)["open"] is False
    assert "Terminal build  closed" in build("session", "close", "build").out
    assert build.json("session", "open", "build")["closed_on_purpose"] is False
    until_state(build, None)
    pid = session_of(build)["pid"]
    assert build.json("session", "open", "build")["pid"] == pid
    assert build.json("session", "restart", "build")["pid"] != pid
    assert "build" in build("session", "list").out


def test_a_schedule_has_no_session(build: Kavor) -> None:
    assert "has no session" in build.refused(3, "session", "open", "job")


def test_an_unknown_attempt(build: Kavor) -> None:
    for verb in ("show", "withdraw", "dismiss"):
        assert "there is no attempt 99" in build.refused(2, "attempt", verb, "99")


def test_ctrl_c_ends_a_command_quietly(kavor: Kavor) -> None:
    kavor.json("runtime", "start")
    waiting = subprocess.Popen(
        kavor.command("schedule", "add", "--name", "x", "--payload-file", "-"),
        env=kavor.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert waiting.stdin is not None
    waiting.stdin.write(b"x" * 200_000)  # more than a pipe holds: once it is written, it is being read
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=20)
    assert (waiting.returncode, out) == (130, b"")
    assert b"Traceback" not in err

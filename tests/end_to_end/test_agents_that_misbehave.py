"""Prompts of every kind, and agents on a bad day: each is handled, a Schedule beside it fires as ever, and no
process is left behind."""

from __future__ import annotations

import itertools
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil
import pytest
from kavor_command import Kavor

from kavor.home import find_home

pytestmark = pytest.mark.xdist_group("agents that misbehave")

SCRIPTED = [sys.executable, "-P", "-m", "kavor.sessions.agent.scripted"]


@pytest.fixture(scope="module")
def kavor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kavor]:
    """One runtime for all, with a Terminal ``shell`` at its prompt: what one agent did shows at the next."""
    root = Path(tempfile.mkdtemp(prefix="kv"))
    kavor = Kavor(find_home({"KAVOR_HOME": str(root)}), tmp_path_factory.mktemp("user"))
    try:
        kavor.json("workspace", "add", str(tmp_path_factory.mktemp("place")))
        kavor.json("node", "add", "terminal", "--name", "shell")
        kavor.until(lambda: kavor.json("session", "list")["sessions"][0]["waiting_for"] is None)
        yield kavor
    finally:
        if kavor.home.socket.exists():
            kavor("runtime", "stop", "--end-sessions")
        shutil.rmtree(root, ignore_errors=True)


class Worker:
    """A CodingAgent with a session of its own."""

    _numbers = itertools.count(1)

    def __init__(self, kavor: Kavor, *flags: str) -> None:
        self._kavor = kavor
        self.name = f"worker-{next(self._numbers)}"
        command = shlex.join([*SCRIPTED, *flags])
        add = ("node", "add", "coding-agent", "--name", self.name, "--provider", "custom")
        added = kavor.json(*add, "--command", command)
        self.process = psutil.Process(added["session"]["pid"])

    def ready(self) -> Worker:
        self._kavor.until(lambda: self._session["waiting_for"] is None)
        return self

    @property
    def _session(self) -> dict[str, Any]:
        session: dict[str, Any] = self._kavor.json("node", "show", self.name)["session"]
        return session

    def close(self, *others: psutil.Process) -> None:
        """And see that nothing is left of it."""
        self._kavor.json("session", "close", self.name)
        _, alive = psutil.wait_procs([self.process, *others], timeout=20)
        assert alive == []


def started(kavor: Kavor, target: str, payload: str) -> str:
    """The number of an attempt that Run now has made."""
    name = f"s{len(kavor.json('schedule', 'list')['schedules'])}"
    add = ("schedule", "add", "--name", name, "--target", target, "--payload-file", "-")
    added = kavor(*add, stdin=payload)
    assert added.code == 0, added.err
    return str(kavor.json("schedule", "run", name)["id"])


def ended(kavor: Kavor, attempt: str) -> dict[str, Any]:
    kavor.until(lambda: kavor.json("attempt", "show", attempt)["finished_at"])
    return kavor.json("attempt", "show", attempt)


def check_that_the_shell_is_fired_into_as_ever(kavor: Kavor) -> None:
    fired = ended(kavor, started(kavor, "shell", "echo undisturbed"))
    assert (fired["state"], fired["exit_code"]) == ("Completed", 0)
    created, delivered = (datetime.fromisoformat(fired[name]) for name in ("created_at", "delivered_at"))
    assert (delivered - created).total_seconds() < 2
    assert "undisturbed" in fired["evidence"]["output"]


# --- Prompts


@pytest.mark.contract("K4")
def test_prompts_arrive_as_they_were_written(kavor: Kavor) -> None:
    worker = Worker(kavor).ready()
    for said in (
        "🦆 👩‍👩‍👧 日本語 é",
        "[201~ and [200~ are letters without what makes them keys",
        "`rm -rf /` $(rm -rf /) ; rm -rf / \\",
    ):
        attempt = ended(kavor, started(kavor, worker.name, f"say {said}"))
        assert (attempt["state"], attempt["evidence"]["output"]) == ("Completed", said)
        assert kavor.json("turn", "list", worker.name)["turns"][0]["prompt"] == f"say {said}"
    long = "".join(f"({number}) prose to be passed over\n" for number in range(7_000)) + "say I have read it."
    assert len(long) > 200_000
    attempt = ended(kavor, started(kavor, worker.name, long))
    assert (attempt["state"], attempt["evidence"]["output"]) == ("Completed", "I have read it.")
    assert attempt["payload"] == long
    check_that_the_shell_is_fired_into_as_ever(kavor)
    worker.close()


def test_control_bytes_are_refused_when_a_prompt_is_saved_or_sent(kavor: Kavor) -> None:
    worker = Worker(kavor).ready()
    before = kavor.json("schedule", "list")
    for byte in ("\x1b[201~", "\x1b]0;title\x07", "\x9b31m", "\x08", "\x00", "\u202e"):
        add = ("schedule", "add", "--name", "never", "--target", worker.name, "--payload-file", "-")
        added = kavor(*add, stdin=f"say one{byte}two")
        assert (added.code, f"U+{ord(byte[0]):04X}" in added.err) == (2, True), added.err
        if byte != "\x00":  # no argument can hold that one
            sent = kavor("message", "send", worker.name, f"say one{byte}two")
            assert (sent.code, f"U+{ord(byte[0]):04X}" in sent.err) == (2, True), sent.err
    assert kavor.json("schedule", "list") == before
    assert kavor.json("turn", "list", worker.name)["turns"] == []
    worker.close()


# --- Bad days


@pytest.mark.parametrize("noise", ["babble\nbabble", "flood 5000000"])
def test_garbage_and_floods_disturb_nobody(kavor: Kavor, noise: str) -> None:
    worker = Worker(kavor).ready()
    attempt = started(kavor, worker.name, f"{noise}\nwait 2\n{noise}\nsay Done all the same.")
    check_that_the_shell_is_fired_into_as_ever(kavor)
    noisy = ended(kavor, attempt)
    assert (noisy["state"], noisy["evidence"]["output"]) == ("Completed", "Done all the same.")
    worker.close()


@pytest.mark.contract("K56")
def test_a_child_that_keeps_its_output_open_hides_no_end(kavor: Kavor) -> None:
    worker = Worker(kavor).ready()
    left = ended(kavor, started(kavor, worker.name, "leave_child 600"))
    child = psutil.Process(int(left["evidence"]["output"]))
    crashed = started(kavor, worker.name, "crash 3")
    check_that_the_shell_is_fired_into_as_ever(kavor)
    attempt = ended(kavor, crashed)
    assert (attempt["state"], "exit code 3" in attempt["diagnostic"]) == ("Interrupted", True)
    worker.close(child)


def test_one_that_never_answers_waits_alone(kavor: Kavor) -> None:
    worker = Worker(kavor, "--never-initialize")
    waiting = started(kavor, worker.name, "say Nobody hears this.")
    assert kavor.json("attempt", "show", waiting)["waiting_for"] == "starting"
    check_that_the_shell_is_fired_into_as_ever(kavor)
    worker.close()
    assert ended(kavor, waiting)["state"] == "Blocked"


def test_a_deaf_one_is_ended_when_it_is_stopped(kavor: Kavor) -> None:
    worker = Worker(kavor).ready()
    deaf = started(kavor, worker.name, "be_deaf")
    kavor.json("session", "cancel", worker.name)
    check_that_the_shell_is_fired_into_as_ever(kavor)
    attempt = ended(kavor, deaf)
    assert (attempt["state"], attempt["diagnostic"]) == ("Interrupted", "it was stopped by a person")
    worker.close()


def test_a_runtime_that_stops_leaves_nothing_of_its_agents(kavor: Kavor) -> None:
    """The last of these tests: the next one would have to start it again."""
    worker = Worker(kavor).ready()
    left = ended(kavor, started(kavor, worker.name, "leave_child 600"))
    child = psutil.Process(int(left["evidence"]["output"]))
    started(kavor, worker.name, "be_deaf")
    runtime = psutil.Process(kavor.json("runtime", "status")["pid"])
    (tools,) = (one for one in runtime.children() if "--http" in one.cmdline())
    kavor("runtime", "stop", "--end-sessions")
    _, alive = psutil.wait_procs([runtime, worker.process, child, tools], timeout=20)
    assert alive == []

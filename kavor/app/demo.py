"""The demo: a Workspace of its own whose Schedule really fires into a real shell, and its ledger.

It runs on a real runtime in a home of its own, so that nothing of the user's is touched, and leaves
nothing behind.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime, is_running
from kavor.domain.attempts import FINAL, AttemptState
from kavor.domain.instant import parse_instant
from kavor.domain.zones import format_local, load_zone
from kavor.home import Home, find_home
from kavor.host_zone import host_zone_name

COMMAND = 'echo "Kavor fired at $(date +%T)" && wc -w notes.txt'
NOTES = "Nothing here was typed by hand: a Schedule delivered it, and the shell told how it ended.\n"
EVERY_MINUTE = {"preset": "custom", "cron": "* * * * *"}
SOONEST_SECONDS = 3
LIMIT_SECONDS = 150
PROMPT_SECONDS = 20


def run_demo(*, json: bool) -> int:
    """Play the demo to its end; 0 only if its attempt ended Completed.

    With ``json`` the ledger is one document on stdout, and progress goes to stderr.
    """
    story = _Story(as_json=json)
    with _own_runtime() as (client, directory):
        return _play(client, directory, story)


@contextmanager
def demo_home() -> Iterator[Home]:
    """A home whose runtime has the demo Workspace, its Schedule Running each minute, for a window to open."""
    with _own_runtime() as (client, directory):
        terminal, schedule = _set_up(client, directory, "every minute", EVERY_MINUTE)
        _wait_for_prompt(client, terminal["id"])
        client.post(f"/api/schedules/{schedule['id']}/resume")
        yield client.home


class _Story:
    """What the demo says while it goes."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def say(self, line: str) -> None:
        print(line, file=sys.stderr if self._as_json else sys.stdout, flush=True)

    def end(self, attempts: list[dict[str, Any]], zone: str) -> None:
        if self._as_json:
            print(json.dumps({"attempts": attempts}, indent=2, ensure_ascii=False))
            return
        print("\nThe ledger:")
        for attempt in attempts:
            print(f"  attempt {attempt['id']}  {attempt['state']}")
            print(f"    nominal    {_local(attempt['nominal_at'], zone)}")
            print(
                f"    delivered  {_local(attempt['delivered_at'], zone)}  ({attempt['lateness_ms']} ms late)"
            )
            print(f"    ended      {_local(attempt['finished_at'], zone)}  (ran {attempt['duration_ms']} ms)")
            print(f"    exit code  {attempt['exit_code']}")
            if attempt["diagnostic"]:
                print(f"    diagnostic {attempt['diagnostic']}")
            for line in (attempt["evidence"] or {}).get("output", "").splitlines():
                print(f"    | {line}")


def _play(client: Client, directory: Path, story: _Story) -> int:
    zone = host_zone_name()
    once = {"preset": "once", "local": _next_minute(zone)}
    terminal, schedule = _set_up(client, directory, "first fire", once)
    _wait_for_prompt(client, terminal["id"])
    story.say(f"Workspace {schedule['workspace_name']!r} in {directory}")
    story.say(f"  Terminal {terminal['name']!r}  a real shell (process {terminal['session']['pid']})")
    story.say(f"  Schedule {schedule['name']!r}  {schedule['description']} ({schedule['zone']}), Paused")
    story.say(f"  payload  {COMMAND}")
    with client.events() as events:
        resumed = client.post(f"/api/schedules/{schedule['id']}/resume")
        seconds = max(0, round(parse_instant(resumed["next_due"]) / 1000 - time.time()))
        story.say(f"Resumed: fires at {_local(resumed['next_due'], zone)}, in {seconds} s")
        final = _follow(events, schedule["id"], story)
    attempts = client.get(f"/api/schedules/{schedule['id']}/history")["attempts"]
    whole = [client.get(f"/api/attempts/{attempt['id']}") for attempt in attempts]
    story.end(whole, zone)
    return 0 if final == AttemptState.COMPLETED else 1


def _set_up(
    client: Client, directory: Path, name: str, recurrence: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The Terminal and the Schedule, Paused, that aims at it."""
    workspace = client.post("/api/workspaces", {"directory": str(directory), "name": "Demo"})
    terminal = client.post(
        "/api/nodes", {"workspace": workspace["id"], "kind": "terminal", "name": "shell", "x": 440, "y": 0}
    )
    schedule = client.post(
        "/api/schedules",
        {
            "workspace": workspace["id"],
            "name": name,
            "payload": COMMAND,
            "recurrence": recurrence,
            "target": terminal["id"],
            "x": 0,
            "y": 34,
        },
    )
    return terminal, schedule


def _follow(events: Iterator[dict[str, Any]], schedule: str, story: _Story) -> str | None:
    """Tell each change of the Schedule's attempt until it is over; its last state."""
    deadline = time.monotonic() + LIMIT_SECONDS
    told = None
    for event in events:
        value = event.get("value") or {}
        if event["type"] == "attempt" and value.get("schedule") == schedule:
            shown = value["state"] + (f" (waiting: {value['waiting_for']})" if value["waiting_for"] else "")
            if shown != told:
                story.say(f"{datetime.now().astimezone():%H:%M:%S}  attempt {value['id']}: {shown}")
                told = shown
            if value["state"] in FINAL:
                return str(value["state"])
        if time.monotonic() > deadline:
            break
    story.say("the demo's attempt did not end in time")
    return None


def _wait_for_prompt(client: Client, terminal: str) -> None:
    """Let the shell read its start-up files first, so that the fire is as punctual as it would be later."""
    deadline = time.monotonic() + PROMPT_SECONDS
    while time.monotonic() < deadline:
        if client.get(f"/api/nodes/{terminal}")["session"]["waiting_for"] is None:
            return
        time.sleep(0.05)


def _next_minute(zone: str) -> str:
    soonest = datetime.now(load_zone(zone)) + timedelta(seconds=SOONEST_SECONDS, minutes=1)
    return f"{soonest:%Y-%m-%dT%H:%M}"


def _local(instant: str | None, zone: str) -> str:
    return "not yet" if instant is None else format_local(parse_instant(instant), load_zone(zone))


@contextmanager
def _own_runtime() -> Iterator[tuple[Client, Path]]:
    with _own_home() as (home, directory):
        ensure_runtime(home)
        client = Client(home, host_zone_name())
        try:
            yield client, directory
        finally:
            _stop(client, home)


@contextmanager
def _own_home() -> Iterator[tuple[Home, Path]]:
    root = Path(tempfile.mkdtemp(prefix="kavor-demo-"))
    try:
        directory = root / "workspace"
        directory.mkdir()
        (directory / "notes.txt").write_text(NOTES)
        yield find_home({"KAVOR_HOME": str(root / "home")}), directory
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _stop(client: Client, home: Home) -> None:
    client.post("/api/runtime/stop", {"end_sessions": True})
    deadline = time.monotonic() + 15
    while is_running(home) and time.monotonic() < deadline:
        time.sleep(0.05)

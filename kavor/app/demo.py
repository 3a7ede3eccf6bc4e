"""The demo: a Workspace of its own whose Schedules really fire, into a shell and to an agent, and its ledger.

It runs on a real runtime in a home of its own, so that nothing of the user's is touched, and leaves
nothing behind.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import site
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime, wait_until_stopped
from kavor.app.demo_graph import Document, Graph, draw_graph, make_workspace_folder
from kavor.domain.attempts import FINAL, AttemptState
from kavor.domain.instant import parse_instant
from kavor.domain.zones import load_zone, to_local
from kavor.home import Home, find_home
from kavor.host_zone import host_zone_name

EVERY_MINUTE = {"preset": "custom", "cron": "* * * * *"}
SOONEST_SECONDS = 3
LIMIT_SECONDS = 150
READY_SECONDS = 20
STOP_SECONDS = 20


_USERS_PLACES = (
    *("HISTFILE", "ZDOTDIR", "ENV", "BASH_ENV", "fish_history"),
    *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"),
)
"""Variables that lead a shell to files of the user's, wherever HOME is."""


def run_demo(*, json: bool) -> int:
    """Play the demo to its end; 0 only if all its attempts ended Completed.

    With ``json`` the ledger is one document on stdout, and progress goes to stderr.
    """
    story = _Story(as_json=json)
    with _own_runtime() as (client, directory):
        return _play(client, directory, story)


@contextmanager
def demo_home() -> Iterator[Home]:
    """A home with the demo Workspace, its Schedules Running each minute, for a window to open."""
    with _own_runtime() as (client, directory):
        graph = draw_graph(client, directory, EVERY_MINUTE)
        _wait_until_ready(client, graph)
        for schedule in graph.schedules:
            client.post(f"/api/schedules/{schedule['id']}/resume")
        yield client.home


class _Story:
    """What the demo says while it goes."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def say(self, line: str) -> None:
        print(line, file=sys.stderr if self._as_json else sys.stdout, flush=True)

    def end(self, attempts: list[Document], note: Document, zone: str) -> None:
        if self._as_json:
            ledger = {"attempts": attempts, "note": note}
            print(json.dumps(ledger, indent=2, ensure_ascii=False))
            return
        print("\nThe ledger:")
        for attempt in attempts:
            _print_attempt(attempt, zone)
        print(f"\nThe note {note['name']!r}:")
        for line in note["text"].splitlines():
            print(f"  | {line}")


def _print_attempt(attempt: Document, zone: str) -> None:
    evidence = attempt["evidence"] or {}
    ran = f"  (ran {attempt['duration_ms']} ms)"
    late = f"  ({attempt['lateness_ms']} ms late)"
    facts = [
        ("nominal", _local(attempt["nominal_at"], zone)),
        ("delivered", _local(attempt["delivered_at"], zone) + late),
        ("ended", _local(attempt["finished_at"], zone) + ran),
        ("exit code", attempt["exit_code"]),
        ("diagnostic", attempt["diagnostic"]),
        *(("called", _call(call)) for call in evidence.get("tool_calls", [])),
    ]
    print(f"  attempt {attempt['id']}  {attempt['schedule_name']}: {attempt['state']}")
    for name, value in facts:
        if value not in (None, ""):
            print(f"    {name:<10} {value}")
    for line in evidence.get("output", "").splitlines():
        print(f"    | {line}")


def _call(call: Document) -> str:
    return f"{call['title']} ({': '.join(filter(None, (call['status'], call['detail'])))})"


def _play(client: Client, directory: Path, story: _Story) -> int:
    zone = host_zone_name()
    graph = draw_graph(client, directory, {"preset": "once", "local": _next_minute(zone)})
    terminal, agent = _wait_until_ready(client, graph)
    story.say(f"Workspace {graph.prompt['workspace_name']!r} in {directory}")
    story.say(f"  Terminal {terminal['name']!r}  a real shell (process {terminal['session']['pid']})")
    story.say(f"  CodingAgent {agent['name']!r}  a scripted one (process {agent['session']['pid']})")
    for schedule in graph.schedules:
        fires = f"{schedule['description']} ({schedule['zone']}), Paused"
        story.say(f"  Schedule {schedule['name']!r}  {fires}")
    with client.events() as events:
        for schedule in graph.schedules:
            resumed = client.post(f"/api/schedules/{schedule['id']}/resume")
        seconds = max(0, round(parse_instant(resumed["next_due"]) / 1000 - time.time()))
        story.say(f"Resumed: they fire at {_local(resumed['next_due'], zone)}, in {seconds} s")
        _follow(events, {schedule["id"]: schedule["name"] for schedule in graph.schedules}, story)
    attempts = [_only_attempt(client, schedule) for schedule in graph.schedules]
    story.end(attempts, client.get(f"/api/nodes/{graph.note['id']}"), zone)
    return 0 if all(attempt["state"] == AttemptState.COMPLETED for attempt in attempts) else 1


def _only_attempt(client: Client, schedule: Document) -> Document:
    (attempt,) = client.get(f"/api/schedules/{schedule['id']}/history")["attempts"]
    return client.get(f"/api/attempts/{attempt['id']}")


def _follow(events: Iterator[Document], names: dict[str, str], story: _Story) -> None:
    """Tell each change of the attempts of these Schedules until all are over."""
    deadline = time.monotonic() + LIMIT_SECONDS
    under_way = set(names)
    told: dict[int, str] = {}
    for event in events:
        value = event.get("value") or {}
        if event["type"] == "attempt" and value.get("schedule") in names:
            shown = value["state"] + (f" (waiting: {value['waiting_for']})" if value["waiting_for"] else "")
            if told.get(value["id"]) != shown:
                moment = f"{datetime.now().astimezone():%H:%M:%S}"
                story.say(f"{moment}  attempt {value['id']}, {names[value['schedule']]}: {shown}")
                told[value["id"]] = shown
            if value["state"] in FINAL:
                under_way.discard(value["schedule"])
        if not under_way:
            return
        if time.monotonic() > deadline:
            break
    story.say("the demo's attempts did not end in time")


def _wait_until_ready(client: Client, graph: Graph) -> tuple[Document, Document]:
    """The Terminal and the agent as they are once both can take something, so that the fires are as punctual
    as they would be later."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        targets = [client.get(f"/api/nodes/{node['id']}") for node in (graph.terminal, graph.agent)]
        if _all_ready(targets) or time.monotonic() > deadline:
            return targets[0], targets[1]
        time.sleep(0.05)


def _all_ready(targets: Collection[Document]) -> bool:
    return all(target["session"]["waiting_for"] is None for target in targets)


def _next_minute(zone: str) -> str:
    soonest = datetime.now(load_zone(zone)) + timedelta(seconds=SOONEST_SECONDS, minutes=1)
    return f"{soonest:%Y-%m-%dT%H:%M}"


def _local(instant: str | None, zone: str) -> str:
    if instant is None:
        return "not yet"
    return f"{to_local(parse_instant(instant), load_zone(zone)):%a %Y-%m-%d %H:%M:%S} {zone}"


@contextmanager
def _own_runtime() -> Iterator[tuple[Client, Path]]:
    signal.signal(signal.SIGTERM, _end)
    with _own_home() as (home, directory):
        ensure_runtime(home, _without_users_files(home.data.parent / "user"))
        client = Client(home, host_zone_name())
        try:
            yield client, directory
        finally:
            _stop(client, home)


def _end(number: int, _: object) -> None:
    """As Ctrl-C does: what is running is stopped, and nothing is left behind."""
    raise SystemExit(128 + number)


@contextmanager
def _own_home() -> Iterator[tuple[Home, Path]]:
    root = Path(tempfile.mkdtemp(prefix="kavor-demo-"))
    try:
        directory = root / "workspace"
        make_workspace_folder(directory)
        yield find_home({"KAVOR_HOME": str(root / "home")}), directory
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _without_users_files(user_home: Path) -> dict[str, str]:
    """With a HOME of the demo's own: its commands are to stand in no history of the user's."""
    user_home.mkdir()
    inherited = {name: value for name, value in os.environ.items() if name not in _USERS_PLACES}
    # What is installed for this user alone, Kavor perhaps, is found all the same.
    return {**inherited, "HOME": str(user_home), "PYTHONUSERBASE": site.getuserbase()}


def _stop(client: Client, home: Home) -> None:
    client.post("/api/runtime/stop", {"end_sessions": True})
    wait_until_stopped(home, STOP_SECONDS)

"""Kill the runtime again and again, at every fail point, and ask the ledger and the shells what happened.

    python tests/kill/campaign.py [KILLS] [--seed N]

The runtime is the real process on a real database, with the real PTY host and two real bash shells; a minute
of its clock takes a second. Four Schedules are due every minute, three of them at one Terminal, so that each
minute something is delivered, waits, and is coalesced. Every payload writes a token of its own into a file
and onto the screen; so the file tells what the shells received, and the evidence tells which attempt it was.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from kavor.api.client import Client
from kavor.api.launch import is_running, wait_until_stopped
from kavor.app.compose import FAIL_POINT, TEST_CLOCK
from kavor.app.scaled_time import ScaledClock
from kavor.domain.attempts import OPEN
from kavor.domain.instant import Instant, format_instant, parse_instant
from kavor.home import Home, find_home
from kavor.runtime.arbiter import RUNTIME_STOPPED
from kavor.runtime.failpoints import FAIL_POINTS
from kavor.runtime.supervisor import UNOBSERVED

MINUTE = 60_000
FACTOR = 60
PATIENCE = 60.0
"""Seconds that something is given to come true; reached only where it never will."""
SOONEST_KILL, LATEST_KILL = 0.5, 4.0
"""Seconds after a start, of a kill that comes from outside at no named place."""
FROM_OUTSIDE = "from outside"

TARGETS = {"brief": "one", "second": "one", "third": "one", "patient": "two"}
"""Each Schedule and its Terminal. ``patient`` takes what is late as timely, and works on while a runtime is
started again; the others do neither."""


class Row(NamedTuple):
    """An attempt as the database has it at the end."""

    id: int
    schedule: str
    nominal_at: int
    state: str
    diagnostic: str
    missed_count: int | None
    holder_id: int | None
    output: str

    @property
    def tokens(self) -> list[str]:
        return re.findall(r"token (\d+)", self.output)

    def __str__(self) -> str:
        return f"attempt {self.id} of {self.schedule} ({self.state})"


class Span(NamedTuple):
    """When a change was asked for, and when it had been made."""

    asked: Instant
    made: Instant


@dataclass
class Campaign:
    """One home, from its first runtime to the last."""

    home: Home
    folder: Path
    """Where the shells work; it is their HOME too."""
    clock: ScaledClock
    dice: random.Random
    reached: Counter[str] = field(default_factory=Counter)
    not_reached: Counter[str] = field(default_factory=Counter)
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _host: psutil.Process | None = None

    def begin(self) -> None:
        """Make the Schedules, and resume them."""
        with self._runtime() as client:
            workspace = client.post("/api/workspaces", {"directory": str(self.folder), "name": "w"})["id"]
            for name in dict.fromkeys(TARGETS.values()):
                node = {"workspace": workspace, "kind": "terminal", "name": name, "shell": "bash"}
                client.post("/api/nodes", node)
            for name, target in TARGETS.items():
                definition = {"name": name, "payload": self._payload(name), "target": target}
                if name == "patient":
                    definition |= {"misfire_grace_s": 3600}
                client.post("/api/schedules", definition | {"recurrence": {"cron": "* * * * *"}})
            shell = client.get("/api/sessions")["sessions"][0]["pid"]
            self._host = psutil.Process(psutil.Process(shell).ppid())
            self.resumed = self._each_schedule(client, "resume")

    def kill(self, fail_point: str) -> None:
        """Start the runtime, and wait until it has died there."""
        if fail_point == FROM_OUTSIDE:
            process = self._start()
            time.sleep(self.dice.uniform(SOONEST_KILL, LATEST_KILL))
        else:
            times = 1 if fail_point.startswith("take-up") else self.dice.randint(1, 3)
            process = self._start(f"{fail_point}:{times}")
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.not_reached[fail_point] += 1
        process.kill()
        assert process.wait() == -signal.SIGKILL, f"the runtime ended by itself: {process.returncode}"
        self.reached[fail_point] += 1

    def stay_away(self) -> None:
        """Let more than the misfire grace go by, and a minute in it, while no runtime is there."""
        back = self.clock.now() + 3 * MINUTE
        until(lambda: self.clock.now() >= back)

    def end(self) -> None:
        """Pause all, let what is at work come to its end, and stop in good order."""
        with self._runtime() as client:
            self.paused = self._each_schedule(client, "pause")
            until(lambda: not any(row["state"] in OPEN for row in client.get("/api/attempts")["attempts"]))

    def clean_up(self) -> None:
        """End what a campaign that broke off has left running."""
        for process in [*self._started, *([self._host] if self._host else [])]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.terminate()

    def faults(self) -> list[str]:
        """What the contract forbids and the database or the shells show nevertheless."""
        rows = self.rows()
        return [*untrue_states(rows), *untrue_deliveries(rows, self.received()), *self._unexplained(rows)]

    def rows(self) -> list[Row]:
        with closing(sqlite3.connect(self.home.database)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            found = database.execute(
                "SELECT a.id, a.schedule_name, a.nominal_at, a.state, a.diagnostic, a.missed_count,"
                " a.holder_id, coalesce(CAST(e.output AS TEXT), '')"
                " FROM attempts a LEFT JOIN evidence e ON e.attempt_id = a.id ORDER BY a.id"
            )
            return [Row(*row) for row in found]

    def received(self) -> list[tuple[str, str]]:
        """(Schedule, token) of every command that a shell has run, in order."""
        lines = self._received_file.read_text().splitlines() if self._received_file.exists() else []
        return [(schedule, token) for schedule, token in (line.split() for line in lines)]

    @property
    def _received_file(self) -> Path:
        return self.folder / "received"

    def _payload(self, name: str) -> str:
        takes = "; sleep 2" if name == "patient" else ""
        note = f"n=$RANDOM$RANDOM$RANDOM$RANDOM; echo {name} $n >> {self._received_file}"
        return f"{note}{takes}; echo token $n"

    def _unexplained(self, rows: list[Row]) -> Iterator[str]:
        for name in TARGETS:
            own = [row for row in rows if row.schedule == name]
            yield from unexplained(own, self.resumed[name], self.paused[name])

    def _each_schedule(self, client: Client, action: str) -> dict[str, Span]:
        spans = {}
        for name in TARGETS:
            asked = self.clock.now()
            client.post(f"/api/schedules/{name}/{action}")
            spans[name] = Span(asked, self.clock.now())
        return spans

    @contextmanager
    def _runtime(self) -> Iterator[Client]:
        """A runtime that is not to be killed; stopped in good order at the end, shells and all."""
        process = self._start()
        until(lambda: is_running(self.home) or process.poll() is not None)
        client = Client(self.home, "UTC")
        yield client
        client.post("/api/runtime/stop", {"end_sessions": hasattr(self, "paused")})
        assert process.wait(PATIENCE) == 0
        assert wait_until_stopped(self.home, PATIENCE)

    def _start(self, fail_point: str = "") -> subprocess.Popen[bytes]:
        clock = self.clock
        environment = {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "KAVOR_HOME": str(self.home.data),
            TEST_CLOCK: f"{format_instant(clock.start)},{format_instant(clock.real_start)},{clock.factor}",
            FAIL_POINT: fail_point,
        }
        with (self.home.logs / "campaign.err").open("ab") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "kavor", "runtime", "run"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
            )
        self._started = [process]
        return process


def untrue_states(rows: list[Row]) -> Iterator[str]:
    """Every attempt is over, in a state that these commands and kills can bring about."""
    for row in rows:
        match row.state:
            case "Completed":
                true = len(row.tokens) == 1
            case "Interrupted":
                true = row.diagnostic == UNOBSERVED and not row.tokens
            case "Blocked":
                true = row.diagnostic == RUNTIME_STOPPED and not row.tokens
            case "Coalesced":
                true = row.holder_id is not None and not row.tokens
            case "Missed":
                true = row.missed_count is not None and not row.tokens
            case _:
                true = False
        if not true:
            yield f"{row} is not what happened: {row.diagnostic!r}, output {row.output!r}"


def untrue_deliveries(rows: list[Row], received: list[tuple[str, str]]) -> Iterator[str]:
    """What the shells received and what the ledger says was delivered are the same, one for one."""
    owners = {(row.schedule, token): row for row in rows for token in row.tokens}
    for command, times in Counter(received).items():
        if times > 1:
            yield f"{' '.join(command)} was written {times} times"
        if command not in owners:
            yield f"a shell ran {' '.join(command)}, and no attempt has it: delivered twice, or not recorded"
    for command in owners.keys() - set(received):
        yield f"{owners[command]} has {' '.join(command)} as evidence, which no shell has run"


def unexplained(rows: list[Row], resumed: Span, paused: Span) -> Iterator[str]:
    """Every minute while Running has one row, or is counted on one Missed row; none before or after."""
    explained = Counter(
        row.nominal_at - MINUTE * back for row in rows for back in range(row.missed_count or 1)
    )
    name = rows[0].schedule if rows else "a Schedule without rows"
    first, last = resumed.made // MINUTE * MINUTE + MINUTE, paused.asked // MINUTE * MINUTE
    for at in range(first, last + 1, MINUTE):
        if explained[at] != 1:
            yield f"{name} at {format_instant(Instant(at))}: explained {explained[at]} times"
    for at in explained:
        if not resumed.asked < at <= paused.made:
            yield f"{name} at {format_instant(Instant(at))}: a row, but it was Paused"


def until(condition: Callable[[], object]) -> None:
    """Return once it is true. Fails when it never is."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "the condition never came true"
        time.sleep(0.05)


@contextmanager
def fresh_campaign(seed: int) -> Iterator[Campaign]:
    root = Path(tempfile.mkdtemp(prefix="kv"))
    try:
        home = find_home({"KAVOR_HOME": str(root / "home")})
        home.prepare()
        folder = root / "user"
        folder.mkdir()
        real_start = Instant(time.time_ns() // 1_000_000)
        clock = ScaledClock(parse_instant("2026-11-02T09:00:30Z"), real_start, FACTOR)
        campaign = Campaign(home, folder, clock, random.Random(seed))
        try:
            yield campaign
        finally:
            campaign.clean_up()
    finally:
        shutil.rmtree(root, ignore_errors=True)


def order_of_kills(count: int, dice: random.Random) -> list[str]:
    """Every place as often as the others, in an order of chance."""
    places = [*FAIL_POINTS, FROM_OUTSIDE]
    order: list[str] = []
    while len(order) < count:
        order += dice.sample(places, len(places))
    return order[:count]


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill the runtime at its fail points, and check the ledger.")
    parser.add_argument("kills", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    arguments = parser.parse_args()
    print(f"{arguments.kills} kills, seed {arguments.seed}", flush=True)
    with fresh_campaign(arguments.seed) as campaign:
        campaign.begin()
        for number, fail_point in enumerate(order_of_kills(arguments.kills, campaign.dice), 1):
            campaign.kill(fail_point)
            print(f"\r{number} {fail_point:<24}", end="", flush=True)
        campaign.end()
        print(f"\r{'':<32}\rkilled at:")
        for fail_point, times in sorted(campaign.reached.items()):
            remark = campaign.not_reached[fail_point]
            print(f"  {fail_point:<24} {times:4}" + (f"  ({remark} never came there)" if remark else ""))
        print("attempts:", dict(Counter(row.state for row in campaign.rows())))
        print("commands that the shells received:", len(campaign.received()))
        faults = campaign.faults()
        for fault in faults:
            print(f"FAULT: {fault}")
        print(f"{len(faults)} faults")
        if faults:
            kept = shutil.copytree(
                campaign.home.data,
                tempfile.mkdtemp(prefix="kavor-campaign-"),
                dirs_exist_ok=True,
                ignore=shutil.ignore_patterns("*.sock"),
            )
            print(f"database and logs are kept in {kept}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""How late a fire is when many are due in the same second, taken where the target received it.

Every Schedule has a target of its own. The real runtime on a real database (WAL, ``synchronous=FULL``)
claims them and hands them to targets in this process; all targets then end at once, and their outcomes are
recorded. Beside it, in the same run, APScheduler with its SQLAlchemy store on SQLite, with the same journal
and as many jobs.

Needs an idle machine: figures and the exit code are those of this very run; the processor time used until
the last was received says what they would be on another.
Aims: of 1,000, p99 at most 50 ms; 10,000 all claimed within 0.3 s.
Usage: python benchmarks/dispatch.py [COUNT ...]
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from kavor.app.compose import spare_the_collector
from kavor.app.scaled_time import ScaledAlarm, ScaledClock
from kavor.domain.attempts import AttemptState
from kavor.domain.graph import ordered
from kavor.domain.instant import Instant, parse_instant
from kavor.domain.recurrence import parse_recurrence
from kavor.domain.schedule import Policies
from kavor.home import Home, find_home
from kavor.runtime.runtime import Runtime
from kavor.sessions.session import (
    AgentSpec,
    Entry,
    HandOver,
    Listener,
    Outcome,
    SessionSpec,
    SessionState,
    WaitingFor,
)
from kavor.store import schedules
from kavor.store.database import Store, open_store

T = TypeVar("T")

COUNTS = (1_000, 10_000)
AIMS = {1_000: ("p99 s", 0.050), 10_000: ("claimed s", 0.3)}

LEAD_SECONDS = 3.0
"""From the start of a runtime to the minute in which all is due."""

DUE = parse_instant("2027-01-15T08:00:00Z")
"""Nine o'clock in Berlin."""

PEER = """
import datetime, json, sys, threading, time
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from sqlalchemy import event
from sqlalchemy.pool import StaticPool

database, count = sys.argv[1], int(sys.argv[2])
options = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
store = SQLAlchemyJobStore(url="sqlite:///" + database, engine_options=options)
def pragma(text):
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA " + text)
pragma("journal_mode = WAL")
pragma("synchronous = OFF")
received, due, done = [], 0.0, threading.Event()
def target(number):
    received.append(time.time())
    if len(received) == count:
        done.set()
scheduler = BackgroundScheduler(
    jobstores={"default": store},
    executors={"default": ThreadPoolExecutor(10)},
    job_defaults={"misfire_grace_time": None, "coalesce": True},
)
scheduler.start(paused=True)
due = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=5 + count / 300)
for number in range(count):
    scheduler.add_job(target, "interval", days=1, start_date=due, args=[number])
pragma("synchronous = FULL")
assert time.time() < due.timestamp() - 1, "adding the jobs took too long"
scheduler.resume()
done.wait()
print(json.dumps([at - due.timestamp() for at in received]))
"""


class NotingTargets:
    """Targets that accept everything and note when; they end when they are told to."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = ids
        self._listener: Listener | None = None
        self.received: dict[str, float] = {}
        self.busy: dict[str, str] = {}
        self.all_received = asyncio.Event()
        self.acknowledged = 0
        self.groups = 0
        self.all_acknowledged = asyncio.Event()

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        self._listener = listener
        return [SessionState(target, open=True, waiting_for=None) for target in self._ids]

    async def deliver(self, session_id: str, key: str, text: str) -> HandOver:
        self.received[key] = time.time()
        self.busy[session_id] = key
        assert self._listener is not None
        self._listener.session_changed(SessionState(session_id, open=True, waiting_for=WaitingFor.BUSY))
        if len(self.received) == len(self._ids):
            self.all_received.set()
        return HandOver(True, None, Instant(int(self.received[key] * 1000)))

    def end_all(self) -> None:
        assert self._listener is not None
        for session_id, key in self.busy.items():
            self._listener.outcome_observed(Outcome(key, AttemptState.COMPLETED, 0))
            self._listener.session_changed(SessionState(session_id, open=True, waiting_for=None))

    async def acknowledge(self, keys: Sequence[str]) -> None:
        self.groups += 1
        self.acknowledged += len(keys)
        if self.acknowledged == len(self._ids):
            self.all_acknowledged.set()

    async def known(self, keys: Sequence[str]) -> Mapping[str, bool]:
        return {key: key in self.received for key in keys}

    async def stop(self, *, end_sessions: bool) -> None: ...

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        raise NotImplementedError

    async def close(self, session_id: str) -> SessionState:
        raise NotImplementedError

    async def survivors(self, session_id: str) -> Sequence[tuple[int, str]]:
        return []

    async def type(self, session_id: str, data: bytes) -> None: ...

    async def tail(self, session_id: str, max_bytes: int) -> bytes:
        return b""

    async def screen(self, session_id: str, *, whole: bool = False) -> str:
        return ""

    def holds(self, session_id: str) -> bool:
        return False

    async def answer(self, session_id: str, question_id: str, option_id: str | None) -> None: ...

    async def cancel(self, session_id: str) -> None: ...

    def tools_listed(self, session_id: str) -> None: ...

    def transcript(self, session_id: str, after_version: int = 0) -> tuple[Sequence[Entry], int]:
        return [], 0


def fill(store: Store, count: int, directory: str, due: Instant) -> list[str]:
    """Running Schedules, each at a Terminal of its own, all due at ``due``; answers the Terminals.

    They share 59 different recurrences.
    """
    numbers = range(count)
    terminals, names = [f"t{number:06}" for number in numbers], [f"s{number:06}" for number in numbers]
    definitions = [
        schedules.definition_columns(
            parse_recurrence({"cron": f"0,{number % 59 + 1} 9 * * *"}), "Europe/Berlin", "make", Policies()
        )
        for number in numbers
    ]
    columns = list(definitions[0])
    with store.transaction() as tx:
        tx.exec_driver_sql(
            "INSERT INTO workspaces (id, name, directory, created_at) VALUES ('w', 'w', ?, 0)", (directory,)
        )
        tx.exec_driver_sql(
            "INSERT INTO nodes (id, workspace_id, kind, name, created_at) VALUES (?, 'w', ?, ?, 0)",
            [(name, "terminal", name) for name in terminals] + [(name, "schedule", name) for name in names],
        )
        tx.exec_driver_sql(
            "INSERT INTO terminals (node_id, directory, wanted) VALUES (?, ?, 'open')",
            [(terminal, directory) for terminal in terminals],
        )
        tx.exec_driver_sql(
            f"INSERT INTO schedules (node_id, state, next_due, {', '.join(columns)})"
            f" VALUES (?, 'Running', ?, {', '.join('?' * len(columns))})",
            [(name, due, *row.values()) for name, row in zip(names, definitions, strict=True)],
        )
        tx.exec_driver_sql(
            "INSERT INTO connections (a, b, schedule_id, created_at) VALUES (?, ?, ?, 0)",
            [(*ordered(name, terminal), name) for name, terminal in zip(names, terminals, strict=True)],
        )
    return terminals


def timed(function: Callable[[], T], ends: list[float]) -> Callable[[], T]:
    """``function``, noting when it ended each time."""

    def call() -> T:
        try:
            return function()
        finally:
            ends.append(time.time())

    return call


async def measure_kavor(home: Home, count: int) -> dict[str, float]:
    loop = asyncio.get_running_loop()
    home.prepare()
    spare_the_collector()
    with ThreadPoolExecutor(max_workers=1) as thread:
        store = await loop.run_in_executor(thread, open_store, home.database, home.backups)
        targets = await loop.run_in_executor(thread, fill, store, count, str(home.data), DUE)
        sessions = NotingTargets(targets)
        real_due = time.time() + LEAD_SECONDS
        clock = ScaledClock(DUE, Instant(int(real_due * 1000)), 1.0)
        real_due = int(real_due * 1000) / 1000
        runtime = Runtime(store, thread, clock, sessions, ScaledAlarm)
        claims: list[float] = []
        runtime.dispatcher.claim_due = timed(runtime.dispatcher.claim_due, claims)  # type: ignore[method-assign]
        await runtime.start()
        used = time.process_time()
        with runtime.events.subscribed():
            await sessions.all_received.wait()
            used = time.process_time() - used
            claimed = min(at for at in claims if at >= real_due)
            # Their answers are on record before the targets end.
            await asyncio.sleep(2)
            ended_at = time.time()
            sessions.end_all()
            await sessions.all_acknowledged.wait()
            recorded = time.time()
        states = await runtime.read(
            lambda view: view.exec_driver_sql("SELECT state, count(*) FROM attempts GROUP BY state").all()
        )
        assert dict(states) == {"Completed": count}, states  # type: ignore[arg-type]
        await runtime.stop()
    late = [at - real_due for at in sessions.received.values()]
    return {
        "claimed s": claimed - real_due,
        **spread(late),
        "processor s": used,
        "outcomes s": recorded - ended_at,
        "groups": sessions.groups,
    }


def measure_peer(database: Path, count: int) -> dict[str, float]:
    answer = subprocess.run(
        [sys.executable, "-c", PEER, str(database), str(count)], stdout=subprocess.PIPE, check=True
    )
    late: list[float] = json.loads(answer.stdout)
    return spread(late)


def spread(late: list[float]) -> dict[str, float]:
    late = sorted(late)
    return {"p50 s": late[len(late) // 2], "p99 s": late[int(len(late) * 0.99)], "last s": late[-1]}


def show(name: str, figures: Mapping[str, Any]) -> None:
    print(f"  {name:<26}" + "".join(f"  {label} {value:8.3f}" for label, value in figures.items()))


def main() -> int:
    counts = [int(argument) for argument in sys.argv[1:]] or COUNTS
    met = True
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the start")
    for count in counts:
        print(f"{count:,} due in the same second, each at a target of its own")
        with tempfile.TemporaryDirectory(prefix="kv") as root:
            ours = asyncio.run(measure_kavor(find_home({"KAVOR_HOME": f"{root}/home"}), count))
            show("kavor", ours)
            peer = measure_peer(Path(root, "peer.db"), count)
            show("apscheduler + sqlalchemy", peer)
        ratios = {label: peer[label] / ours[label] for label in peer}
        print(
            "  kavor is sooner by"
            + "".join(f"  {label[:-2]}: {ratio:,.0f}×" for label, ratio in ratios.items())
        )
        if count in AIMS:
            label, aim = AIMS[count]
            met = met and ours[label] <= aim
            print(f"  aim: {label} at most {aim:g}: {'met' if ours[label] <= aim else 'NOT met'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

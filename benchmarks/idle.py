"""What waiting costs: processor time and memory of runtime and PTY host while nothing is due.

A home of its own with many Running Schedules on one Terminal, none due for a year; beside it, in the
same run, an APScheduler process with as many jobs in its SQLAlchemy store.

Aims: at most 0.05 % of a core for runtime and host together, at most 100 MB each.
Usage: python benchmarks/idle.py [SECONDS] [SCHEDULES]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime
from kavor.home import find_home

PEER = """
import datetime, sys, time, logging
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
scheduler = BackgroundScheduler(jobstores={"default": SQLAlchemyJobStore(url="sqlite:///" + sys.argv[1])})
scheduler.start(paused=True)
for number in range(int(sys.argv[2])):
    scheduler.add_job(print, "cron", month=1, day=1, hour=0, minute=number % 60)
scheduler.resume()
print("ready", flush=True)
time.sleep(1_000_000)
"""


def measure(groups: dict[str, list[psutil.Process]], seconds: float) -> None:
    before = {name: sum(sum(p.cpu_times()[:2]) for p in group) for name, group in groups.items()}
    time.sleep(seconds)
    print(f"{'':<24} {'CPU % of a core':>16} {'RSS MB':>24}")
    for name, group in groups.items():
        used = sum(sum(p.cpu_times()[:2]) for p in group) - before[name]
        sizes = " + ".join(f"{p.memory_info().rss / 1e6:.0f}" for p in group)
        print(f"{name:<24} {100 * used / seconds:16.4f} {sizes:>24}")


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 300
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory(prefix="kv") as root:
        home = find_home({"KAVOR_HOME": f"{root}/home"})
        ensure_runtime(home)
        client = Client(home, "UTC")
        workspace = client.post("/api/workspaces", {"directory": root, "name": "idle"})
        terminal = client.post("/api/nodes", {"workspace": workspace["id"], "kind": "terminal", "name": "t"})
        for number in range(count):
            schedule = client.post(
                "/api/schedules",
                {
                    "name": f"s{number}",
                    "payload": "true",
                    "recurrence": {"cron": f"{number % 60} 0 1 1 *"},
                    "target": terminal["id"],
                },
            )
            client.post(f"/api/schedules/{schedule['id']}/resume")
        peer = subprocess.Popen(
            [sys.executable, "-c", PEER, str(Path(root, "peer.db")), str(count)], stdout=subprocess.PIPE
        )
        assert peer.stdout is not None
        peer.stdout.readline()
        runtime = psutil.Process(client.get("/api/runtime")["pid"])
        shell = psutil.Process(client.get("/api/sessions")["sessions"][0]["pid"])
        time.sleep(5)
        try:
            measure(
                {
                    "kavor runtime + host": [runtime, psutil.Process(shell.ppid())],
                    "apscheduler + sqlalchemy": [psutil.Process(peer.pid)],
                },
                seconds,
            )
        finally:
            peer.kill()
            client.post("/api/runtime/stop", {"end_sessions": True})
            time.sleep(2)
    return 0


if __name__ == "__main__":
    sys.exit(main())

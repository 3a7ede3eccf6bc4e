"""What a window holds that is left open for an hour of fires: memory, handles, threads, and objects of Qt.

    python benchmarks/canvas_leaks.py [--speed 60] [--hours 1]

A real runtime whose clock goes ``--speed`` times as fast, real shells, and a window on it with a Schedule's
form, its history and the Terminals in view. Six Schedules fire every minute of that clock, one of them at
nothing, so that an hour is 360 attempts. The first hour fills what is kept on purpose, such as a page of
history; what is compared is the start, the middle and the end of the hours after it.

Aim: nothing that can be counted grows, and memory by less than 4 MB in an hour.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime, wait_until_stopped
from kavor.canvas.app import make_application, open_window
from kavor.canvas.qt import QApplication, QEventLoop, QObject, QTimer
from kavor.canvas.theme import load_theme
from kavor.canvas.window import CanvasWindow
from kavor.home import find_home

SCHEDULES = 6
ZOOM = 0.42
"""Terminals are looked at, and most of them are in view."""
GROWTH_AIM_MB = 4.0
_SETTLE_S = 60


@dataclass(frozen=True)
class Holdings:
    """What the window's process holds at one moment."""

    attempts: int
    memory_mb: float
    handles: int
    threads: int
    terminals_seen: int
    qt_objects: int
    scene_items: int
    python_objects: int

    @classmethod
    def of(cls, window: CanvasWindow, client: Client) -> Holdings:
        gc.collect()
        process = psutil.Process()
        assert window.view is not None
        newest = client.get("/api/attempts", limit=1)["attempts"]
        return cls(
            attempts=newest[0]["id"] if newest else 0,
            memory_mb=round(process.memory_info().rss / 1e6, 2),
            handles=process.num_fds(),
            threads=process.num_threads(),
            terminals_seen=len(window.terminals[window.view].viewers),
            qt_objects=len(window.findChildren(QObject)),
            scene_items=len(window.view.canvas.items()),
            python_objects=len(gc.get_objects()),
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--speed", type=float, default=60.0, help="how many times as fast the clock goes")
    parser.add_argument("--hours", type=float, default=1.0, help="of that clock, after the first")
    options = parser.parse_args()
    make_application()
    hour_s = 3600 / options.speed
    with runtime(options.speed) as (client, root):
        first = furnish(client, root)
        window = open_window(client.home, "UTC", load_theme("dark"))
        window.resize(1400, 900)
        window.show()
        try:
            until_read(window)
            assert window.view is not None
            window.view.set_zoom(ZOOM)
            window.view.centerOn(window.view.canvas.contents_rect().center())
            for action in ("Edit", "History"):
                window.panels.act(window.view, first, action)
            print(f"an hour in {hour_s:g} s, {SCHEDULES} fires a minute of it")
            leave_open(window, hour_s, options.speed)
            stages = {"start": Holdings.of(window, client)}
            for name in ("middle", "end"):
                leave_open(window, hour_s * options.hours / 2, options.speed)
                stages[name] = Holdings.of(window, client)
        finally:
            window.close()
            window.link.settle(10)
    show(stages)
    return 0 if holds_no_more(stages, options.hours) else 1


@contextmanager
def runtime(speed: float) -> Iterator[tuple[Client, Path]]:
    root = Path(tempfile.mkdtemp(prefix="kv"))
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    os.environ |= {"HOME": str(root), "TZ": "UTC", "KAVOR_TEST_CLOCK": f"{now},{now},{speed:g}"}
    home = find_home({"KAVOR_HOME": str(root / "home")})
    home.prepare()
    ensure_runtime(home)
    client = Client(home, "UTC")
    try:
        yield client, root
    finally:
        client.post("/api/runtime/stop", {"end_sessions": True})
        wait_until_stopped(home, 15)
        shutil.rmtree(root, ignore_errors=True)


def furnish(client: Client, root: Path) -> str:
    """A Workspace whose Schedules all run; the id of the first."""
    (root / "lab").mkdir()
    workspace = client.post("/api/workspaces", {"directory": str(root / "lab"), "name": "Lab"})["id"]
    schedules = []
    for number in range(SCHEDULES):
        x, y = 1000 * (number % 2), 520 * (number // 2)
        target = client.post(
            "/api/nodes",
            {"workspace": workspace, "kind": "terminal", "name": f"shell {number}", "x": x + 380, "y": y},
        )
        body = {
            "workspace": workspace,
            "name": f"checks {number}",
            "payload": f"echo {number}; (exit $((RANDOM % 2)))",
            "recurrence": {"cron": "* * * * *"},
            "misfire_grace_s": 600,
            "x": x,
            "y": y,
        }
        schedules.append(client.post("/api/schedules", body)["id"])
        if number:  # the first has no target: Blocked each time
            client.post("/api/connections", {"a": schedules[-1], "b": target["id"]})
    for schedule in schedules:
        client.post(f"/api/schedules/{schedule}/resume")
    return str(schedules[1])


def until_read(window: CanvasWindow) -> None:
    end = time.monotonic() + _SETTLE_S
    while window.view is None or len(window.view.canvas.node_items) < 2 * SCHEDULES:
        if time.monotonic() > end:
            raise SystemExit("the window did not read the Workspace in time")
        spend(0.1)


def leave_open(window: CanvasWindow, seconds: float, speed: float) -> None:
    """So long by the real clock; what the window does each minute, it does each minute of the fast one."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        spend(min(60 / speed, max(0.0, end - time.monotonic())))
        window.panels.tick()
        for view in window.views.values():
            view.canvas.refresh_faces()


def spend(seconds: float) -> None:
    """Let the event loop run."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
    QApplication.processEvents()


def show(stages: dict[str, Holdings]) -> None:
    names = list(Holdings.__dataclass_fields__)
    print(f"{'':<8}" + "".join(f"{name.replace('_', ' '):>16}" for name in names))
    for stage, held in stages.items():
        print(f"{stage:<8}" + "".join(f"{getattr(held, name):>16}" for name in names))


def holds_no_more(stages: dict[str, Holdings], hours: float) -> bool:
    start, end = stages["start"], stages["end"]
    counted = ("handles", "threads", "terminals_seen", "qt_objects", "scene_items")
    return (
        end.attempts > start.attempts
        and all(getattr(end, name) <= getattr(start, name) for name in counted)
        and end.memory_mb - start.memory_mb < GROWTH_AIM_MB * hours
    )


if __name__ == "__main__":
    sys.exit(main())

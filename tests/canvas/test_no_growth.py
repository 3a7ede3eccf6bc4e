"""A window that is left open holds no more after hundreds of fires than before."""

from __future__ import annotations

import gc
import itertools
import tracemalloc
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from canvas_world import OpenWindow, World
from pytestqt.qtbot import QtBot

from kavor.canvas.qt import QApplication, QObject, QTableView
from kavor.canvas.window import CanvasWindow

MOST_PYTHON_BYTES = 60_000
MOST_BYTES = 4_000_000
"""Of the whole process: what Qt and the allocator keep for later is not all given back."""

PAINTED_EVERY = 10

ROUNDS = 3
"""What is loaded or remembered once may fall into any of them; what leaks grows in each."""


class Fires:
    """One after the other, as the runtime would tell them: a Schedule with its next time, and an attempt that
    waits, is delivered, and ends in one way or another."""

    def __init__(
        self, window: CanvasWindow, node: dict[str, Any], schedule: dict[str, Any], attempt: dict[str, Any]
    ) -> None:
        self._window = window
        self._node = node
        self._schedule = schedule
        self._attempt = attempt
        self._numbers = itertools.count(int(attempt["id"]) + 1)

    def happen(self, count: int) -> None:
        for number in itertools.islice(self._numbers, count):
            for event in self._events(number):
                self._window.model.apply(event)
            if number % PAINTED_EVERY == 0:
                QApplication.processEvents()
        QApplication.processEvents()

    def _events(self, number: int) -> Iterator[dict[str, Any]]:
        minute = f"2027-01-02T03:{number % 60:02}:00+00:00"
        schedule = {**self._schedule, "state": "Running", "next_due": minute, "last_attempt": None}
        yield _changed("schedule", schedule)
        yield _changed("node", {**self._node, "name": f"checks {number % 7}", "x": number % 5})
        for state in ("Pending", "Delivering", ("Completed", "Failed", "Missed")[number % 3]):
            ended = state not in ("Pending", "Delivering")
            yield _changed(
                "attempt",
                {
                    **self._attempt,
                    "id": number,
                    "state": state,
                    "nominal_at": minute,
                    "finished_at": minute if ended else None,
                    "duration_ms": number % 20 if ended else None,
                    "exit_code": number % 3 if ended else None,
                },
            )


def _changed(kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "change": "changed", "id": value["id"], "value": value}


class Holdings:
    """What a window holds now."""

    def __init__(self, window: CanvasWindow) -> None:
        gc.collect()
        process = psutil.Process()
        assert window.view is not None
        self.counted = {
            "handles": process.num_fds(),
            "threads": process.num_threads(),
            "widgets and timers": len(window.findChildren(QObject)),
            "top-level windows": len(QApplication.topLevelWidgets()),
            "items": len(window.view.canvas.items()),
            "Nodes": len(window.model.nodes),
            "rows": sum(table.model().rowCount() for table in window.findChildren(QTableView)),
        }
        self.bytes = process.memory_info().rss
        self.python_bytes = tracemalloc.get_traced_memory()[0]

    def more_than(self, before: Holdings) -> list[str]:
        """What has grown, in words. Fewer is no growth: a thread of Qt's own may end."""
        grown = [
            f"{name}: {before.counted[name]} → {count}"
            for name, count in self.counted.items()
            if count > before.counted[name]
        ]
        for name, more, most in (
            ("Python's bytes", self.python_bytes - before.python_bytes, MOST_PYTHON_BYTES),
            ("bytes", self.bytes - before.bytes, MOST_BYTES),
        ):
            if more >= most:
                grown.append(f"{name}: {more:+,}")
        return grown


@pytest.mark.no_qt_log  # the log is kept, too: it would grow
@pytest.mark.parametrize(
    ("with_panels", "warm_up", "count"),
    [(False, 120, 300), (True, 110, 100)],
    ids=["canvas alone", "panels open"],
)
def test_hundreds_of_fires_leave_nothing(
    open_canvas: OpenWindow, world: World, qtbot: QtBot, with_panels: bool, warm_up: int, count: int
) -> None:
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    world.client.post(f"/api/schedules/{schedule}/run")  # its target has no session: Blocked at once
    node = world.client.get(f"/api/nodes/{schedule}")
    told = world.client.get(f"/api/schedules/{schedule}")
    (attempt,) = world.client.get(f"/api/schedules/{schedule}/history")["attempts"]
    window = open_canvas()
    view = window.view
    assert view is not None
    view.canvas.node_items[schedule].setSelected(True)
    if with_panels:
        view.act(schedule, "Edit")
        view.act(schedule, "History")
        qtbot.wait(300)
    fires = Fires(window, node, told, attempt)
    tracemalloc.start()
    try:
        fires.happen(warm_up)
        held = [Holdings(window)]
        while len(held) <= ROUNDS:
            fires.happen(count)
            held.append(Holdings(window))
            grown = held[-1].more_than(held[-2])
            if not grown:
                break
    finally:
        tracemalloc.stop()
    assert grown == []

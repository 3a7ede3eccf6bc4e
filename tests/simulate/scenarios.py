"""Short ways to write a scenario, play it, and look at what came of it."""

from __future__ import annotations

from typing import Any

from kavor.app.simulation.player import play
from kavor.app.simulation.scenario import read_scenario

Document = dict[str, Any]

DAILY_NINE = {"preset": "daily", "time": "09:00"}
QUARTERS = {"cron": "*/15 * * * *"}


def agent(name: str = "a1", **more: Any) -> Document:
    return {"id": name, "kind": "CodingAgent", **more}


def terminal(name: str = "t1", **more: Any) -> Document:
    return {"id": name, "kind": "Terminal", **more}


def schedule(name: str = "s1", **more: Any) -> Document:
    """Running, daily at nine UTC, at ``a1``, unless told otherwise."""
    usual = {"recurrence": DAILY_NINE, "zone": "UTC", "state": "Running", "payload": "go", "target": "a1"}
    return {"id": name, **usual, **more}


def step(at: str, do: str, **more: Any) -> Document:
    """``at`` is a time of 2026-11-02, a Monday, or ``3/09:00`` for another day of that month."""
    return {"at": instant(at), "do": do, **more}


def instant(at: str) -> str:
    day, _, time = at.rpartition("/")
    return f"2026-11-{int(day or 2):02d}T{time}{':00' if time.count(':') == 1 else ''}Z"


def clock(start: str, end: str, **more: Any) -> Document:
    return {"from_": instant(start), "to": instant(end), "do": "run_clock_every_minute", **more}


def run(
    *steps: Document,
    targets: list[Document] | None = None,
    schedules: list[Document] | None = None,
    host_zone: str = "UTC",
) -> Document:
    given = {
        "host_zone": host_zone,
        "targets": [agent()] if targets is None else targets,
        "schedules": [schedule()] if schedules is None else schedules,
    }
    return play(read_scenario({"given": given, "steps": list(steps)}))


def states(state: Document, schedule_id: str | None = None) -> list[str]:
    """The states of all attempts, or of one Schedule's, oldest first."""
    return [attempt["state"] for attempt in state["attempts"] if schedule_id in (None, attempt["schedule"])]


def only(found: list[Document]) -> Document:
    assert len(found) == 1, found
    return found[0]


def nominals(state: Document) -> list[str]:
    return [attempt["nominal_at"] for attempt in state["attempts"]]

"""How long ``kavor simulate`` takes for a month of a hundred Schedules, each with a target of its own.

Aims, in seconds of processor time: 8 where each fires daily, 40 where each fires hourly (72,000 deliveries).
Usage: python benchmarks/simulate.py [daily] [hourly]
"""

from __future__ import annotations

import sys
import time
from typing import Any

from kavor.app.simulation.player import play
from kavor.app.simulation.scenario import read_scenario

SCHEDULES = 100
START, END = "2026-10-10T00:00:00Z", "2026-11-10T00:00:00Z"

RECURRENCES = {
    "daily": lambda n: {"preset": "daily", "time": f"{n % 24:02d}:{n * 7 % 60:02d}"},
    "hourly": lambda n: {"preset": "hourly", "minute": n % 4 * 15},
}
AIMS = {"daily": 8, "hourly": 40}


def month(name: str) -> dict[str, Any]:
    return {
        "given": {
            "targets": [{"id": f"t{n}", "kind": "Terminal"} for n in range(SCHEDULES)],
            "schedules": [
                {
                    "id": f"s{n}",
                    "recurrence": RECURRENCES[name](n),
                    "zone": "Europe/Berlin",
                    "state": "Running",
                    "payload": "make check",
                    "target": f"t{n}",
                }
                for n in range(SCHEDULES)
            ],
        },
        "steps": [
            {"from_": START, "to": END, "do": "run_clock_every_minute", "target_completes_in_seconds": 120},
            {"at": END, "do": "read_state"},
        ],
    }


def main() -> int:
    print(f"{'recurrence':<12} {'attempts':>8} {'cpu s':>7} {'aim':>5}")
    missed = 0
    for name in sys.argv[1:] or list(RECURRENCES):
        scenario = read_scenario(month(name))
        start = time.process_time()
        attempts = play(scenario)["state"]["attempts"]
        took = time.process_time() - start
        missed += took > AIMS[name] or any(attempt["state"] != "Completed" for attempt in attempts)
        print(f"{name:<12} {len(attempts):>8} {took:7.1f} {AIMS[name]:>5}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

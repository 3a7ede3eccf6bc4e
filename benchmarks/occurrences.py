"""Time per occurrence, ours beside croniter, cronsim, APScheduler and dateutil's rrule, in one run.

    python benchmarks/occurrences.py [--zone America/New_York] [--rounds 5]

CPU time, the best of several rounds, after one round that warms every cache. Each library lists the same
number of coming occurrences in the zone from one point; ours does so twice, as a preview (``occurrences``)
and as the dispatcher asks, one ``next_due`` after another. Speed alone: the others answer wrongly around
clock changes. Exits 1 if ours takes more than half of cronsim's time on any line.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger
from croniter import croniter
from cronsim import CronSim
from dateutil import rrule

from kavor.domain.instant import Instant, from_datetime
from kavor.domain.recurrence import Cron, next_due, occurrences
from kavor.domain.zones import load_zone

RULES: dict[str, dict[str, Any]] = {
    "*/5 * * * *": {"freq": rrule.MINUTELY, "interval": 5},
    "0 9 * * 1-5": {"freq": rrule.WEEKLY, "byweekday": (0, 1, 2, 3, 4), "byhour": 9, "byminute": 0},
    "0 0 29 2 *": {"freq": rrule.YEARLY, "bymonth": 2, "bymonthday": 29, "byhour": 0, "byminute": 0},
}
"""Each expression, and how rrule says it."""

HOW_MANY = {"*/5 * * * *": 2_000, "0 9 * * 1-5": 1_000, "0 0 29 2 *": 50}
AIMS_US = {"*/5 * * * *": 2, "0 9 * * 1-5": 4, "0 0 29 2 *": 10}
START = datetime(2027, 1, 1)


def preview(expression: str, zone: ZoneInfo) -> Iterator[object]:
    yield from occurrences(Cron(expression), zone, start_of(zone))


def one_by_one(expression: str, zone: ZoneInfo) -> Iterator[object]:
    cron = Cron(expression)
    at: Instant | None = start_of(zone)
    while at is not None:
        at = next_due(cron, zone, at)
        yield at


def with_cronsim(expression: str, zone: ZoneInfo) -> Iterator[object]:
    yield from CronSim(expression, START.replace(tzinfo=zone))


def with_croniter(expression: str, zone: ZoneInfo) -> Iterator[object]:
    found = croniter(expression, START.replace(tzinfo=zone), ret_type=datetime)
    while True:
        yield found.get_next(datetime)


def with_apscheduler(expression: str, zone: ZoneInfo) -> Iterator[object]:
    trigger = CronTrigger.from_crontab(expression, timezone=zone)
    at: datetime | None = START.replace(tzinfo=zone)
    while at is not None:
        at = trigger.get_next_fire_time(at, at + timedelta(microseconds=1))
        yield at


def with_rrule(expression: str, zone: ZoneInfo) -> Iterator[object]:
    for local in rrule.rrule(dtstart=START, bysecond=0, **RULES[expression]):
        yield local.replace(tzinfo=zone).timestamp()


def start_of(zone: ZoneInfo) -> Instant:
    return from_datetime(START.replace(tzinfo=zone))


CONTENDERS: dict[str, Callable[[str, ZoneInfo], Iterator[object]]] = {
    "kavor, a preview": preview,
    "kavor, one by one": one_by_one,
    "cronsim": with_cronsim,
    "croniter": with_croniter,
    "APScheduler": with_apscheduler,
    "rrule + zoneinfo": with_rrule,
}


def microseconds(
    contender: Callable[[str, ZoneInfo], Iterator[object]], expression: str, zone: ZoneInfo
) -> float:
    count = HOW_MANY[expression]
    began = time.process_time()
    found = sum(1 for _ in islice(contender(expression, zone), count))
    took = time.process_time() - began
    if found != count:
        raise RuntimeError(f"{contender.__name__} gave {found} of {count} for {expression}")
    return took / count * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description="Time per occurrence, beside other libraries.")
    parser.add_argument("--zone", default="America/New_York")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    zone = load_zone(chosen.zone)
    too_slow = False
    print(f"CPU µs per occurrence in {zone.key}, and times ours (a preview)")
    for expression in RULES:
        print(f"\n{expression}    aim {AIMS_US[expression]} µs")
        best = {
            name: min(microseconds(contender, expression, zone) for _ in range(chosen.rounds + 1))
            for name, contender in CONTENDERS.items()
        }
        ours = best["kavor, a preview"]
        for name, spent in best.items():
            print(f"  {name:18} {spent:10.2f}  {spent / ours:8.1f} ×")
        slowest = max(ours, best["kavor, one by one"])
        too_slow |= slowest > best["cronsim"] / 2
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())

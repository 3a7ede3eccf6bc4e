"""Every clock change of every zone, ours beside the oracle.

    python tests/oracle/sweep.py [--zones Europe/Berlin,…] [--from 1990] [--to 2038] [--jobs 2]

For each change and each expression the oracle lists the instants in a window around the change; ours must
list the same, count the same, and give the same next one when asked anew from inside the window. Exits 1
if anything differs. The suite runs a sample (test_oracle_sample.py).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import oracle  # noqa: E402
import tzdata  # noqa: E402

from kavor.domain.instant import Instant, from_datetime  # noqa: E402
from kavor.domain.recurrence import Cron, count_between, instants, latest_between, next_due  # noqa: E402
from kavor.domain.zones import known_zones, load_zone  # noqa: E402

EXPRESSIONS = (
    "30 2 * * *",
    "0 * * * *",
    "*/20 * * * *",
    "0 0 * * *",
    "30 1 * * *",
    "59 23 * * *",
    "0 3 * * 0",
    "0 0 31 * *",
    "15 2 29 2 *",
    "0 0 13 * 5",
    "7,37 0-4 * * mon-fri",
    "0 12 */2 * 1",
    "30 */6 1-7,25-31 * *",
    "5/25 22,23,0 * 3,4,9-11 *",
)
WINDOW = timedelta(hours=40, seconds=17)

# Expressions share most of their local times; the answer is the oracle's own.
oracle.resolve = lru_cache(maxsize=20_000)(oracle.resolve)


class Tally(NamedTuple):
    changes: int
    windows: int
    differences: list[str]


def distinct_zones() -> list[str]:
    """One key for each different table of rules; aliases share their table byte for byte."""
    tables: dict[bytes, str] = {}
    root = Path(tzdata.__file__).parent / "zoneinfo"
    for key in sorted(known_zones()):
        tables.setdefault((root / key).read_bytes(), key)
    return sorted(tables.values())


def changes_of(key: str, first_year: int, last_year: int) -> list[datetime]:
    """The instants at which the zone's offset changes, from one year up to another."""
    start, end = datetime(first_year, 1, 1, tzinfo=UTC), datetime(last_year, 1, 1, tzinfo=UTC)
    return [change for change, _, _ in oracle.transitions(load_zone(key), start, end)]


def differences(key: str, change: datetime, expression: str) -> Iterator[str]:
    """Where ours and the oracle part around one clock change."""
    zone, cron = load_zone(key), Cron(expression)
    start, end = change - WINDOW, change + WINDOW
    after, until = from_datetime(start), from_datetime(end)
    wanted = [from_datetime(at) for at in oracle.occurrences_between(expression, key, start, end)]
    where = f"{expression!r} in {key} around {change:%Y-%m-%dT%H:%M:%SZ}"

    listed: list[Instant] = []
    for at in instants(cron, zone, after):
        if at > until:
            break
        listed.append(at)
    if listed != wanted:
        yield f"{where}: {set(listed) ^ set(wanted)}"
    if count_between(cron, zone, after, until) != len(wanted):
        yield f"{where}: counted wrong"
    if latest_between(cron, zone, after, until) != (wanted[-1] if wanted else None):
        yield f"{where}: latest is wrong"
    middle = from_datetime(change)
    for minutes in (-61, -30, 0, 15, 45, 75, 135):
        for off in (-1, 0):
            asked = Instant(middle + minutes * 60_000 + off)
            found = next_due(cron, zone, asked)
            rest = next((at for at in wanted if at > asked), None)
            if (rest is not None and found != rest) or (
                rest is None and found is not None and found <= until
            ):
                yield f"{where}: after {asked} comes {rest}, not {found}"


def sweep_zone(key: str, first_year: int, last_year: int) -> Tally:
    changes = changes_of(key, first_year, last_year)
    found = [
        difference
        for change in changes
        for expression in EXPRESSIONS
        for difference in differences(key, change, expression)
    ]
    return Tally(len(changes), len(changes) * len(EXPRESSIONS), found)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare every clock change with the oracle.")
    parser.add_argument("--zones", help="comma-separated keys; all distinct zones without it")
    parser.add_argument("--from", dest="first", type=int, default=1990)
    parser.add_argument("--to", dest="last", type=int, default=2038)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    keys = chosen.zones.split(",") if chosen.zones else distinct_zones()
    began = time.monotonic()
    changes = windows = different = 0
    with ProcessPoolExecutor(chosen.jobs) as pool:
        runs = pool.map(sweep_zone, keys, [chosen.first] * len(keys), [chosen.last] * len(keys))
        for tally in runs:
            changes, windows = changes + tally.changes, windows + tally.windows
            different += len(tally.differences)
            for difference in tally.differences[:5]:
                print(difference, flush=True)
    print(
        f"{len(keys)} zones, {changes:,} clock changes, {windows:,} windows, {different} differences, "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

"""Questions from public trackers with right answers, one test for each line of tests/cases/cron.jsonl."""

from __future__ import annotations

import json
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from kavor.domain.errors import BadInput
from kavor.domain.instant import format_instant, parse_instant
from kavor.domain.recurrence import (
    Cron,
    check_occurs,
    count_between,
    instants,
    latest_between,
    next_due,
    parse_recurrence,
)
from kavor.domain.zones import load_zone

LINES = (Path(__file__).parents[1] / "cases" / "cron.jsonl").read_text(encoding="utf-8").splitlines()
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in map(json.loads, LINES)}
ANSWERED = [case for case in CASES.values() if "expr" in case and not case.get("refuse")]
TOLD = {"P24", "P27", "P28", "P29"}
OF_THE_RUNTIME = {"P25", "P26"}
"""A timer that outlives a sleep and a clock set back: no matter of which instants a recurrence means."""


def asked(case: dict[str, Any], count: int) -> list[str]:
    zone, after = load_zone(case["zone"]), parse_instant(case["after_utc"])
    return [format_instant(at) for at in islice(instants(Cron(case["expr"]), zone, after), count)]


@pytest.mark.parametrize("case", ANSWERED, ids=[case["id"] for case in ANSWERED])
def test_answer(case: dict[str, Any]) -> None:
    expected = case["expected_utc"]
    assert asked(case, max(1, len(expected))) == expected


def test_p14_what_can_never_occur_is_refused_when_saved() -> None:
    with pytest.raises(BadInput) as refusal:
        parse_recurrence({"cron": CASES["P14"]["expr"]})
    assert "31" in refusal.value.message
    with pytest.raises(BadInput):
        check_occurs(Cron(CASES["P14"]["expr"]))


def test_p16_a_range_past_midnight_is_refused_with_the_right_spelling() -> None:
    with pytest.raises(BadInput) as refusal:
        Cron(CASES["P16"]["expr"])
    assert refusal.value.message.startswith("hour '22-5'")
    assert refusal.value.hint == "write 22-23,0-5"


def test_p24_what_fell_due_during_sleep() -> None:
    cron, zone = Cron("42 */6 * * *"), load_zone("America/Chicago")
    asleep, awake = parse_instant("2019-08-15T04:00:00Z"), parse_instant("2019-08-16T14:20:00Z")
    assert count_between(cron, zone, asleep, awake) == 6
    latest = latest_between(cron, zone, asleep, awake)
    assert latest == parse_instant("2019-08-16T11:42:00Z")
    assert next_due(cron, zone, awake) == parse_instant("2019-08-16T17:42:00Z")


def test_p27_an_old_alias_gives_the_instants_of_its_zone() -> None:
    cron, after = Cron("30 2 * * *"), parse_instant("2027-03-01T00:00:00Z")
    old = list(islice(instants(cron, load_zone("US/Central"), after), 400))
    assert old == list(islice(instants(cron, load_zone("America/Chicago"), after), 400))


def test_p28_reboot_is_not_a_time() -> None:
    with pytest.raises(BadInput, match="@reboot is not a time"):
        Cron("@reboot")


def test_p29_a_long_absence_is_counted_without_walking_it() -> None:
    cron, zone = Cron("* * * * *"), load_zone("UTC")
    start = parse_instant("2026-01-01T00:00:00Z")
    assert count_between(cron, zone, start, parse_instant("2026-01-01T03:00:00Z")) == 180
    began = time.process_time()
    assert count_between(cron, zone, start, parse_instant("2036-01-01T00:00:00Z")) == 3652 * 1440
    assert time.process_time() - began < 0.5


def test_every_line_has_its_test() -> None:
    tested = {case["id"] for case in ANSWERED} | {"P14", "P16"} | TOLD
    assert set(CASES) == tested | OF_THE_RUNTIME

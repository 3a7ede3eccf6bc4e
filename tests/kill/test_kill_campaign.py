"""A dozen kills of the real runtime, and what its ledger and the shells say afterwards."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from campaign import MINUTE, Row, Span, fresh_campaign, order_of_kills, unexplained, untrue_deliveries

from kavor.domain.instant import Instant
from kavor.runtime.failpoints import FAIL_POINTS

KILLS = 12


@pytest.mark.timeout(600)
@pytest.mark.contract("K49", "K56", "K58", "K68", "K77")
def test_whenever_the_runtime_is_killed_nothing_is_delivered_twice_and_everything_is_explained() -> None:
    seed = random.randrange(1_000_000)
    with fresh_campaign(seed) as campaign:
        campaign.begin()
        for fail_point in order_of_kills(KILLS, campaign.dice):
            campaign.kill(fail_point)
        campaign.stay_away()
        campaign.end()
        assert campaign.faults() == [], f"seed {seed}"
        states = Counter(row.state for row in campaign.rows())
        assert states["Completed"] > 0
        assert states["Missed"] > 0
        assert campaign.reached.total() == KILLS


def test_every_fail_point_has_its_turn() -> None:
    order = order_of_kills(200, random.Random(1))
    assert len(order) == 200
    assert set(FAIL_POINTS) < set(order)


# --- The campaign itself sees what it is there to see


def row(
    number: int, nominal_at: int, state: str = "Completed", output: str = "", missed: int | None = None
) -> Row:
    return Row(number, "brief", nominal_at, state, "", missed, None, output)


WHILE_RUNNING = (Span(Instant(10), Instant(20)), Span(Instant(3 * MINUTE + 10), Instant(3 * MINUTE + 20)))


def test_a_minute_with_its_row_or_its_count_is_explained() -> None:
    rows = [row(1, MINUTE), row(2, 3 * MINUTE, "Missed", missed=2)]
    assert list(unexplained(rows, *WHILE_RUNNING)) == []


@pytest.mark.parametrize(
    "rows",
    [
        [row(1, MINUTE), row(2, 3 * MINUTE)],
        [row(1, MINUTE), row(2, 2 * MINUTE), row(3, 3 * MINUTE, "Missed", missed=2)],
        [row(1, MINUTE), row(2, 2 * MINUTE), row(3, 3 * MINUTE), row(4, 4 * MINUTE)],
        [row(1, 0), row(2, MINUTE), row(3, 2 * MINUTE), row(4, 3 * MINUTE)],
    ],
    ids=["one is missing", "one is explained twice", "one after the pause", "one before Resume"],
)
def test_a_minute_that_is_not_explained_once_is_a_fault(rows: list[Row]) -> None:
    assert len(list(unexplained(rows, *WHILE_RUNNING))) == 1


def test_a_command_that_no_attempt_accounts_for_is_a_fault() -> None:
    rows = [row(1, MINUTE, output="token 7\r\n")]
    assert list(untrue_deliveries(rows, [("brief", "7")])) == []
    (fault,) = untrue_deliveries(rows, [("brief", "7"), ("brief", "8")])
    assert "brief 8" in fault
    (fault,) = untrue_deliveries(rows, [])
    assert "no shell has run" in fault

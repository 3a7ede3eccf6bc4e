"""A sample of the sweep, in every run: the odd changes always, others at random. And the oracle itself."""

from __future__ import annotations

import itertools
import random
from datetime import datetime, timedelta

import oracle
import pytest
import sweep

from kavor.domain.zones import load_zone

ODD_CHANGES = (
    ("Pacific/Apia", "2011-12-30T10:00Z"),  # a whole local day is missing
    ("Pacific/Kwajalein", "1993-08-21T12:00Z"),  # likewise
    ("Australia/Lord_Howe", "2019-10-05T15:30Z"),  # half an hour
    ("Australia/Lord_Howe", "2020-04-04T15:00Z"),
    ("America/Sao_Paulo", "2018-11-04T03:00Z"),  # midnight is missing
    ("America/Havana", "2023-11-05T05:00Z"),  # midnight comes twice
    ("Antarctica/Casey", "2020-10-03T16:01Z"),  # three hours, from 00:01
    ("Antarctica/Troll", "2024-03-31T01:00Z"),  # two hours
    ("Asia/Kathmandu", "1985-12-31T18:30Z"),  # a quarter of an hour
    ("Asia/Pyongyang", "2018-05-04T15:00Z"),
    ("Africa/Casablanca", "2024-03-10T02:00Z"),
    ("Europe/Dublin", "2024-10-27T01:00Z"),  # its winter time is the negative one
    ("Africa/Monrovia", "1972-01-07T00:44:30Z"),  # a change that is not on a minute
    ("Pacific/Chatham", "2024-04-06T14:00Z"),  # at 03:45 local
)


@pytest.mark.contract("K34", "K35")
@pytest.mark.parametrize(("key", "change"), ODD_CHANGES)
def test_odd_clock_changes_agree_with_the_oracle(key: str, change: str) -> None:
    moment = datetime.fromisoformat(change)
    zone = load_zone(key)
    second = timedelta(seconds=1)
    assert moment.astimezone(zone).utcoffset() != (moment - second).astimezone(zone).utcoffset()
    for expression in sweep.EXPRESSIONS:
        assert list(sweep.differences(key, moment, expression)) == []


@pytest.mark.contract("K34", "K35")
def test_a_sample_of_all_clock_changes_agrees_with_the_oracle() -> None:
    chance = random.Random(20261130)
    found: list[str] = []
    windows = 0
    for key in chance.sample(sweep.distinct_zones(), 80):
        year = chance.randrange(1990, 2034)
        changes = sweep.changes_of(key, year, year + 4)
        for change in chance.sample(changes, min(len(changes), 4)):
            for expression in chance.sample(sweep.EXPRESSIONS, 5):
                windows += 1
                found += sweep.differences(key, change, expression)
    assert found == []
    assert windows > 300


def test_the_two_evaluators_of_the_oracle_agree() -> None:
    for key, change in ODD_CHANGES[:6]:
        moment = datetime.fromisoformat(change)
        start, end = moment - timedelta(hours=8, seconds=17), moment + timedelta(hours=8)
        for expression in ("* * * * *", "30 2 * * *", "0 0 13 * 5"):
            wall = oracle.occurrences_between(expression, key, start, end)
            assert wall == oracle.occurrences_between(expression, key, start, end, method="walk")


def test_no_zone_changes_its_offset_twice_within_two_days() -> None:
    """The engine takes a local day whose ends have one offset for an even day."""
    for key in sweep.distinct_zones()[::7]:
        changes = sweep.changes_of(key, 2020, 2030)
        gaps = [later - earlier for earlier, later in itertools.pairwise(changes)]
        assert min(gaps, default=timedelta(days=9)) > timedelta(days=2), key

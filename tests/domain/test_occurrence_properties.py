"""What holds of every recurrence, in every zone, from every point, tried by searching for exceptions."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kavor.domain.cron import FIELDS, Field
from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant
from kavor.domain.recurrence import (
    Cron,
    Every,
    Once,
    Recurrence,
    count_between,
    instants,
    latest_between,
    next_due,
    occurrences,
    parse_recurrence,
    recurrence_to_json,
)
from kavor.domain.words import describe
from kavor.domain.zones import load_zone

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
LONGEST_SHIFT = 25 * HOUR
"""No clock change since 1970 moves a local time further than this."""

ZONES = (
    *("UTC", "America/New_York", "Europe/Dublin", "Australia/Lord_Howe", "America/Sao_Paulo"),
    *("Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll", "Pacific/Chatham", "Asia/Gaza"),
)
# Where clocks change in those zones, so that the search is not all ordinary days.
CHANGES = (1805007600000, 1825567200000, 1570289400000, 1541300400000, 1325239200000, 1711846800000)


def items(field: Field) -> st.SearchStrategy[str]:
    value = st.integers(field.low, field.high)
    steps = st.sampled_from(["", "/2", "/5", "/7"])
    spans = st.tuples(value, value).map(lambda pair: f"{min(pair)}-{max(pair)}")
    stepped = st.tuples(st.one_of(st.just("*"), spans), steps).map("".join)
    return st.one_of(st.just("*"), value.map(str), stepped)


crons = (
    st.tuples(*(st.lists(items(field), min_size=1, max_size=2).map(",".join) for field in FIELDS))
    .map(lambda fields: Cron(" ".join(fields)))
    .filter(lambda cron: not cron.grid.never)
)
locals_ = st.datetimes(datetime(1990, 1, 1), datetime(2037, 1, 1)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)
intervals = st.one_of(
    st.integers(1, 30).map("{}d".format),
    st.integers(1, 8).map("{}w".format),
    st.integers(1, 100).map("{}h".format),
    st.integers(1, 5_000).map("{}m".format),
)
everies = st.builds(Every, intervals, locals_)
recurrences: st.SearchStrategy[Recurrence] = st.one_of(crons, everies, st.builds(Once, locals_))
zones = st.sampled_from(ZONES).map(load_zone)
points = st.one_of(
    st.integers(631152000000, 2114380800000),
    st.builds(lambda change, off: change + off, st.sampled_from(CHANGES), st.integers(-2 * DAY, 2 * DAY)),
    st.builds(lambda change, off: change + off * MINUTE, st.sampled_from(CHANGES), st.integers(-120, 120)),
).map(Instant)


@given(recurrences, zones, points)
def test_instants_are_later_than_asked_in_order_and_never_twice(recurrence, zone, after) -> None:
    found = list(islice(instants(recurrence, zone, after), 40))
    assert all(earlier < later for earlier, later in pairwise([after, *found]))


@given(recurrences, zones, points, st.integers(0, 20))
def test_any_two_ways_of_asking_agree(recurrence, zone, after, steps) -> None:
    """Listing from one point, asking step by step, and asking anew from anywhere between."""
    found = list(islice(instants(recurrence, zone, after), steps + 1))
    at: Instant | None = after
    for expected in found:
        assert at is not None
        at = next_due(recurrence, zone, at)
        assert at == expected
    if len(found) > 1:
        earlier, later = found[-2:]
        for between in (earlier, (earlier + later) // 2, later - 1):
            assert next_due(recurrence, zone, Instant(between)) == later


@given(recurrences, zones, points)
def test_the_preview_is_what_fires(recurrence, zone, after) -> None:
    preview = [row.at for row in islice(occurrences(recurrence, zone, after), 10)]
    fired, at = [], next_due(recurrence, zone, after)
    while at is not None and len(fired) < 10:
        fired.append(at)
        at = next_due(recurrence, zone, at)
    assert preview == fired


@given(recurrences, zones, points, st.integers(0, 30), st.integers(-1, 1))
def test_counting_is_listing(recurrence, zone, after, steps, off) -> None:
    found = list(islice(instants(recurrence, zone, after), steps + 2))
    until = Instant(found[min(steps, len(found) - 1)] + off) if found else Instant(after + DAY)
    within = [at for at in found if at <= until]
    assert count_between(recurrence, zone, after, until) == len(within)
    assert latest_between(recurrence, zone, after, until) == (within[-1] if within else None)


@pytest.mark.contract("X16")
@given(everies, zones, points)
def test_an_interval_comes_within_one_period(every, zone, after) -> None:
    first = next_due(every, zone, Instant(0))
    assert first is not None
    period = every.period // timedelta(milliseconds=1)
    following = next_due(every, zone, after)
    assert following is not None
    if after < first:
        assert following == first
    elif every.keeps_wall_clock:
        assert following - after <= period + LONGEST_SHIFT
    else:
        assert following - after <= period
        assert (following - first) % period == 0


@given(
    st.sampled_from(
        [("{} * * * *", HOUR), ("{} 9 * * *", DAY), ("{} 2 * * thu", 7 * DAY), ("{} 0 31 * *", 62 * DAY)]
    ),
    st.integers(0, 59),
    zones,
    points,
)
def test_a_preset_comes_within_one_period(preset, minute, zone, after) -> None:
    expression, period = preset
    following = next_due(Cron(expression.format(minute)), zone, after)
    assert following is not None
    assert following - after <= period + LONGEST_SHIFT


@pytest.mark.contract("K34", "K35", "X1")
@given(crons, zones, points)
def test_every_occurrence_is_on_the_grid_or_says_why_not(cron, zone, after) -> None:
    for row in islice(occurrences(cron, zone, after), 5):
        on_grid = (row.local.hour * 60 + row.local.minute) * MINUTE in cron.grid.times and next(
            cron.grid.days_from(row.local.toordinal())
        ) == row.local.toordinal()
        moved = "moved from" in (row.note or "")
        assert on_grid is not moved
        assert row.local.fold == 0


@given(recurrences)
def test_what_is_written_reads_back(recurrence) -> None:
    assert parse_recurrence(recurrence_to_json(recurrence)) == recurrence
    assert describe(recurrence)


@settings(max_examples=200)
@given(st.text(alphabet="0123456789*/-,@ LW#?abcdefimnoruyt\t\n", max_size=24))
def test_any_text_is_read_or_refused(text) -> None:
    """Nothing but BadInput comes out of what a person may type."""
    with contextlib.suppress(BadInput):
        next_due(Cron(text), load_zone("UTC"), Instant(0))

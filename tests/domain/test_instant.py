"""Instants: whole milliseconds, written as RFC 3339 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, format_instant, from_datetime, parse_instant, to_datetime

instants = st.integers(-62_135_596_800_000, 253_402_300_799_999).map(Instant)
"""The years 1 to 9999."""


@given(instants)
def test_what_is_written_is_read_back(at: Instant) -> None:
    assert from_datetime(to_datetime(at)) == at
    if to_datetime(at).year >= 1000:
        assert parse_instant(format_instant(at)) == at


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (1_793_865_600_000, "2026-11-05T08:00:00Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ],
)
def test_milliseconds_are_written_only_where_they_are_not_zero(at: int, text: str) -> None:
    assert format_instant(Instant(at)) == text
    assert parse_instant(text) == at


def test_any_offset_is_read() -> None:
    assert parse_instant("2026-11-05T09:00:00+01:00") == parse_instant("2026-11-05T08:00:00Z")


def test_below_a_millisecond_an_instant_is_cut_never_rounded_up() -> None:
    late = datetime(2026, 11, 5, 8, 0, 0, 999_999, tzinfo=UTC)
    assert format_instant(from_datetime(late)) == "2026-11-05T08:00:00.999Z"


def test_the_zone_of_a_datetime_does_not_matter_but_it_must_have_one() -> None:
    aware = datetime(2026, 11, 5, 9, tzinfo=timezone(timedelta(hours=1)))
    assert from_datetime(aware) == parse_instant("2026-11-05T08:00:00Z")
    with pytest.raises(ValueError, match="aware"):
        from_datetime(datetime(2026, 11, 5, 9))


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "2026-11-05", "2026-11-05T08:00:00", "2026-13-05T08:00:00Z"]
)
def test_what_is_no_instant_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_instant(text)
    assert "2026-11-05T08:00:00Z" in refusal.value.hint

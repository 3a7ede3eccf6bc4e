"""Times and durations as people write and read them."""

from __future__ import annotations

import pytest

from kavor.cli.times import (
    parse_duration,
    parse_limit,
    parse_moment,
    show_duration,
    show_elapsed,
    show_local,
)
from kavor.domain.errors import BadInput
from kavor.domain.instant import format_instant, parse_instant
from kavor.domain.zones import load_zone

BERLIN = load_zone("Europe/Berlin")
NOW = parse_instant("2026-12-01T12:00:00Z")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("5m", 300),
        ("2h", 7200),
        ("1h30m", 5400),
        ("3d", 259_200),
        ("2w", 1_209_600),
        (" 1H ", 3600),
    ],
)
def test_durations(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "60", "h", "1.5h", "-1h", "1 h", "1y", "1h30"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(BadInput, match="is not a duration"):
        parse_duration(text)


def test_a_limit_may_be_none() -> None:
    assert parse_limit("None") == 0
    assert parse_limit("2h") == 7200


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-05T08:00:00Z", "2026-11-05T08:00:00Z"),
        ("2026-11-05T08:00:00-05:00", "2026-11-05T13:00:00Z"),
        ("2026-11-05T08:00", "2026-11-05T07:00:00Z"),
        ("2026-07-05 08:00", "2026-07-05T06:00:00Z"),
        ("2026-11-05", "2026-11-04T23:00:00Z"),
        ("2027-03-28T02:30", "2027-03-28T01:00:00Z"),
        ("2h", "2026-12-01T10:00:00Z"),
        ("1d12h", "2026-11-30T00:00:00Z"),
    ],
)
def test_moments(text: str, instant: str) -> None:
    assert format_instant(parse_moment(text, BERLIN, NOW)) == instant


@pytest.mark.parametrize("text", ["", "noon", "2026-13-01", "24:00"])
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(BadInput, match="is not a time"):
        parse_moment(text, BERLIN, NOW)


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (None, ""),
        (0, "0.00 s"),
        (41, "0.04 s"),
        (12_340, "12.3 s"),
        (59_960, "60.0 s"),
        (245_000, "4 min 5 s"),
        (7_800_000, "2 h 10 min"),
        (200_000_000, "2 d 7 h"),
    ],
)
def test_elapsed_times(milliseconds: int | None, shown: str) -> None:
    assert show_elapsed(milliseconds) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(None, "none"), (60, "1m"), (90, "90s"), (5400, "90m"), (7200, "2h"), (1.5, "1.5s")],
)
def test_set_durations(seconds: float | None, shown: str) -> None:
    assert show_duration(seconds) == shown


def test_local_times() -> None:
    assert show_local("2026-12-01T08:00:00Z", BERLIN) == "Tue 2026-12-01 09:00"
    assert show_local("2026-12-01T08:00:07.5Z", BERLIN) == "Tue 2026-12-01 09:00:07"
    assert show_local(None, BERLIN) == ""

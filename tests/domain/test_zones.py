"""Wall time and instants: what a local time means, and whose rules say so."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, format_instant, parse_instant
from kavor.domain.zones import (
    Bend,
    format_local,
    from_wall_ms,
    known_zones,
    load_zone,
    offset_at,
    offset_of,
    resolve,
    to_local,
    tzdata_version,
    wall_ms,
)


def resolved(local: str, key: str) -> tuple[str, Bend]:
    at, bend = resolve(datetime.fromisoformat(local), load_zone(key))
    return format_instant(at), bend


def test_an_ordinary_local_time() -> None:
    assert resolved("2027-07-01T09:00", "Europe/Berlin") == ("2027-07-01T07:00:00Z", Bend.NONE)


@pytest.mark.contract("K35")
@pytest.mark.parametrize(
    ("local", "key", "instant"),
    [
        ("2027-03-14T02:00", "America/New_York", "2027-03-14T07:00:00Z"),
        ("2027-03-14T02:30", "America/New_York", "2027-03-14T07:00:00Z"),
        ("2027-03-14T02:59", "America/New_York", "2027-03-14T07:00:00Z"),
        ("2019-10-06T02:15", "Australia/Lord_Howe", "2019-10-05T15:30:00Z"),
        ("2018-11-04T00:00", "America/Sao_Paulo", "2018-11-04T03:00:00Z"),
        ("2011-12-30T09:00", "Pacific/Apia", "2011-12-30T10:00:00Z"),
        ("1972-01-07T00:10", "Africa/Monrovia", "1972-01-07T00:44:30Z"),
    ],
)
def test_a_missing_local_time_moves_to_the_first_valid_instant(local: str, key: str, instant: str) -> None:
    assert resolved(local, key) == (instant, Bend.MOVED)


@pytest.mark.contract("K34")
@pytest.mark.parametrize(
    ("local", "key", "instant"),
    [
        ("2027-11-07T01:00", "America/New_York", "2027-11-07T05:00:00Z"),
        ("2027-11-07T01:59", "America/New_York", "2027-11-07T05:59:00Z"),
        ("2020-04-05T01:45", "Australia/Lord_Howe", "2020-04-04T14:45:00Z"),
    ],
)
def test_a_repeated_local_time_is_its_first_instant(local: str, key: str, instant: str) -> None:
    assert resolved(local, key) == (instant, Bend.REPEATED)
    again = datetime.fromisoformat(local).replace(fold=1)
    assert format_instant(resolve(again, load_zone(key)).at) == instant


def test_the_edges_of_gap_and_overlap_are_ordinary() -> None:
    for local in ("2027-03-14T01:59", "2027-03-14T03:00", "2027-11-07T00:59", "2027-11-07T02:00"):
        assert resolved(local, "America/New_York")[1] is Bend.NONE


def test_local_time_and_offsets() -> None:
    zone, at = load_zone("America/New_York"), parse_instant("2027-11-07T06:30:00.250Z")
    assert to_local(at, zone).isoformat() == "2027-11-07T01:30:00.250000-05:00"
    assert format_local(at, zone) == "2027-11-07T01:30:00.250-05:00"
    assert format_local(Instant(at - 250), zone) == "2027-11-07T01:30:00-05:00"
    assert offset_at(at, zone) == -5 * 3_600_000
    assert offset_of(datetime(2027, 11, 7, 1, 30), zone) == -4 * 3_600_000
    assert offset_of(datetime(2027, 11, 7, 1, 30, fold=1), zone) == -5 * 3_600_000
    assert from_wall_ms(wall_ms(datetime(2027, 11, 7, 1, 30))) == datetime(2027, 11, 7, 1, 30)
    assert offset_at(Instant(-1), load_zone("Europe/London")) == 3_600_000


@pytest.mark.parametrize(
    "key", ["", " ", "../etc/passwd", "/etc/passwd", "Europe", "Europe/", "Mars/Olympus", "a\0b", "."]
)
def test_what_is_no_zone_is_refused(key: str) -> None:
    with pytest.raises(BadInput) as refusal:
        load_zone(key)
    assert "is not a known time zone" in refusal.value.message
    assert refusal.value.hint


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("America/NewYork", "America/New_York"),
        ("Asia/Calcuta", "Asia/Calcutta"),
    ],
)
def test_a_refusal_names_what_was_likely_meant(key: str, meant: str) -> None:
    with pytest.raises(BadInput) as refusal:
        load_zone(key)
    assert meant in refusal.value.hint


def test_every_known_zone_loads_under_its_key() -> None:
    for key in known_zones():
        assert load_zone(key).key == key
    assert load_zone("UTC") is load_zone("UTC")


def test_the_rules_come_from_the_tzdata_package_alone() -> None:
    """Even for a zone that the process had already read from the system, and whatever PYTHONTZPATH says."""
    script = (
        "import zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')\n"
        "import kavor.domain.zones\n"
        "assert zoneinfo.TZPATH == (), zoneinfo.TZPATH\n"
        "zone = zoneinfo.ZoneInfo('Europe/Berlin')\n"
        "import datetime\n"
        "print(zone.utcoffset(datetime.datetime(2027, 7, 1)))\n"
    )
    env = {"PYTHONTZPATH": "/usr/share/zoneinfo", "PATH": "/usr/bin:/bin"}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env, check=True)
    assert run.stdout.strip() == "2:00:00"


def test_zones_of_the_standard_library_agree() -> None:
    for key in ("Europe/Berlin", "America/St_Johns", "Asia/Gaza", "Pacific/Chatham"):
        ours, theirs = load_zone(key), ZoneInfo(key)
        for year in range(1975, 2060, 7):
            local = datetime(year, 6, 15, 12)
            assert ours.utcoffset(local) == theirs.utcoffset(local)


def test_the_release_of_the_database_is_known() -> None:
    assert tzdata_version()[:4].isdigit()

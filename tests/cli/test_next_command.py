"""``kavor next``: coming times without a runtime."""

from __future__ import annotations

import pytest
from kavor_command import Kavor


def test_each_occurrence_has_instant_local_time_and_zone(kavor: Kavor) -> None:
    found = kavor.json("next", "0 9 * * mon-fri", "--after", "2026-12-04T12:00", "--count", "2")
    assert found["description"] == "Weekdays at 09:00"
    assert found["occurrences"] == [
        {
            "at": f"2026-12-0{day}T08:00:00Z",
            "local": f"2026-12-0{day}T09:00:00+01:00",
            "zone": "Europe/Berlin",
            "note": None,
        }
        for day in (7, 8)
    ]


@pytest.mark.contract("K35", "X1")
def test_a_time_that_does_not_happen_is_moved_and_says_so(kavor: Kavor) -> None:
    asked = ["next", "daily", "--time", "02:30", "--zone", "America/New_York"]
    found = kavor.json(*asked, "--after", "2027-03-13T12:00:00-05:00", "--count", "1")
    (moved,) = found["occurrences"]
    assert (moved["at"], moved["local"]) == ("2027-03-14T07:00:00Z", "2027-03-14T03:00:00-04:00")
    assert "moved from 02:30" in moved["note"]
    table = kavor(*asked, "--after", "2027-03-13T12:00:00-05:00", "--count", "1").out
    assert "Sun 2027-03-14 03:00" in table
    assert "moved from 02:30" in table


@pytest.mark.parametrize(
    ("words", "expression"),
    [
        (["hourly", "--minute", "20"], "20 * * * *"),
        (["Daily", "--time", "07:15"], "15 7 * * *"),
        (["daily 07:15"], "15 7 * * *"),
        (["weekdays"], "0 9 * * 1-5"),
        (["weekly", "--weekday", "mon,thu", "--time", "18:00"], "0 18 * * mon,thu"),
        (["monthly", "--day", "31"], "0 9 31 * *"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_preset_is_its_expression(kavor: Kavor, words: list[str], expression: str) -> None:
    found = kavor.json("next", *words)
    assert found == kavor.json("next", expression)
    assert len(found["occurrences"]) == 5


def test_what_never_occurs_is_an_empty_answer(kavor: Kavor) -> None:
    assert kavor.json("next", "0 0 31 2 *")["occurrences"] == []
    assert "No such time is still to come." in kavor("next", "0 0 31 2 *").out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["61 * * * *"], "minute '61'"),
        (["fortnightly"], ""),
        (["daily", "--minute", "3"], "a recurrence of 'daily' has no 'minute'"),
        (["0 9 * * *", "--time", "09:00"], "--time belongs to a preset"),
        (["daily", "--zone", "Europe/Berlni"], "'Europe/Berlni' is not a known time zone"),
        (["daily", "--after", "yesterday"], "'yesterday' is not a time"),
    ],
)
def test_bad_input(kavor: Kavor, arguments: list[str], error: str) -> None:
    answer = kavor("next", *arguments)
    assert answer.code == 2
    first, second = answer.err.splitlines()
    assert first.startswith(f"error: {error}")
    assert second.startswith("hint: ")


def test_a_near_zone_is_named(kavor: Kavor) -> None:
    assert "Europe/Berlin" in kavor("next", "daily", "--zone", "Europe/Berlni").err

"""Occurrences: the three kinds, their reasons, and how they are written."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from itertools import islice

import pytest

from kavor.domain.errors import BadInput
from kavor.domain.instant import format_instant, parse_instant
from kavor.domain.recurrence import (
    Cron,
    Every,
    Once,
    count_between,
    instants,
    latest_between,
    next_due,
    next_occurrence,
    occurrence_json,
    occurrences,
    parse_local,
    parse_recurrence,
    parse_recurrence_text,
    preset_fields,
    recurrence_to_json,
    same_grid,
)
from kavor.domain.words import describe
from kavor.domain.zones import load_zone

NEW_YORK = load_zone("America/New_York")


def rows(
    data: dict[str, object], after: str, count: int, zone: str = "America/New_York"
) -> list[tuple[str, str | None]]:
    """Local time and note of the next occurrences."""
    found = occurrences(parse_recurrence(data), load_zone(zone), parse_instant(after))
    return [(row.local.isoformat(timespec="minutes"), row.note) for row in islice(found, count)]


# Clock changes and short months


@pytest.mark.contract("K35", "X1")
def test_a_skipped_time_moves_and_says_so() -> None:
    assert rows({"preset": "daily", "time": "02:30"}, "2027-03-13T12:00:00Z", 2) == [
        ("2027-03-14T03:00-04:00", "moved from 02:30, clocks go forward"),
        ("2027-03-15T02:30-04:00", None),
    ]


@pytest.mark.contract("K35", "X1")
def test_several_times_that_land_on_one_instant_are_one_occurrence() -> None:
    assert rows({"cron": "0,20,40 2,3 * * *"}, "2027-03-14T05:00:00Z", 2) == [
        ("2027-03-14T03:00-04:00", "also stands for 02:00, 02:20 and 02:40, clocks go forward"),
        ("2027-03-14T03:20-04:00", None),
    ]
    ((local, note),) = rows({"cron": "*/5 2 * * *"}, "2027-03-14T05:00:00Z", 1)
    assert (local, note) == (
        "2027-03-14T03:00-04:00",
        "moved from 02:00 to 02:55 (12 times), clocks go forward",
    )


@pytest.mark.contract("K34", "X1")
def test_a_repeated_time_fires_once_and_says_which_hour_is_left_out() -> None:
    assert rows({"preset": "daily", "time": "01:30"}, "2027-11-06T12:00:00Z", 2) == [
        ("2027-11-07T01:30-04:00", "second 01:30 not used, clocks go back (nothing at 06:30Z)"),
        ("2027-11-08T01:30-05:00", None),
    ]
    assert rows({"preset": "hourly", "minute": 0}, "2027-11-07T04:30:00Z", 2) == [
        ("2027-11-07T01:00-04:00", "second 01:00 not used, clocks go back (nothing at 06:00Z)"),
        ("2027-11-07T02:00-05:00", None),
    ]


@pytest.mark.contract("K36", "X1")
def test_months_without_the_day_are_skipped_and_named() -> None:
    assert rows({"preset": "monthly", "day": 31, "time": "09:00"}, "2027-01-01T00:00:00Z", 4) == [
        ("2027-01-31T09:00-05:00", None),
        ("2027-03-31T09:00-04:00", "no 31st in February"),
        ("2027-05-31T09:00-04:00", "no 31st in April"),
        ("2027-07-31T09:00-04:00", "no 31st in June"),
    ]


@pytest.mark.contract("X1")
@pytest.mark.parametrize(
    ("expression", "after", "notes"),
    [
        ("0 9 30,31 * *", "2027-01-31T12:00:00Z", ["no 30th or 31st in February", None, None]),
        ("0 9 15,31 * *", "2027-02-01T00:00:00Z", [None, "no 31st in February", None]),
        ("0 9,17 31 * *", "2027-02-01T00:00:00Z", ["no 31st in February", None, "no 31st in April"]),
        ("0 0 29 2 *", "2025-01-01T00:00:00Z", ["no 29th in February of 2025, 2026 and 2027"]),
        ("0 0 31 2,4,5 *", "2026-06-01T00:00:00Z", ["no 31st in February and April"]),
        ("0 0 30,31 2,4 *", "2027-01-01T00:00:00Z", ["no 31st in April; no 30th or 31st in February"]),
        ("0 0 31 * 1", "2027-02-20T00:00:00Z", [None, None]),
        ("0 0 * * *", "2027-02-27T00:00:00Z", [None, None, None]),
        ("0 0 28 * *", "2027-02-27T00:00:00Z", [None, None]),
    ],
)
def test_short_months(expression: str, after: str, notes: list[str | None]) -> None:
    assert [note for _, note in rows({"cron": expression}, after, len(notes), "UTC")] == notes


@pytest.mark.contract("X1")
def test_a_whole_missing_day_is_told_with_its_date() -> None:
    assert rows({"cron": "0 9 30 * *"}, "2011-12-01T00:00:00Z", 1, "Pacific/Apia") == [
        ("2011-12-31T00:00+14:00", "moved from 2011-12-30 09:00, clocks go forward")
    ]


@pytest.mark.contract("X1")
def test_a_note_does_not_depend_on_where_one_asked_from() -> None:
    recurrence = Cron("0 9 31 * *")
    for after in ("2027-02-01T00:00:00Z", "2027-03-31T12:59:59.999Z"):
        found = next_occurrence(recurrence, NEW_YORK, parse_instant(after))
        assert found is not None
        assert found.note == "no 31st in February"


def test_the_wire_form_of_an_occurrence() -> None:
    found = next_occurrence(Cron("30 2 * * *"), NEW_YORK, parse_instant("2027-03-14T05:00:00Z"))
    assert found is not None
    assert occurrence_json(found) == {
        "at": "2027-03-14T07:00:00Z",
        "local": "2027-03-14T03:00:00-04:00",
        "zone": "America/New_York",
        "note": "moved from 02:30, clocks go forward",
    }
    seen_from_berlin = occurrence_json(found, load_zone("Europe/Berlin"))
    assert seen_from_berlin["local"] == "2027-03-14T08:00:00+01:00"
    assert seen_from_berlin["zone"] == "Europe/Berlin"


# Once


@pytest.mark.contract("K24")
def test_once_comes_once() -> None:
    once = parse_recurrence({"preset": "Once", "local": "2026-08-01T02:17"})
    due = parse_instant("2026-08-01T06:17:00Z")
    assert list(instants(once, NEW_YORK, parse_instant("2026-01-01T00:00:00Z"))) == [due]
    assert next_due(once, NEW_YORK, due) is None
    assert count_between(once, NEW_YORK, parse_instant("2026-01-01T00:00:00Z"), due) == 1


@pytest.mark.contract("K34", "K35")
def test_once_bends_by_the_same_rule() -> None:
    assert rows({"once": "2027-03-14T02:30"}, "2027-01-01T00:00:00Z", 2) == [
        ("2027-03-14T03:00-04:00", "moved from 02:30, clocks go forward")
    ]
    assert rows({"once": "2027-11-07T01:30"}, "2027-01-01T00:00:00Z", 2) == [
        ("2027-11-07T01:30-04:00", "second 01:30 not used, clocks go back (nothing at 06:30Z)")
    ]


@pytest.mark.contract("K+10")
def test_a_local_time_keeps_the_minute_and_has_no_seconds() -> None:
    for text in ("2026-08-01T02:17", "2026-08-01 02:17", " 2026-08-01T02:17:00 "):
        assert parse_local(text) == datetime(2026, 8, 1, 2, 17)
    for text in ("2026-08-01T02:17:30", "2026-08-01T02:17:00.5"):
        with pytest.raises(BadInput, match="has seconds"):
            parse_local(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026-08-01", "02:17", "tomorrow", "2026-02-30T09:00", "2026-08-01T02:17Z"),
        *("2026-08-01T02:17+02:00", "9999-08-01T02:17", "0001-01-01T00:00"),
    ],
)
def test_what_is_no_local_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_local(text)
    assert refusal.value.hint


# Every


@pytest.mark.contract("X16")
def test_weeks_and_days_keep_the_wall_clock() -> None:
    assert rows({"every": "2w", "anchor": "2027-02-28T02:30"}, "2027-02-01T00:00:00Z", 4) == [
        ("2027-02-28T02:30-05:00", None),
        ("2027-03-14T03:00-04:00", "moved from 02:30, clocks go forward"),
        ("2027-03-28T02:30-04:00", None),
        ("2027-04-11T02:30-04:00", None),
    ]
    assert [
        local for local, _ in rows({"every": "3d", "at": "2026-10-30T09:00"}, "2026-10-31T00:00:00Z", 2)
    ] == [
        "2026-11-02T09:00-05:00",
        "2026-11-05T09:00-05:00",
    ]


@pytest.mark.contract("X16")
def test_hours_and_minutes_are_elapsed_time() -> None:
    assert rows({"every": "36h", "anchor": "2027-03-12T09:00"}, "2027-03-13T00:00:00Z", 3) == [
        ("2027-03-13T21:00-05:00", None),
        ("2027-03-15T10:00-04:00", "clocks went forward; hours and minutes are elapsed time"),
        ("2027-03-16T22:00-04:00", None),
    ]
    nights = rows({"every": "30m", "anchor": "2027-11-07T00:30"}, "2027-11-07T05:00:00Z", 4)
    assert [local for local, _ in nights] == [
        "2027-11-07T01:30-04:00",
        "2027-11-07T01:00-05:00",
        "2027-11-07T01:30-05:00",
        "2027-11-07T02:00-05:00",
    ]
    assert nights[1][1] == "clocks went back; hours and minutes are elapsed time"


@pytest.mark.contract("X16")
def test_an_interval_begins_at_its_anchor_and_jumps_to_any_time() -> None:
    for every in ("90m", "1d"):
        recurrence = Every(every, datetime(2026, 10, 5, 9, 0))
        first = parse_instant("2026-10-05T13:00:00Z")
        assert next_due(recurrence, NEW_YORK, parse_instant("1999-01-01T00:00:00Z")) == first
    minutes = Every("1m", datetime(1990, 1, 1))
    assert next_due(minutes, NEW_YORK, parse_instant("2190-01-01T00:00:30Z")) == parse_instant(
        "2190-01-01T00:01:00Z"
    )


@pytest.mark.contract("K27", "X16")
@pytest.mark.parametrize("every", ["1m", "60s", "90s", "2W", " 36h ", "36500d"])
def test_an_interval_is_at_least_a_minute(every: str) -> None:
    Every(every, datetime(2026, 10, 5, 9, 0))


@pytest.mark.contract("K27", "X16")
@pytest.mark.parametrize(
    "every", ["59s", "0m", "0d", "-1d", "2", "w", "", "1.5h", "2 w", "2y", "1d12h", "99999w", "٢d"]
)
def test_what_is_no_interval_is_refused(every: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Every(every, datetime(2026, 10, 5, 9, 0))
    assert refusal.value.hint


@pytest.mark.contract("K28")
def test_every_two_weeks_is_never_turned_into_cron() -> None:
    stored = recurrence_to_json(
        parse_recurrence({"preset": "Every", "every": "2w", "anchor": "2026-10-05T09:00"})
    )
    assert stored == {"kind": "every", "every": "2w", "anchor": "2026-10-05T09:00"}


# Counting


def test_counting_and_the_latest_in_a_span() -> None:
    daily, zone = Cron("0 9 * * *"), load_zone("Europe/Berlin")
    start, end = parse_instant("2026-11-02T20:00:00Z"), parse_instant("2026-11-05T10:12:00Z")
    assert count_between(daily, zone, start, end) == 3
    assert latest_between(daily, zone, start, end) == parse_instant("2026-11-05T08:00:00Z")
    on_the_dot = parse_instant("2026-11-05T08:00:00Z")
    assert count_between(daily, zone, on_the_dot, on_the_dot) == 0
    assert count_between(daily, zone, start, on_the_dot) == 3
    assert latest_between(daily, zone, on_the_dot, end) is None
    assert count_between(daily, zone, end, start) == 0
    minutes = Every("1m", datetime(1990, 1, 1))
    assert count_between(minutes, zone, start, end) == 3 * 1440 - 588
    assert count_between(minutes, zone, start, parse_instant("9000-01-01T00:00:00Z")) > 3_000_000_000
    assert latest_between(minutes, zone, start, end) == end


# Written forms


@pytest.mark.contract("K24", "K26")
@pytest.mark.parametrize(
    ("data", "expression", "preset"),
    [
        ({"preset": "Hourly", "minute": 20}, "20 * * * *", "hourly"),
        ({"preset": "DAILY", "time": "09:05"}, "5 9 * * *", "daily"),
        ({"preset": "weekdays", "time": "9:00"}, "0 9 * * 1-5", "weekdays"),
        ({"preset": "weekly", "weekday": "mon", "time": "09:00"}, "0 9 * * mon", "weekly"),
        ({"preset": "weekly", "weekday": "Sunday, thu", "time": "09:00"}, "0 9 * * thu,sun", "weekly"),
        ({"preset": "weekly", "weekday": ["fri", 1], "time": "09:00"}, "0 9 * * mon,fri", "weekly"),
        ({"preset": "monthly", "day": 31, "time": "09:00"}, "0 9 31 * *", "monthly"),
        ({"preset": "custom", "cron": "*/15 * * * *"}, "*/15 * * * *", "custom"),
        ({"preset": "Custom", "cron": "0 9 * * *"}, "0 9 * * *", "daily"),
        ({"cron": " @hourly "}, "@hourly", "hourly"),
        ({"kind": "cron", "expression": "0 9 * * 1-5", "preset": "weekdays"}, "0 9 * * 1-5", "weekdays"),
        ({"kind": "cron", "cron": "0 9 * * tue"}, "0 9 * * tue", "weekly"),
    ],
)
def test_presets_and_cron_are_one_expression(data: dict[str, object], expression: str, preset: str) -> None:
    recurrence = parse_recurrence(data)
    stored = recurrence_to_json(recurrence)
    assert stored == {"kind": "cron", "expression": expression, "preset": preset}
    assert parse_recurrence(stored) == recurrence


@pytest.mark.contract("K26")
@pytest.mark.parametrize(
    ("expression", "fields"),
    [
        ("20 * * * *", {"preset": "hourly", "minute": 20}),
        ("@daily", {"preset": "daily", "time": "00:00"}),
        ("0 9 1-31 * 1", {"preset": "daily", "time": "09:00"}),
        ("0 9 * * MON-FRI", {"preset": "weekdays", "time": "09:00"}),
        ("0 9 * * 7,1", {"preset": "weekly", "weekday": "mon,sun", "time": "09:00"}),
        ("5 17 31 * *", {"preset": "monthly", "day": 31, "time": "17:05"}),
        ("0 9 * 1-11 *", {"preset": "custom", "cron": "0 9 * 1-11 *"}),
        ("0 9 13 * 5", {"preset": "custom", "cron": "0 9 13 * 5"}),
        ("0 9 1,15 * *", {"preset": "custom", "cron": "0 9 1,15 * *"}),
        ("0 9,17 * * *", {"preset": "custom", "cron": "0 9,17 * * *"}),
        ("0,30 * * * *", {"preset": "custom", "cron": "0,30 * * * *"}),
        ("0 9 */2 * *", {"preset": "custom", "cron": "0 9 */2 * *"}),
    ],
)
def test_a_preset_is_a_view_that_leads_back(expression: str, fields: dict[str, object]) -> None:
    cron = Cron(expression)
    assert preset_fields(cron) == fields
    assert same_grid(parse_recurrence(fields), cron)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "does not say when"),
        ({"kind": "sometimes"}, "'sometimes' is not a kind"),
        ({"preset": "yearly"}, "'yearly' is not a preset"),
        ({"preset": "daily", "tme": "09:00"}, "has no 'tme'"),
        ({"preset": "daily", "time": "24:00"}, "'24:00' is not a time of day"),
        ({"preset": "daily", "time": "9"}, "'9' is not a time of day"),
        ({"preset": "daily", "time": "09:0"}, "'09:0' is not a time of day"),
        ({"preset": "hourly", "minute": 60}, "minute 60 is not"),
        ({"preset": "hourly", "minute": True}, "minute True is not"),
        ({"preset": "weekly", "weekday": "mo"}, "'mo' is not a day of the week"),
        ({"preset": "weekly", "weekday": []}, "[] is not a day of the week"),
        ({"preset": "monthly", "day": 32}, "day 32 is not"),
        ({"preset": "custom"}, "lacks 'expression'"),
        ({"cron": 5}, "cron must be text"),
        ({"every": "2w"}, "lacks 'anchor'"),
        ({"kind": "once"}, "lacks 'local'"),
        ({"cron": "0 0 30 2 *"}, "never occurs"),
    ],
)
def test_what_cannot_be_meant_is_refused(data: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_recurrence(data)
    assert told in refusal.value.message
    assert refusal.value.hint


def test_what_can_never_occur_previews_as_empty() -> None:
    never = parse_recurrence({"cron": "0 0 30 2 *"}, may_be_empty=True)
    assert list(occurrences(never, NEW_YORK, parse_instant("2026-01-01T00:00:00Z"))) == []
    assert describe(never) == "Never"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("0 9 * * 1-5", "0 9 * * 1-5"),
        ("daily", "0 9 * * *"),
        ("Daily 17:30", "30 17 * * *"),
        ("hourly 20", "20 * * * *"),
        ("weekly thu 08:00", "0 8 * * thu"),
        ("monthly 31", "0 9 31 * *"),
        ("0 0 30 2 *", "0 0 30 2 *"),
    ],
)
def test_one_line_of_text(text: str, expression: str) -> None:
    assert parse_recurrence_text(text) == Cron(expression)


@pytest.mark.parametrize("text", ["", "sometimes", "daily noon", "hourly 61", "weekdays mon 09:00"])
def test_a_line_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_recurrence_text(text)


def test_values_are_equal_when_written_alike() -> None:
    assert Cron("0 9 * * *") == Cron(" 0 9 * * * ")
    assert Cron("0 9 * * *") != Cron("0 09 * * *")
    assert same_grid(Cron("0 9 * * *"), Cron("0 09 * * *"))
    anchor = datetime(2026, 10, 5, 9, 0)
    assert same_grid(Every("2w", anchor), Every("14d", anchor))
    assert not same_grid(Every("1d", anchor), Every("24h", anchor))
    assert not same_grid(Once(anchor), Every("1d", anchor))
    assert len({Once(anchor), Once(anchor), Every("1d", anchor), Every("1D", anchor)}) == 2
    assert repr(Cron("@daily")) == "Cron('@daily')"


# Plain words


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("20 * * * *", "Every hour at 20 minutes past"),
        ("0 * * * *", "Every hour, on the hour"),
        ("0 9 * * *", "Every day at 09:00"),
        ("0 9 * * 1-5", "Weekdays at 09:00"),
        ("0 9 * * mon,thu", "Every Monday and Thursday at 09:00"),
        ("0 9 31 * *", "The 31st of each month at 09:00; months without a 31st are skipped"),
        ("0 9 22 * *", "The 22nd of each month at 09:00"),
        ("* * * * *", "Every minute"),
        ("*/5 * * * *", "Every 5 minutes"),
        ("*/7 * * * *", "Every hour at 0, 7, 14, 21, 28, 35, 42, 49 and 56 minutes past"),
        ("5/15 * * * *", "Every hour at 5, 20, 35 and 50 minutes past"),
        ("*/15 9-16 * * 1-5", "Every 15 minutes from 09:00 to 16:45, on weekdays"),
        ("* 9-16 * * *", "Every minute from 09:00 to 16:59"),
        ("0 9-17 * * mon", "Every hour from 09:00 to 17:00, every Monday"),
        ("0 */2 * * *", "Every 2 hours from 00:00 to 22:00"),
        ("30 8,12,17 * * *", "Every day at 08:30, 12:30 and 17:30"),
        ("* 22-23,0-5 * * *", "Every minute of the hours 00 to 05, 22 and 23"),
        ("7,37 0-4 * * 1-5", "Weekdays at minute 7 and 37 of the hours 00 to 04"),
        ("0 0 29 2 *", "The 29th of February at 00:00"),
        ("0 12 * jun-aug *", "Every day at 12:00, in June to August"),
        ("0 0 1 */3 *", "The 1st of each month at 00:00, in January, April, July and October"),
        ("0 9 13 * 5", "The 13th of each month, and every Friday, at 09:00"),
        ("0 0 */2 * 1", "Every 2nd day from the 1st to the 31st of each month, if a Monday, at 00:00"),
        ("30 * 1 * *", "Every hour at 30 minutes past, on the 1st of each month"),
    ],
)
def test_cron_in_words(expression: str, words: str) -> None:
    assert describe(Cron(expression)) == words


def test_once_and_every_in_words() -> None:
    monday = datetime(2026, 10, 5, 9, 0)
    assert describe(Once(monday)) == "Once, on Monday 5 October 2026 at 09:00"
    assert describe(Every("2w", monday)) == "Every 2 weeks from Monday 5 October 2026 at 09:00"
    assert describe(Every("1h", monday)) == "Every hour from Monday 5 October 2026 at 09:00, in elapsed time"
    assert describe(Cron("0 9 * * *"), NEW_YORK) == "Every day at 09:00 (America/New_York)"


def test_instants_are_whole_minutes() -> None:
    for at in islice(instants(Cron("*/7 * * * *"), NEW_YORK, parse_instant("2027-01-01T00:00:00Z")), 50):
        assert format_instant(at).endswith(":00Z")


def test_a_command_pays_little_for_the_import() -> None:
    """Each of these would cost more than the whole engine; the words and reasons load when asked for."""
    heavy = ["inspect", "dataclasses", "pathlib", "importlib.resources", "croniter", "kavor.domain.words"]
    script = (
        "import sys; before = set(sys.modules)\n"
        "from kavor.domain import recurrence, zones\n"
        "recurrence.next_due(recurrence.Cron('0 9 * * *'), zones.load_zone('Europe/Berlin'), 0)\n"
        f"print([name for name in {heavy} if name in set(sys.modules) - before])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"

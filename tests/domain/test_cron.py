"""The five-field grammar: what is meant, and what is refused with its field named."""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest
from croniter import croniter

from kavor.domain.cron import DAY_OF_WEEK, FIELDS, Field, Grid, month_length, parse_cron
from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, from_datetime
from kavor.domain.recurrence import Cron, instants
from kavor.domain.zones import load_zone

sys.path.append(str(Path(__file__).parents[1] / "oracle"))
import oracle


def fields(expression: str) -> tuple[tuple[int, ...], ...]:
    grid = parse_cron(expression)
    return grid.minutes, grid.hours, grid.days, grid.months, grid.weekdays


ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS = tuple(range(1, 32)), tuple(range(1, 13)), tuple(range(7))


@pytest.mark.contract("K25")
@pytest.mark.parametrize(
    ("expression", "place", "numbers"),
    [
        ("5 * * * *", 0, (5,)),
        ("1-10/3,50 * * * *", 0, (1, 4, 7, 10, 50)),
        ("5/15 * * * *", 0, (5, 20, 35, 50)),
        ("*/90 * * * *", 0, (0,)),
        ("5-5 * * * *", 0, (5,)),
        ("0 */8 * * *", 1, (0, 8, 16)),
        ("0 23/6 * * *", 1, (23,)),
        ("0 0 */2 * *", 2, tuple(range(1, 32, 2))),
        ("0 0 31/5 * *", 2, (31,)),
        ("0 0 * JAN,mar-May *", 3, (1, 3, 4, 5)),
        ("0 0 * 10/1 *", 3, (10, 11, 12)),
        ("0 0 * * Mon-FRI", 4, (1, 2, 3, 4, 5)),
        ("0 0 * * 7", 4, (0,)),
        ("0 0 * * 5-7", 4, (0, 5, 6)),
        ("0 0 * * 0-7", 4, ALL_WEEKDAYS),
        ("0 0 * * 1-7/2", 4, (0, 1, 3, 5)),
        ("0 0 * * 7/2", 4, (0, 2, 4, 6)),
        ("0 0 * * 1/3", 4, (1, 4)),
        ("0 0 * * sun-sun", 4, (0,)),
        (" \t0\t0  * * 2 ", 4, (2,)),
        ("@WEEKLY", 4, (0,)),
        ("@yearly", 3, (1,)),
        ("@hourly", 1, tuple(range(24))),
    ],
)
def test_fields(expression: str, place: int, numbers: tuple[int, ...]) -> None:
    assert fields(expression)[place] == numbers


@pytest.mark.contract("K25")
@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("", "the cron expression is empty"),
        ("* * * *", "4 fields, not five"),
        ("0 * * * * *", "6 fields, not five"),
        ("0 0 * * * * 2027", "7 fields, not five"),
        ("60 * * * *", "minute '60' names 60, outside 0-59"),
        ("* 0-24 * * *", "hour '0-24' names 24, outside 0-23"),
        ("* * 0 * *", "day-of-month '0' names 0"),
        ("* * 32 * *", "day-of-month '32' names 32"),
        ("* * * 13 *", "month '13' names 13"),
        ("* * * * 8", "day-of-week '8' names 8"),
        ("*/0 * * * *", "minute '*/0' has '0' as its step"),
        ("*/x * * * *", "minute '*/x' has 'x' as its step"),
        ("*/1/2 * * * *", "minute '*/1/2' has '1/2' as its step"),
        ("1,,2 * * * *", "minute '1,,2' has an empty place"),
        ("1, * * * *", "minute '1,' has an empty place"),
        ("-1 * * * *", "minute '-1' is not understood"),
        ("+1 * * * *", "minute '+1' is not understood"),
        ("1.5 * * * *", "minute '1.5' is not understood"),
        ("*5 * * * *", "minute '*5' is not understood"),
        ("1--2 * * * *", "minute '1--2' is not understood"),
        ("/5 * * * *", "minute '/5' is not understood"),
        ("00005 * * * *", "minute '00005' is not understood"),
        ("١ * * * *", "minute '١' is not understood"),
        ("0 0 * mon *", "month 'mon' is not understood"),
        ("0 0 * january *", "month 'january' is not understood"),
        ("0 0 * * jan", "day-of-week 'jan' is not understood"),
        ("0 0 L * *", "day-of-month 'L' uses L"),
        ("0 0 L-3 * *", "day-of-month 'L-3' uses L"),
        ("0 0 15W * *", "day-of-month '15W' uses W"),
        ("0 0 * * 5#2", "day-of-week '5#2' uses #"),
        ("0 0 * * friL", "day-of-week 'friL' uses L"),
        ("0 0 ? * 1", "day-of-month '?' uses ?"),
        ("H * * * *", "minute 'H' uses H"),
        ("H/5 * * * *", "minute 'H/5' uses H"),
        ("R * * * *", "minute 'R' uses R"),
        ("@reboot", "@reboot is not a time"),
        ("@every 5m", "'@every 5m' is not a known alias"),
    ],
)
def test_what_crontab_would_refuse_or_misread_is_refused_by_name(expression: str, told: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Cron(expression)
    assert told in refusal.value.message
    assert refusal.value.hint


@pytest.mark.parametrize(
    ("expression", "hint"),
    [
        ("0 22-5 * * *", "write 22-23,0-5"),
        ("0 22-5/2 * * *", "write 22,0,2,4"),
        ("0 23-0 * * *", "write 23,0"),
        ("50-10/20 * * * *", "write 50,10"),
        ("0 0 28-3 * *", "write 28-31,1-3"),
        ("0 0 * nov-feb *", "write 11-12,1-2"),
        ("0 0 * * fri-mon", "write 5-6,0-1"),
        ("0 0 * * sat-sun", "write 6,0"),
    ],
)
def test_a_backward_range_is_refused_with_the_split_written_out(expression: str, hint: str) -> None:
    with pytest.raises(BadInput, match="runs backwards") as refusal:
        Cron(expression)
    assert refusal.value.hint == hint
    place = expression.split().index(next(part for part in expression.split() if "-" in part))
    split = expression.split()
    split[place] = hint.removeprefix("write ")
    Cron(" ".join(split))


def test_hours_from_0_to_24_are_answered_with_what_was_meant() -> None:
    with pytest.raises(BadInput) as refusal:
        Cron("0 0-24 * * *")
    assert "0-23" in refusal.value.hint


@pytest.mark.parametrize(
    ("expression", "days"),
    [
        ("0 0 13 * 5", [6, 13, 20, 27]),  # both restricted: either will do
        ("0 0 13 * *", [13]),
        ("0 0 * * 5", [6, 13, 20, 27]),
        ("0 0 */2 * 1", [9, 23]),  # a star with a step is still a star: both must match
        ("0 0 1-7 * */3", [1, 4, 7]),
        ("0 0 1-31 * 1", list(range(1, 31))),
    ],
)
def test_the_two_day_fields(expression: str, days: list[int]) -> None:
    """September 2024 began on a Sunday."""
    first = datetime(2024, 9, 1).toordinal()
    found = islice(parse_cron(expression).days_from(first), 40)
    assert [day - first + 1 for day in found if day < first + 30] == days


def test_the_calendar() -> None:
    assert [month_length(2027, month) for month in ALL_MONTHS] == [
        *(31, 28, 31, 30, 31, 30),
        *(31, 31, 30, 31, 30, 31),
    ]
    assert [month_length(year, 2) for year in (2000, 2024, 2100, 2400)] == [29, 29, 28, 29]


@pytest.mark.parametrize(
    ("expression", "never"),
    [
        ("0 0 30 2 *", True),
        ("0 0 31 2,4,6,9,11 *", True),
        ("0 0 30-31 feb */2", True),
        ("0 0 29 2 *", False),
        ("0 0 31 2,5 *", False),
        ("0 0 31 2 1", False),  # any Monday in February will do
    ],
)
def test_what_can_never_occur(expression: str, never: bool) -> None:
    grid = parse_cron(expression)
    assert grid.never is never
    first = datetime(1900, 1, 1).toordinal()
    days = (datetime(2300, 1, 1).toordinal() - first) if never else 10_000
    sought = oracle.parse(expression)
    found = any(sought.day_matches(datetime.fromordinal(first + day).date()) for day in range(days))
    assert found is not never
    assert (next(grid.days_from(first), None) is None) is never


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("0 9 * * 1-5", "0 9 * * mon,tue,wed,thu,fri", True),
        ("@daily", "0 0 1-31 * *", True),
        ("0 0 * * 0", "0 0 * * 7", True),
        ("0 0 31 1,2 *", "0 0 31 1 *", True),
        ("0 0 */2 * 1", "0 0 1-31/2 * 1", False),
        ("0 9 * * *", "1 9 * * *", False),
        ("0 0 29 2 *", "0 0 28 2 *", False),
    ],
)
def test_sameness_is_of_meaning(one: str, other: str, same: bool) -> None:
    assert parse_cron(one).same_as(parse_cron(other)) is same


def random_item(chance: random.Random, field: Field) -> str:
    def value() -> str:
        names = [name.upper() for name in field.names] or [str(field.low)]
        return chance.choice([str(chance.randint(field.low, field.high)), chance.choice(names)])

    body = chance.choice(
        ["*", value(), f"{value()}-{value()}", "x", "60"][: 5 if chance.random() < 0.05 else 3]
    )
    return body + (f"/{chance.randint(0, 12)}" if chance.random() < 0.3 else "")


def random_expression(chance: random.Random) -> str:
    return " ".join(
        ",".join(random_item(chance, field) for _ in range(chance.choice([1, 1, 1, 2]))) for field in FIELDS
    )


def test_thousands_of_expressions_mean_what_the_oracle_says() -> None:
    chance = random.Random(8)
    accepted = 0
    for expression in (random_expression(chance) for _ in range(6_000)):
        try:
            wanted = oracle.parse(expression)
        except oracle.CronError:
            with pytest.raises(BadInput):
                parse_cron(expression)
            continue
        accepted += 1
        grid = parse_cron(expression)
        assert [set(numbers) for numbers in fields(expression)] == [set(numbers) for numbers in wanted[:5]]
        assert grid.either is not (wanted.dom_star or wanted.dow_star)
    assert accepted > 800


def croniter_is_known_wrong(expression: str) -> bool:
    """croniter reads ``5-5`` as every minute and ``sun-sun`` as every day, and takes a day field with a
    star anywhere in its list for a bare star.
    """
    *_, day, _, weekday = expression.split()
    if any("," in field and "*" in field for field in (day, weekday)):
        return True
    ranges = [item.partition("/")[0] for field in expression.split() for item in field.split(",")]
    return any("-" in span and len({*number_pair(span)}) == 1 for span in ranges)


def number_pair(span: str) -> list[int]:
    names = {name: number for field in FIELDS for name, number in field.names.items()}
    return [names[end.lower()] if end.lower() in names else int(end) for end in span.split("-")]


def test_croniter_agrees_where_no_clock_changes() -> None:
    chance = random.Random(13)
    start = datetime(2027, 1, 31, 23, 59, 30, tzinfo=UTC)
    after, utc = from_datetime(start), load_zone("UTC")
    compared = 0
    for expression in (random_expression(chance) for _ in range(1_500)):
        try:
            cron = Cron(expression)
        except BadInput:
            continue
        if cron.grid.never or croniter_is_known_wrong(expression):
            continue
        compared += 1
        ours = list(islice(instants(cron, utc, after), 3))
        second = croniter(expression, start, ret_type=datetime, implement_cron_bug=True)
        theirs = [from_datetime(second.get_next(datetime)) for _ in range(3)]
        assert ours == theirs, expression
    assert compared > 100


def test_nothing_is_sought_for_ever() -> None:
    """An expression of one hour in a zone of quarter hours once sent another library round for ever."""
    chatham = load_zone("Pacific/Chatham")
    after = from_datetime(datetime(2027, 4, 3, tzinfo=UTC))
    hours = list(islice(instants(Cron("* 3 * * *"), chatham, after), 600))
    assert hours == sorted(set(hours))
    assert list(instants(Cron("0 0 31 2 *"), chatham, after)) == []
    late = Instant(from_datetime(datetime(9999, 12, 31, tzinfo=UTC)))
    assert list(instants(Cron("* * * * *"), chatham, late)) == []


def test_a_weekday_is_counted_once() -> None:
    assert DAY_OF_WEEK.star_high == 6
    assert Grid((0,), (0,), ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS, False).times == (0,)

"""What an edit does to the coming times, before it is saved."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from kavor.canvas.coming import Effect, Plan, effect_of_edit
from kavor.domain.instant import parse_instant
from kavor.domain.kinds import Cron, Every, Once
from kavor.domain.zones import load_zone

BERLIN, TOKYO = load_zone("Europe/Berlin"), load_zone("Asia/Tokyo")
AFTER = parse_instant("2026-12-01T12:00:00Z")
SIGNS = {Effect.STAYS: "=", Effect.COMES: "+", Effect.LEAVES: "-"}

plans = st.builds(
    Plan,
    st.builds(
        lambda minute, hour, days: Cron(f"{minute} {hour} * * {days}"),
        st.sampled_from(["0", "30", "*/20"]),
        st.sampled_from(["9", "9,18", "*"]),
        st.sampled_from(["*", "1-5", "mon"]),
    ),
    st.sampled_from([BERLIN, TOKYO]),
)


def effect(saved: Plan | None, typed: Plan, count: int = 3, most_leaving: int = 2) -> list[str]:
    found = effect_of_edit(saved, typed, BERLIN, count, most_leaving, AFTER)
    return [f"{SIGNS[effect]} {each.local:%d. %H:%M}" for each, effect in found]


def test_times_come_leave_and_stay() -> None:
    saved, typed = Plan(Cron("0 9,18 * * *"), BERLIN), Plan(Cron("0 9,10 * * *"), BERLIN)
    assert effect(saved, typed) == [
        "- 01. 18:00",
        "= 02. 09:00",
        "+ 02. 10:00",
        "- 02. 18:00",
        "= 03. 09:00",
    ]


def test_without_a_change_everything_stays() -> None:
    same = Plan(Every("1d", datetime(2026, 12, 1, 9)), BERLIN)
    assert effect(same, Plan(Cron("0 9 * * *"), BERLIN)) == ["= 02. 09:00", "= 03. 09:00", "= 04. 09:00"]


def test_a_save_in_another_zone_moves_times() -> None:
    saved, typed = Plan(Cron("0 9 * * *"), TOKYO), Plan(Cron("0 9 * * *"), BERLIN)
    assert effect(saved, typed, count=1) == ["- 02. 01:00", "+ 02. 09:00"]


def test_what_ends_leaves_without_anything_in_its_place() -> None:
    saved, typed = Plan(Cron("0 9 * * *"), BERLIN), Plan(Once(datetime(2020, 1, 1)), BERLIN)
    assert effect(saved, typed, most_leaving=2) == ["- 02. 09:00", "- 03. 09:00"]


def test_what_was_never_saved_has_nothing_to_compare_with() -> None:
    assert effect(None, Plan(Cron("0 9 * * *"), BERLIN), count=1) == ["= 02. 09:00"]


@given(saved=plans, typed=plans)
def test_what_is_shown_is_what_either_fires(saved: Plan, typed: Plan) -> None:
    for each, effect in effect_of_edit(saved, typed, BERLIN, 6, 4, AFTER):
        fires = {
            Effect.STAYS: (True, True),
            Effect.COMES: (False, True),
            Effect.LEAVES: (True, False),
        }[effect]
        assert (saved.names(each.at), typed.names(each.at)) == fires

"""Time in a scenario: it passes, sleeps and is set, and the ledger stays right (decisions 4–8 and 12)."""

from __future__ import annotations

import pytest
from scenarios import DAILY_NINE, QUARTERS, clock, instant, nominals, only, run, schedule, states, step

HOURLY = {"preset": "hourly", "minute": 0}


def test_a_tick_does_what_falls_due_at_its_instant() -> None:
    answer = run(step("08:59:59", "tick"), step("08:59:59", "read_state", save_as="before"),
                 step("09:00", "tick"), step("09:00", "read_state", save_as="after"))  # fmt: skip
    assert states(answer["before"]) == []
    attempt = only(answer["after"]["attempts"])
    assert (attempt["state"], attempt["nominal_at"], attempt["delivered_at"]) == (
        "Delivering",
        instant("09:00"),
        instant("09:00"),
    )
    assert attempt["lateness_ms"] == 0


def test_given_holds_one_minute_before_the_first_step() -> None:
    answer = run(step("09:00", "read_state"))
    assert states(answer["state"]) == ["Delivering"], "due within that minute"


@pytest.mark.contract("K60", "K61")
def test_the_row_says_when_it_was_due_delivered_and_ended() -> None:
    answer = run(clock("08:00", "10:00", target_completes_in_seconds=90), step("10:00", "read_state"))
    attempt = only(answer["state"]["attempts"])
    assert (attempt["nominal_at"], attempt["delivered_at"], attempt["finished_at"]) == (
        instant("09:00"),
        instant("09:00"),
        instant("09:01:30"),
    )
    assert only(answer["state"]["schedules"])["last_attempt"] == attempt


def test_a_delivered_target_stays_busy_until_a_verb_says_otherwise() -> None:
    quarters = schedule(recurrence=QUARTERS)
    answer = run(step("10:00", "tick"), step("11:00", "read_state"), schedules=[quarters])
    assert states(answer["state"]) == ["Delivering", "Pending", "Coalesced", "Coalesced", "Coalesced"]


def test_what_was_delivered_before_completes_under_the_running_clock_too() -> None:
    answer = run(
        step("09:00", "tick"),
        clock("09:10", "09:20", target_completes_in_seconds=60),
        step("09:20", "read_state"),
    )
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["finished_at"]) == ("Completed", instant("09:11"))


@pytest.mark.contract("K62", "K58", "K63", "K64")
def test_a_machine_asleep_misses_and_the_newest_missed_one_stands_for_all() -> None:
    answer = run(
        step("08:30", "suspend_machine"),
        step("12:00", "read_state", save_as="asleep"),
        step("13:10", "wake_machine"),
        step("13:10", "read_state"),
        schedules=[schedule(recurrence=HOURLY)],
    )
    assert answer["asleep"]["attempts"] == []
    missed = only(answer["state"]["attempts"])
    assert (missed["state"], missed["nominal_at"], missed["missed_count"]) == ("Missed", instant("13:00"), 5)


@pytest.mark.contract("K65", "K66", "K67", "K+9", "K79")
def test_nothing_missed_is_delivered_by_itself_and_run_now_is_offered() -> None:
    answer = run(
        step("08:30", "suspend_machine"),
        step("12:10", "wake_machine"),
        step("12:50", "read_state", save_as="back"),
        step("12:51", "run_now"),
        step("12:52", "read_state", save_as="by_hand"),
    )
    missed = only(answer["back"]["attempts"])
    assert missed["state"] == "Missed"
    assert "Run now" in missed["actions"]
    assert answer["back"]["targets"]["a1"]["deliveries"] == 0
    assert any("Missed" in notice and "Run now" in notice for notice in answer["back"]["notices"])
    assert [one["trigger"] for one in answer["by_hand"]["attempts"]] == ["scheduled", "manual"]
    assert states(answer["by_hand"]) == ["Missed", "Delivering"]
    assert answer["by_hand"]["targets"]["a1"]["deliveries"] == 1


@pytest.mark.parametrize(("wakes", "state"), [("09:01", "Delivering"), ("09:01:01", "Missed")])
def test_the_misfire_grace_is_a_minute_to_the_second(wakes: str, state: str) -> None:
    answer = run(step("08:30", "suspend_machine"), step(wakes, "wake_machine"), step("10:00", "read_state"))
    assert states(answer["state"]) == [state]


def test_a_longer_grace_delivers_what_is_later() -> None:
    answer = run(
        step("08:30", "suspend_machine"),
        step("09:20", "wake_machine"),
        step("09:20", "read_state"),
        schedules=[schedule(misfire_grace_s=1800)],
    )
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["lateness_ms"]) == ("Delivering", 20 * 60_000)


def test_catch_up_latest_delivers_the_newest_missed_once() -> None:
    answer = run(
        step("08:30", "suspend_machine"),
        step("12:30", "wake_machine"),
        step("12:50", "read_state"),
        schedules=[schedule(recurrence=HOURLY, catchup="latest")],
    )
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["nominal_at"], attempt["missed_count"]) == (
        "Delivering",
        instant("12:00"),
        4,
    )
    assert "caught up" in attempt["diagnostic"]


def test_a_clock_set_forward_is_like_a_sleep() -> None:
    answer = run(
        step("08:30", "set_clock", to=instant("11:30")),
        step("11:30", "read_state"),
        schedules=[schedule(recurrence=HOURLY)],
    )
    missed = only(answer["state"]["attempts"])
    assert (missed["state"], missed["nominal_at"], missed["missed_count"]) == ("Missed", instant("11:00"), 3)
    assert only(answer["state"]["schedules"])["next_due"] == instant("12:00")


@pytest.mark.contract("K77")
def test_a_clock_set_back_fires_nothing_twice() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:01", "target_reports_completed"),
        step("09:30", "set_clock", to=instant("08:30")),
        step("08:31", "read_state", save_as="set_back"),
        step("10:30", "read_state", save_as="again_past_nine"),
        clock("10:30", "3/10:00"),
        step("3/10:00", "read_state"),
    )
    assert only(answer["set_back"]["schedules"])["next_due"] == instant("3/09:00"), "nine o'clock was claimed"
    assert nominals(answer["again_past_nine"]) == [instant("09:00")]
    assert nominals(answer["state"]) == [instant("09:00"), instant("3/09:00")]
    assert answer["state"]["targets"]["a1"]["deliveries"] == 2


def test_a_save_after_a_clock_was_set_back_keeps_the_next_time() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:30", "set_clock", to=instant("08:30")),
        step("08:31", "save_form", change={"payload": "other"}),
        step("08:32", "read_state"),
    )
    assert only(answer["state"]["schedules"])["next_due"] == instant("3/09:00"), "nine o'clock was claimed"


def test_a_missed_row_that_lies_ahead_again_is_taken_back_and_fires_in_its_time() -> None:
    answer = run(
        step("08:30", "set_clock", to=instant("12:00")),
        step("12:00", "read_state", save_as="wrong"),
        step("12:01", "set_clock", to=instant("08:31")),
        step("08:32", "read_state", save_as="right"),
        step("09:00", "read_state"),
    )
    assert states(answer["wrong"]) == ["Missed"]
    assert answer["right"]["attempts"] == []
    assert any("no longer Missed" in notice for notice in answer["right"]["notices"])
    assert only(answer["right"]["schedules"])["next_due"] == instant("09:00")
    assert states(answer["state"]) == ["Delivering"]


def test_a_clock_that_was_set_back_while_the_application_was_down() -> None:
    answer = run(
        step("08:30", "set_clock", to=instant("12:00")),
        step("12:00", "stop_app"),
        step("12:01", "set_clock", to=instant("08:31")),
        step("08:40", "start_app"),
        step("09:00", "read_state"),
    )
    assert states(answer["state"]) == ["Delivering"]


@pytest.mark.contract("K41", "K47", "K48")
def test_a_once_that_was_missed_is_used_up_and_paused() -> None:
    once = schedule(recurrence={"preset": "once", "local": "2026-11-02T09:00"})
    answer = run(
        step("08:30", "suspend_machine"),
        step("10:00", "wake_machine"),
        step("10:01", "resume"),
        step("10:02", "read_state"),
        step("10:03", "run_now"),
        step("10:04", "read_state", save_as="by_hand"),
        schedules=[once],
    )
    assert states(answer["state"]) == ["Missed"]
    assert only(answer["state"]["schedules"])["state"] == "Paused"
    assert only(answer["refusals"])["do"] == "resume"
    assert states(answer["by_hand"]) == ["Missed", "Delivering"]


@pytest.mark.contract("K+10")
def test_a_once_keeps_its_minute() -> None:
    once = schedule(recurrence={"preset": "once", "local": "2026-11-02T02:17"}, zone="Europe/Berlin")
    answer = run(step("01:00", "tick"), step("02:00", "read_state"), schedules=[once])
    assert nominals(answer["state"]) == [instant("01:17")]


@pytest.mark.contract("K34", "K35", "K33")
@pytest.mark.parametrize(
    ("day", "time", "fired"),
    [
        ("2026-10-31", "01:30", ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]),
        ("2027-03-13", "02:30", ["2027-03-14T07:00:00Z", "2027-03-15T06:30:00Z"]),
    ],
    ids=["repeated", "missing"],
)
def test_changes_of_the_clocks(day: str, time: str, fired: list[str]) -> None:
    noon = f"{day}T12:00:00Z"
    answer = run(
        {"do": "preview", "at": noon, "count": 2, "save_as": "coming"},
        {"do": "run_clock_every_minute", "from_": noon, "to": fired[-1]},
        {"do": "read_state", "at": fired[-1]},
        schedules=[schedule(recurrence={"preset": "daily", "time": time}, zone="America/New_York")],
    )
    assert nominals(answer["state"]) == fired
    assert [occurrence["at"] for occurrence in answer["coming"]["occurrences"]] == fired


@pytest.mark.contract("K32", "X8")
def test_the_stored_zone_rules_until_the_next_save() -> None:
    answer = run(
        step("03:00", "set_host_zone", zone="Asia/Tokyo"),
        step("03:00", "read_state", save_as="moved"),
        step("09:00", "tick"),
        step("09:01", "target_reports_completed"),
        step("10:00", "save_form", change={"payload": "go on"}),
        step("10:00", "read_state"),
        schedules=[schedule(zone="Europe/Berlin")],
        host_zone="Europe/Berlin",
    )
    before, after = only(answer["moved"]["schedules"]), only(answer["state"]["schedules"])
    assert (before["zone"], before["host_zone"], before["zone_mismatch"]) == (
        "Europe/Berlin",
        "Asia/Tokyo",
        True,
    )
    assert any("Europe/Berlin" in notice and "Asia/Tokyo" in notice for notice in answer["moved"]["notices"])
    assert nominals(answer["state"]) == [instant("08:00")]
    assert (after["zone"], after["next_due"]) == ("Asia/Tokyo", instant("3/00:00"))
    assert any("moved from" in notice for notice in answer["state"]["notices"])


def test_a_preview_moves_no_time() -> None:
    answer = run(
        step("08:00", "tick"),
        {"at": "2027-01-01T00:00:00Z", "do": "preview", "count": 1},
        {"at": "2020-01-01T00:00:00Z", "do": "preview_only", "count": 2, "recurrence": DAILY_NINE,
         "zone": "Europe/Berlin", "save_as": "other"},
        step("08:01", "read_state"),
    )  # fmt: skip
    assert [one["at"] for one in answer["preview"]["occurrences"]] == ["2027-01-01T09:00:00Z"]
    assert [one["local"] for one in answer["other"]["occurrences"]] == [
        "2020-01-01T09:00:00+01:00",
        "2020-01-02T09:00:00+01:00",
    ]
    assert (answer["state"]["at"], answer["state"]["attempts"]) == (instant("08:01"), [])


def test_what_never_occurs_previews_as_empty() -> None:
    answer = run(step("08:00", "preview_only", recurrence={"cron": "0 0 30 2 *"}, save_as="never"))
    assert answer["never"] == {"occurrences": []}


def test_a_sleeping_machine_does_nothing_for_anybody() -> None:
    answer = run(
        step("08:00", "suspend_machine"),
        step("08:10", "pause"),
        step("08:20", "wake_machine"),
        step("08:21", "read_state"),
    )
    refusal = only(answer["refusals"])
    assert (refusal["step"], refusal["do"], refusal["exit_code"]) == (2, "pause", 4)
    assert only(answer["state"]["schedules"])["state"] == "Running"

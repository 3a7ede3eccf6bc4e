"""What a person does to Schedules: pause, resume, run now, save, connect, delete."""

from __future__ import annotations

import pytest
from scenarios import (
    DAILY_NINE,
    QUARTERS,
    agent,
    clock,
    instant,
    nominals,
    only,
    run,
    schedule,
    states,
    step,
    terminal,
)

ONCE_AT_NINE = {"preset": "once", "local": "2026-11-02T09:00"}


@pytest.mark.contract("K37", "K38", "K39")
def test_paused_time_leaves_no_trace_and_resume_looks_ahead() -> None:
    answer = run(
        step("08:30", "pause", reason="on leave"),
        step("08:31", "read_state", save_as="paused"),
        step("3/12:00", "resume"),
        step("3/12:01", "read_state"),
    )
    paused = only(answer["paused"]["schedules"])
    assert (paused["state"], paused["pause_reason"], paused["next_due"]) == ("Paused", "on leave", None)
    assert "Resume" in paused["actions"]
    assert answer["state"]["attempts"] == []
    assert only(answer["state"]["schedules"])["next_due"] == instant("4/09:00")


def test_a_pause_does_not_hide_what_had_come_before_it() -> None:
    answer = run(step("09:00", "pause"), step("3/10:00", "read_state"))
    assert nominals(answer["state"]) == [instant("09:00")]


@pytest.mark.contract("K40")
def test_resume_needs_a_payload() -> None:
    answer = run(
        step("08:00", "resume"),
        step("08:01", "save_form", change={"payload": "go", "state": "Running"}),
        step("08:02", "read_state"),
        schedules=[schedule(state="Paused", payload="")],
    )
    assert [(one["step"], one["exit_code"]) for one in answer["refusals"]] == [(1, 3)]
    assert only(answer["state"]["schedules"])["state"] == "Running"


@pytest.mark.contract("K41")
def test_resume_of_a_once_needs_its_time_ahead() -> None:
    answer = run(
        step("09:30", "resume"),
        step("09:31", "save_form", change={"recurrence": {"once": "2026-11-02T10:00"}}),
        step("09:32", "resume"),
        step("10:00", "read_state"),
        schedules=[schedule(recurrence=ONCE_AT_NINE, state="Paused")],
    )
    refusal = only(answer["refusals"])
    assert (refusal["step"], refusal["exit_code"]) == (1, 3)
    assert nominals(answer["state"]) == [instant("10:00")]


@pytest.mark.contract("K47", "K48", "K43")
def test_a_once_goes_back_to_paused_and_run_now_remains() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:05", "target_reports_completed"),
        step("10:00", "read_state", save_as="used_up"),
        step("10:01", "run_now"),
        step("10:02", "read_state"),
        schedules=[schedule(recurrence=ONCE_AT_NINE)],
    )
    used_up = only(answer["used_up"]["schedules"])
    assert (used_up["state"], used_up["next_due"]) == ("Paused", None)
    assert used_up["actions"] == ["Run now"]
    assert states(answer["state"]) == ["Completed", "Delivering"]


@pytest.mark.contract("K42", "K43", "K44", "K45", "K46")
@pytest.mark.parametrize("state", ["Running", "Paused"])
def test_run_now_is_an_attempt_of_its_own(state: str) -> None:
    answer = run(
        step("08:00", "read_state", save_as="before"),
        step("08:01", "run_now"),
        step("08:02", "target_reports_failed"),
        step("08:30", "read_state"),
        schedules=[schedule(state=state)],
    )
    before, after = only(answer["before"]["schedules"]), only(answer["state"]["schedules"])
    assert (after["state"], after["next_due"]) == (before["state"], before["next_due"])
    attempt = only(answer["state"]["attempts"])
    assert (attempt["trigger"], attempt["nominal_at"], attempt["state"]) == ("manual", None, "Failed")


@pytest.mark.contract("K21")
def test_run_now_without_a_target_makes_no_row() -> None:
    answer = run(step("08:00", "run_now"), step("08:01", "read_state"), schedules=[schedule(target=None)])
    assert only(answer["refusals"])["exit_code"] == 3
    assert answer["state"]["attempts"] == []


def test_run_now_with_the_slot_taken_names_who_holds_it() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:20", "run_now"),
        step("09:21", "read_state"),
        schedules=[schedule()],
        targets=[agent(busy=True)],
    )
    refusal = only(answer["refusals"])
    assert refusal["exit_code"] == 3
    assert "attempt 1" in refusal["reason"]


def test_run_now_while_the_target_works_takes_the_slot() -> None:
    answer = run(
        step("08:00", "run_now"),
        step("08:01", "run_now"),
        step("08:02", "run_now"),
        step("08:03", "read_state"),
    )
    assert states(answer["state"]) == ["Delivering", "Pending"]
    assert [one["step"] for one in answer["refusals"]] == [3]


@pytest.mark.contract("K20")
def test_running_without_a_target_is_blocked_in_its_time() -> None:
    answer = run(step("09:00", "read_state"), schedules=[schedule(target=None)])
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["target"]) == ("Blocked", None)
    assert any("Blocked" in notice for notice in answer["state"]["notices"])


@pytest.mark.contract("K+2")
def test_taking_the_target_away_pauses_with_the_reason() -> None:
    answer = run(
        step("08:00", "disconnect", target="a1"),
        step("3/10:00", "read_state", save_as="parted"),
        step("3/10:01", "connect", target="t1"),
        step("3/10:02", "resume"),
        step("4/09:00", "read_state"),
        targets=[agent(), terminal()],
    )
    parted = only(answer["parted"]["schedules"])
    assert parted["state"] == "Paused"
    assert "a1" in parted["pause_reason"]
    assert answer["parted"]["attempts"] == []
    assert any("paused" in notice for notice in answer["parted"]["notices"])
    assert only(answer["state"]["attempts"])["target"] == "t1"


@pytest.mark.contract("K73", "K+4")
def test_a_second_target_and_other_kinds_are_refused() -> None:
    answer = run(
        step("08:00", "connect", schedule="s1", target="t1"),
        step("08:01", "connect", schedule="s2", target="f1"),
        step("08:02", "connect", schedule="s2", target="n1"),
        step("08:03", "read_state"),
        targets=[agent(), terminal(), {"id": "f1", "kind": "File"}, {"id": "n1", "kind": "Sticky Note"}],
        schedules=[schedule("s1"), schedule("s2", target=None)],
    )
    assert [one["exit_code"] for one in answer["refusals"]] == [3, 3, 3]
    assert [one["target"] and one["target"]["id"] for one in answer["state"]["schedules"]] == ["a1", None]


def test_an_edit_keeps_the_grid_when_the_recurrence_is_equal() -> None:
    every = schedule(recurrence={"every": "36h", "anchor": "2026-11-01T09:00"})
    answer = run(
        step("12:00", "save_form", change={"payload": "other", "recurrence": every["recurrence"]}),
        step("3/00:00", "read_state"),
        schedules=[every],
    )
    shown = only(answer["state"]["schedules"])
    assert (shown["payload"], shown["next_due"], shown["revision"]) == ("other", instant("4/09:00"), 2)
    assert nominals(answer["state"]) == [instant("2/21:00")]


def test_the_payload_of_what_waits_was_fixed_when_it_was_claimed() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:15", "tick"),
        step("09:16", "save_form", change={"payload": "new"}),
        step("09:17", "target_reports_completed"),
        step("09:18", "read_state"),
        schedules=[schedule(recurrence=QUARTERS, payload="old")],
    )
    assert answer["state"]["targets"]["a1"]["submitted"] == ["old", "old"]


def test_what_waits_stays_through_a_pause() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:20", "pause"),
        step("09:50", "target_reports_completed"),
        step("12:00", "read_state"),
        schedules=[schedule(recurrence=QUARTERS)],
    )
    assert states(answer["state"]) == ["Completed", "Delivering"]
    assert answer["state"]["attempts"][1]["delivered_at"] == instant("09:50")


def test_of_two_writers_with_one_revision_the_second_is_told() -> None:
    answer = run(
        step("08:00", "two_writers_read_same_revision", writers=["window", "cli"]),
        step("08:01", "write", writer="window", change={"payload": "window's"}),
        step("08:02", "write", writer="cli", change={"payload": "cli's"}),
        step("08:03", "write", writer="window", change={"name": "renamed"}),
        step("08:04", "read_state"),
    )
    assert [(one["step"], one["exit_code"]) for one in answer["refusals"]] == [(3, 5)]
    shown = only(answer["state"]["schedules"])
    assert (shown["payload"], shown["name"], shown["revision"]) == ("window's", "renamed", 3)


def test_a_bad_save_changes_nothing_and_is_told() -> None:
    answer = run(
        step("08:00", "save_form", change={"recurrence": {"cron": "61 * * * *"}}),
        step("08:01", "save_form", change={"payload": "a\u0007b"}),
        step("08:02", "read_state"),
    )
    assert [one["exit_code"] for one in answer["refusals"]] == [2, 2]
    assert only(answer["state"]["schedules"])["revision"] == 1


@pytest.mark.contract("K28", "X16")
def test_every_two_weeks_fires_every_two_weeks() -> None:
    every = {"every": "2w", "anchor": "2026-10-05T09:00"}
    answer = run(
        clock("1/00:00", "30/23:00"),
        step("30/23:00", "read_state"),
        schedules=[schedule(recurrence=every, zone="Europe/Berlin")],
    )
    assert nominals(answer["state"]) == [instant("2/08:00"), instant("16/08:00"), instant("30/08:00")]


@pytest.mark.contract("K36")
def test_the_31st_skips_the_months_without_one() -> None:
    monthly = schedule(recurrence={"preset": "monthly", "day": 31, "time": "09:00"})
    answer = run(
        {"do": "run_clock_every_minute", "from_": "2026-01-01T00:00:00Z", "to": "2026-06-01T00:00:00Z"},
        {"do": "read_state", "at": "2026-06-01T00:00:00Z"},
        schedules=[monthly],
    )
    assert nominals(answer["state"]) == [f"2026-{month}-31T09:00:00Z" for month in ("01", "03", "05")]


def test_a_deleted_schedule_leaves_its_history() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:20", "delete"),
        step("10:00", "read_state"),
        step("10:01", "resume"),
        schedules=[schedule(recurrence=QUARTERS)],
    )
    assert answer["state"]["schedules"] == []
    assert states(answer["state"]) == ["Delivering", "Blocked"]
    assert only(answer["refusals"])["exit_code"] == 2


def test_a_deleted_target_pauses_who_aimed_at_it() -> None:
    answer = run(step("08:00", "delete", target="a1"), step("09:00", "read_state"))
    shown = only(answer["state"]["schedules"])
    assert (shown["state"], shown["target"]) == ("Paused", None)


def test_a_pending_limit_ends_the_wait() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:30", "read_state"),
        targets=[agent(busy=True)],
        schedules=[schedule(recurrence=DAILY_NINE, pending_limit_s=600)],
    )
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["finished_at"]) == ("Blocked", instant("09:10"))
    assert "waited longer" in attempt["diagnostic"]


def test_overlap_replace_keeps_the_newest_waiting() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:45", "read_state"),
        step("09:46", "target_reports_completed"),
        step("09:47", "read_state", save_as="freed"),
        schedules=[schedule(recurrence={"cron": "*/15 9 * * *"}, overlap="replace")],
    )
    assert states(answer["state"]) == ["Delivering", "Coalesced", "Coalesced", "Pending"]
    assert states(answer["freed"]) == ["Completed", "Coalesced", "Coalesced", "Delivering"]

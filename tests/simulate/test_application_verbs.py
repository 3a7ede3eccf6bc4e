"""The application stops, starts, is killed and started twice; nothing is delivered again (decision 15)."""

from __future__ import annotations

import pytest
from scenarios import QUARTERS, clock, instant, nominals, only, run, schedule, states, step, terminal

TO_SHELL = [schedule(target="t1")]


@pytest.mark.contract("K56", "K49")
def test_an_agents_delivery_that_a_kill_cut_off_is_interrupted() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:01", "kill_and_restart_app", moment="while the agent works"),
        step("09:30", "read_state"),
    )
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["nominal_at"]) == ("Interrupted", instant("09:00"))
    assert answer["state"]["targets"]["a1"]["deliveries"] == 1


@pytest.mark.contract("K77")
def test_a_kill_at_the_instant_itself_delivers_no_second_time() -> None:
    answer = run(
        step("09:00", "kill_app"),
        step("09:00:20", "start_app"),
        step("10:00", "read_state"),
        step("3/09:00", "read_state", save_as="next_day"),
    )
    assert nominals(answer["state"]) == [instant("09:00")]
    assert answer["state"]["targets"]["a1"]["deliveries"] == 1
    assert nominals(answer["next_day"]) == [instant("09:00"), instant("3/09:00")]
    assert answer["next_day"]["targets"]["a1"]["deliveries"] == 2


def test_a_shell_lives_on_and_its_end_is_observed_by_the_next_runtime() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:01", "kill_app"),
        step("09:02", "target_reports_completed"),
        step("09:03", "read_state", save_as="down"),
        step("09:04", "start_app"),
        step("09:04", "read_state"),
        targets=[terminal()],
        schedules=TO_SHELL,
    )
    assert states(answer["down"]) == ["Delivering"], "nobody is there to write it down"
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["exit_code"], attempt["finished_at"]) == (
        "Completed",
        0,
        instant("09:02"),
    )
    assert answer["state"]["targets"]["t1"]["deliveries"] == 1


def test_a_shell_still_at_work_is_taken_up_again() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:01", "kill_and_restart_app"),
        step("09:02", "read_state", save_as="back"),
        step("09:05", "target_reports_failed", exit_code=3),
        step("09:06", "read_state"),
        targets=[terminal()],
        schedules=TO_SHELL,
    )
    assert states(answer["back"]) == ["Delivering"]
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["exit_code"]) == ("Failed", 3)


@pytest.mark.parametrize("ends", ["stop_app", "kill_app"])
def test_what_waited_is_blocked_because_the_runtime_stopped(ends: str) -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:20", ends),
        step("09:21", "start_app"),
        step("09:22", "read_state"),
        targets=[terminal()],
        schedules=[schedule(target="t1", recurrence=QUARTERS)],
    )
    waiting = answer["state"]["attempts"][1]
    assert (waiting["state"], waiting["diagnostic"]) == ("Blocked", "runtime stopped")
    assert answer["state"]["targets"]["t1"]["deliveries"] == 1


def test_a_question_nobody_answered_is_interrupted_by_a_kill() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:01", "target_asks_for_permission"),
        step("09:02", "kill_and_restart_app"),
        step("09:03", "read_state"),
    )
    assert states(answer["state"]) == ["Interrupted"]


@pytest.mark.contract("K58", "K63", "K65", "K68")
def test_while_the_application_is_away_nothing_runs_and_one_row_says_so() -> None:
    answer = run(
        step("08:00", "stop_app"),
        step("5/10:00", "read_state", save_as="away"),
        step("5/12:00", "start_app"),
        step("5/12:01", "read_state"),
    )
    assert answer["away"]["attempts"] == []
    missed = only(answer["state"]["attempts"])
    assert (missed["state"], missed["nominal_at"], missed["missed_count"]) == (
        "Missed",
        instant("5/09:00"),
        4,
    )
    assert answer["state"]["targets"]["a1"]["deliveries"] == 0


def test_a_stopped_application_answers_nobody() -> None:
    answer = run(step("08:00", "stop_app"), step("08:01", "run_now"), step("08:02", "stop_app"))
    assert [(one["do"], one["exit_code"]) for one in answer["refusals"]] == [("run_now", 4), ("stop_app", 4)]


@pytest.mark.contract("K77")
def test_a_second_copy_is_refused_and_the_first_goes_on() -> None:
    answer = run(
        step("08:00", "start_second_copy_same_profile"),
        step("09:00", "tick_both_copies_at_once"),
        step("09:00", "read_state"),
    )
    refusal = only(answer["refusals"])
    assert (refusal["do"], refusal["exit_code"]) == ("start_second_copy_same_profile", 3)
    assert states(answer["state"]) == ["Delivering"]
    assert answer["state"]["targets"]["a1"]["deliveries"] == 1


def test_two_copies_ticked_without_a_start_before() -> None:
    answer = run(step("09:00", "tick_both_copies_at_once"), step("09:00", "read_state"))
    assert only(answer["refusals"])["do"] == "tick_both_copies_at_once"
    assert answer["state"]["targets"]["a1"]["deliveries"] == 1


@pytest.mark.contract("K+1")
def test_at_a_start_a_session_that_died_is_opened_again_for_a_running_schedule_alone() -> None:
    answer = run(
        step("08:00", "kill_app"),
        step("08:01", "target_dies", target="t1"),
        step("08:01", "target_dies", target="t2"),
        step("08:01", "target_dies", target="t3"),
        step("08:02", "start_app"),
        step("08:03", "run_now", schedule="paused"),
        step("09:00", "read_state"),
        targets=[terminal("t1"), terminal("t2", session="closed"), terminal("t3")],
        schedules=[
            schedule("running", target="t1"),
            schedule("closed", target="t2"),
            schedule("paused", target="t3", state="Paused"),
        ],
    )
    assert states(answer["state"], "running") == ["Delivering"]
    assert states(answer["state"], "closed") == ["Blocked"], "closed on purpose stays closed (K74)"
    assert states(answer["state"], "paused") == ["Blocked"], "its session was not opened"


def test_the_grid_goes_on_after_a_kill() -> None:
    answer = run(
        clock("08:00", "3/08:00"),
        step("3/08:30", "kill_and_restart_app"),
        clock("3/08:31", "4/10:00"),
        step("4/10:00", "read_state"),
    )
    assert nominals(answer["state"]) == [instant(f"{day}/09:00") for day in (2, 3, 4)]
    assert states(answer["state"]) == ["Completed"] * 3

"""What targets and persons at their keyboards do, and what the one slot of a target makes of it."""

from __future__ import annotations

import pytest
from scenarios import QUARTERS, agent, clock, instant, only, run, schedule, states, step, terminal

TO_SHELL = [schedule(target="t1", payload="make check")]


@pytest.mark.contract("K59", "K69", "K70", "K71")
def test_one_slot_for_all_schedules_of_a_target() -> None:
    answer = run(
        step("09:00", "read_state"),
        step("09:10", "target_reports_completed"),
        step("09:20", "target_reports_completed"),
        step("3/08:00", "read_state", save_as="later"),
        schedules=[schedule("s1"), schedule("s2"), schedule("s3"), schedule("s4")],
    )
    assert states(answer["state"]) == ["Delivering", "Pending", "Coalesced", "Coalesced"]
    assert [attempt["holder"] for attempt in answer["state"]["attempts"]] == [None, None, 2, 2]
    assert states(answer["later"]) == ["Completed", "Completed", "Coalesced", "Coalesced"]
    assert answer["later"]["targets"]["a1"]["deliveries"] == 2


@pytest.mark.contract("K4", "K59", "K69", "K70", "K71", "K79")
def test_five_schedules_every_minute_at_an_agent_whose_turns_take_ninety_seconds() -> None:
    """Decision 1: one is worked on, one waits, the rest are Coalesced and name it; no burst afterwards."""
    names = [f"s{number}" for number in range(1, 6)]
    every_minute = {"cron": "* * * * *"}
    answer = run(
        clock("09:00", "09:20", target_completes_in_seconds=90),
        step("09:20:10", "read_state", save_as="busy"),
        *(step("09:20:20", "pause", schedule=name) for name in names),
        clock("09:21", "09:40", target_completes_in_seconds=90),
        step("09:41", "read_state", save_as="afterwards"),
        schedules=[schedule(name, recurrence=every_minute, payload=f"job {name}") for name in names],
    )
    attempts = {attempt["id"]: attempt for attempt in answer["busy"]["attempts"]}
    assert len(attempts) == 21 * 5
    assert states(answer["busy"]).count("Delivering") == 1
    assert states(answer["busy"]).count("Pending") <= 1
    for attempt in attempts.values():
        if attempt["state"] == "Coalesced":
            holder = attempts[attempt["holder"]]
            assert holder["state"] != "Coalesced"
            assert holder["nominal_at"] <= attempt["nominal_at"]
    deliveries = answer["busy"]["targets"]["a1"]["deliveries"]
    assert deliveries == 14, "twenty minutes have room for no more turns of ninety seconds"
    assert answer["afterwards"]["targets"]["a1"]["deliveries"] <= deliveries + 1
    assert len(answer["afterwards"]["attempts"]) == len(attempts)
    assert set(states(answer["afterwards"])) == {"Completed", "Coalesced"}


@pytest.mark.contract("K51", "K69")
def test_a_busy_target_lets_one_wait_until_it_is_idle() -> None:
    answer = run(
        step("08:00", "target_becomes_busy"),
        step("09:00", "read_state", save_as="waits"),
        step("09:30", "target_becomes_idle"),
        step("09:30", "read_state"),
    )
    waiting = only(answer["waits"]["attempts"])
    assert (waiting["state"], waiting["waiting_for"]) == ("Pending", "busy")
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["delivered_at"]) == ("Delivering", instant("09:30"))


@pytest.mark.contract("K52", "K55")
@pytest.mark.parametrize(
    ("verb", "state", "exit_code"),
    [("target_reports_completed", "Completed", 0), ("target_reports_failed", "Failed", 1)],
)
def test_how_a_shell_tells_of_the_end(verb: str, state: str, exit_code: int) -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:05", verb),
        step("09:06", "read_state"),
        targets=[terminal()],
        schedules=TO_SHELL,
    )
    attempt = only(answer["state"]["attempts"])
    assert (attempt["state"], attempt["exit_code"]) == (state, exit_code)
    assert answer["state"]["targets"]["t1"] == {
        "deliveries": 1,
        "bytes_written": len("make check"),
        "line": "",
        "submitted": ["make check"],
    }


def test_a_failure_says_what_it_was_told() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:05", "target_reports_failed", diagnostic="the model refused"),
        step("09:06", "read_state"),
    )
    attempt = only(answer["state"]["attempts"])
    assert (attempt["diagnostic"], attempt["exit_code"]) == ("the model refused", None)
    assert any("the model refused" in notice for notice in answer["state"]["notices"])


@pytest.mark.contract("K53", "K69")
def test_a_question_keeps_the_target_until_a_person_answers() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:01", "target_asks_for_permission"),
        step("09:20", "read_state", save_as="asks"),
        step("09:21", "human_answers_and_target_completes"),
        step("09:22", "read_state"),
        schedules=[schedule(recurrence=QUARTERS)],
    )
    assert states(answer["asks"]) == ["Needs attention", "Pending"]
    assert any("Needs attention" in notice for notice in answer["asks"]["notices"])
    assert states(answer["state"]) == ["Completed", "Delivering"]
    assert answer["state"]["attempts"][0]["diagnostic"] == ""


@pytest.mark.contract("K54", "K+14")
def test_a_target_that_is_idle_without_a_result_does_not_hold_its_attempt() -> None:
    answer = run(step("09:00", "tick"), step("09:05", "target_becomes_idle"), step("09:06", "read_state"))
    assert states(answer["state"]) == ["Fired"]


@pytest.mark.contract("K56", "K57")
def test_a_target_that_dies_interrupts_its_work_and_blocks_what_waits() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:20", "target_dies"),
        step("09:30", "read_state"),
        schedules=[schedule(recurrence=QUARTERS)],
    )
    assert states(answer["state"]) == ["Interrupted", "Blocked", "Blocked"]


@pytest.mark.contract("K57", "K74", "K62")
@pytest.mark.parametrize("target", [agent("x"), terminal("x")], ids=["agent", "terminal"])
def test_a_closed_session_is_blocked_and_not_opened(target: dict[str, object]) -> None:
    answer = run(
        step("08:00", "close_session"),
        step("09:00", "read_state", save_as="closed"),
        step("3/08:00", "open_session"),
        step("3/09:00", "read_state"),
        targets=[target],
        schedules=[schedule(target="x")],
    )
    assert states(answer["closed"]) == ["Blocked"]
    assert answer["closed"]["targets"]["x"]["deliveries"] == 0
    assert states(answer["state"]) == ["Blocked", "Delivering"]


def test_given_may_say_that_a_session_is_closed_or_not_ready() -> None:
    answer = run(
        step("09:00", "read_state"),
        targets=[agent("a1", session="closed"), terminal("t1", shell="alternate screen")],
        schedules=[schedule("s1"), schedule("s2", target="t1")],
    )
    closed, waiting = answer["state"]["attempts"]
    assert closed["state"] == "Blocked"
    assert (waiting["state"], waiting["waiting_for"]) == ("Pending", "alternate screen")


@pytest.mark.contract("K+7", "K+6")
def test_a_half_typed_line_is_never_touched() -> None:
    answer = run(
        step("08:59", "human_types", text="git comm"),
        step("09:00", "read_state", save_as="typing"),
        step("09:01", "human_types", text="it", enter=True),
        step("09:01", "read_state"),
        targets=[terminal()],
        schedules=TO_SHELL,
    )
    attempt = only(answer["typing"]["attempts"])
    assert (attempt["state"], attempt["waiting_for"]) == ("Pending", "unfinished input")
    assert answer["typing"]["targets"]["t1"] == {
        "deliveries": 0,
        "bytes_written": 0,
        "line": "git comm",
        "submitted": [],
    }
    assert answer["state"]["targets"]["t1"]["submitted"] == ["make check"]
    assert answer["state"]["targets"]["t1"]["line"] == ""


def test_a_cleared_line_lets_the_delivery_go() -> None:
    answer = run(
        step("08:59", "human_types", text="rm -r"),
        step("09:05", "human_clears_line"),
        step("09:05", "read_state"),
        targets=[terminal()],
        schedules=TO_SHELL,
    )
    assert only(answer["state"]["attempts"])["delivered_at"] == instant("09:05")


def test_finishing_the_record_of_a_schedule_ends_its_delivery_alone() -> None:
    answer = run(
        step("09:00", "tick"),
        step("09:01", "finish_running_attempt_record", schedule="s2"),
        step("09:02", "read_state"),
        targets=[agent("a1"), agent("a2")],
        schedules=[schedule("s1"), schedule("s2", target="a2"), schedule("s3", state="Paused")],
    )
    assert states(answer["state"], "s1") == ["Delivering"]
    assert states(answer["state"], "s2") == ["Completed"]


def test_a_file_has_no_session_to_close() -> None:
    answer = run(step("08:00", "close_session"), targets=[{"id": "f1", "kind": "File"}], schedules=[])
    assert only(answer["refusals"])["exit_code"] == 3

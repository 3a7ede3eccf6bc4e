"""The dispatcher: what is due is claimed once, in the state that is true at once."""

from __future__ import annotations

import shutil
import time

import pytest
from ledger_world import MINUTE, LedgerWorld

from kavor.domain.attempts import AttemptState, Trigger
from kavor.domain.instant import format_instant, parse_instant
from kavor.domain.recurrence import Cron
from kavor.domain.schedule import Catchup, Overlap, Policies, ScheduleState
from kavor.runtime.dispatcher import Dispatcher
from kavor.runtime.events import Change
from kavor.runtime.turn import Turn
from kavor.store import ledger, schedules
from kavor.store.database import Store, open_store

S = AttemptState


# --- One instant, one attempt


@pytest.mark.contract("K49", "K61")
def test_an_attempt_is_on_record_as_delivering_before_anything_is_handed_over(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *", payload="make nightly")
    turn = world.at("2026-11-02T10:00:00Z")
    (delivery,) = turn.deliveries
    assert (delivery.target_id, delivery.payload) == ("t1", "make nightly")
    row = world.row(delivery.work.id)
    assert row.state is S.DELIVERING
    assert row.trigger is Trigger.SCHEDULED
    assert (row.schedule_id, row.schedule_name, row.target_id, row.target_name) == ("s1", "s1", "t1", "t1")
    assert row.nominal_at == row.created_at == row.delivered_at == world.clock.now()
    assert row.finished_at is None
    assert row.payload == "make nightly"


def test_the_claim_tells_what_is_different(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    turn = world.at("2026-11-02T10:00:00Z")
    assert turn.changes == [Change("schedule", "s1"), Change("attempt", "1", "created")]


@pytest.mark.contract("K77")
def test_a_second_claim_changes_nothing(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.at("2026-11-02T10:00:00Z")
    before = world.rows()
    assert world.claim() == Turn()
    assert world.rows() == before


@pytest.mark.contract("K77")
def test_another_dispatcher_on_the_same_file_finds_it_claimed(world: LedgerWorld) -> None:
    """P02: a runtime that starts again after the slot has run fires nothing a second time."""
    world.add_terminal()
    world.add_schedule("s1", "0 22 * * *", zone="America/Santiago")
    world.at("2026-11-03T01:00:00Z")
    world.clock.go_to("2026-11-03T01:04:00Z")
    world.ends(1)
    world.restart()
    world.clock.go_to("2026-11-03T01:31:00Z")
    again = Dispatcher(world.store, world.clock, world.targets, world.directories)
    assert again.claim_due() == Turn()
    assert world.states() == ["Completed"]
    assert world.nominals() == ["2026-11-03T01:00:00Z"]
    assert world.next_due("s1") == "2026-11-04T01:00:00Z"


def test_nothing_is_claimed_before_its_time(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    assert world.at("2026-11-02T09:59:59.999Z") == Turn()
    assert world.rows() == []
    assert world.at("2026-11-02T10:00:00Z").deliveries


@pytest.mark.contract("K44")
def test_a_cron_schedule_goes_on_with_its_next_time(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0,20,50 * * * *")
    seen = []
    for at in ("10:00", "10:20", "10:50", "11:00"):
        world.at(f"2026-11-02T{at}:00Z")
        world.ends(len(world.rows()))
        seen.append(world.next_due("s1"))
    assert seen == [f"2026-11-02T{at}:00Z" for at in ("10:20", "10:50", "11:00", "11:20")]
    assert world.states() == ["Completed"] * 4
    assert world.schedule("s1").state is ScheduleState.RUNNING


@pytest.mark.contract("K47", "K48")
def test_a_once_is_used_up_and_paused_and_its_attempt_remains(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "2026-11-02T11:00", zone="Europe/Berlin")
    world.at("2026-11-02T10:00:00Z")
    used = world.schedule("s1")
    assert used.state is ScheduleState.PAUSED
    assert used.next_due is None
    world.ends(1)
    assert world.states() == ["Completed"]
    made = world.run_now("s1")
    assert world.row(made).trigger is Trigger.MANUAL
    assert world.row(made).state is S.DELIVERING


@pytest.mark.contract("K47", "K58")
def test_a_once_that_was_missed_is_used_up_too(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "2026-11-02T10:00")
    world.at("2026-11-02T10:05:00Z")
    assert world.states() == ["Missed"]
    assert world.schedule("s1").state is ScheduleState.PAUSED
    assert not world.offered


@pytest.mark.contract("K37", "K38", "K39")
def test_paused_time_makes_no_attempts_and_no_missed_rows(world: LedgerWorld) -> None:
    """P03: paused before the slot, resumed after it."""
    world.add_terminal()
    world.add_schedule("s1", "0 2 * * *", zone="Europe/Berlin")
    world.pause("s1")
    world.at("2026-11-03T01:00:00Z")
    world.at("2026-11-03T14:00:00Z")
    world.resume("s1")
    world.at("2026-11-03T14:05:00Z")
    assert world.rows() == []
    assert world.next_due("s1") == "2026-11-04T01:00:00Z"


# --- Late


@pytest.mark.contract("K58", "K63", "K64", "K65", "K67")
def test_what_passed_while_nothing_could_claim_it_is_one_missed_row(world: LedgerWorld) -> None:
    """P01: asleep across three daily slots."""
    world.add_terminal()
    world.add_schedule("s1", "0 9 * * *", zone="Europe/Berlin")
    world.at("2026-11-05T10:12:00Z")
    (row,) = world.rows()
    assert row.state is S.MISSED
    assert format_instant(row.nominal_at or parse_instant("1970-01-01T00:00:00Z")) == "2026-11-05T08:00:00Z"
    assert row.missed_count == 3
    assert row.finished_at == row.created_at == world.clock.now()
    assert row.delivered_at is None
    assert "late" in row.diagnostic
    assert not world.offered
    assert world.next_due("s1") == "2026-11-06T08:00:00Z"


@pytest.mark.contract("K64")
def test_a_year_away_makes_one_row_for_each_schedule(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "* * * * *")
    world.add_schedule("s2", "0 * * * *")
    world.at("2027-11-02T10:00:30Z")
    missed = [row for row in world.rows() if row.state is S.MISSED]
    assert {row.schedule_id: row.missed_count for row in missed} == {"s1": 365 * 1440, "s2": 365 * 24}
    timely = [row for row in world.rows() if row.state is not S.MISSED]
    assert {row.nominal_at for row in timely} == {parse_instant("2027-11-02T10:00:00Z")}


@pytest.mark.contract("K58")
@pytest.mark.parametrize(
    ("late_ms", "state"),
    [(0, "Delivering"), (59_999, "Delivering"), (60_000, "Delivering"), (60_001, "Missed")],
)
def test_the_grace_is_exact(world: LedgerWorld, late_ms: int, state: str) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.clock.go_to("2026-11-02T10:00:00Z")
    world.clock.go(late_ms)
    world.claim()
    assert world.states() == [state]


def test_each_schedule_has_its_own_grace(world: LedgerWorld) -> None:
    for name, grace in (("none", 0), ("hour", 60 * MINUTE)):
        world.add_terminal(f"t-{name}")
        policies = Policies(misfire_grace_ms=grace)
        world.add_schedule(name, "0 * * * *", target=f"t-{name}", policies=policies)
    world.at("2026-11-02T10:00:01Z")
    assert world.states("none") == ["Missed"]
    assert world.states("hour") == ["Delivering"]


@pytest.mark.contract("K63")
def test_what_is_late_and_what_is_in_time_are_told_apart_in_one_claim(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "* * * * *")
    world.at("2026-11-02T10:10:30Z")
    assert [(row.state, row.missed_count) for row in world.rows()] == [(S.MISSED, 10), (S.DELIVERING, None)]
    assert world.nominals() == ["2026-11-02T10:09:00Z", "2026-11-02T10:10:00Z"]


@pytest.mark.contract("K67")
def test_catch_up_with_the_latest_fires_the_newest_missed_one_once(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 9 * * *", policies=Policies(catchup=Catchup.LATEST))
    world.at("2026-11-05T10:12:00Z")
    (row,) = world.rows()
    assert row.state is S.DELIVERING
    assert world.nominals() == ["2026-11-05T09:00:00Z"]
    assert row.missed_count == 3
    assert "caught up" in row.diagnostic
    world.ends(row.id)
    assert world.claim() == Turn()
    assert len(world.offered) == 1


def test_catch_up_gives_way_to_an_occurrence_that_is_in_time(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "* * * * *", policies=Policies(catchup=Catchup.LATEST))
    world.at("2026-11-02T10:10:30Z")
    assert world.states() == ["Missed", "Delivering"]


def test_a_catch_up_that_cannot_be_delivered_is_blocked_and_keeps_its_count(world: LedgerWorld) -> None:
    world.add_schedule("s1", "0 9 * * *", target=None, policies=Policies(catchup=Catchup.LATEST))
    world.at("2026-11-05T10:12:00Z")
    (row,) = world.rows()
    assert (row.state, row.missed_count) == (S.BLOCKED, 3)


# --- Several at one target


@pytest.mark.contract("K59", "K69", "K70")
def test_many_at_one_instant_and_one_target(world: LedgerWorld) -> None:
    world.add_terminal()
    names = [world.add_schedule(f"s{number}", "0 * * * *") for number in range(5)]
    world.at("2026-11-02T10:00:00Z")
    assert world.states() == ["Delivering", "Pending", "Coalesced", "Coalesced", "Coalesced"]
    assert [row.schedule_id for row in world.rows()] == names
    holder = world.rows()[1].id
    for row in world.rows()[2:]:
        assert row.holder_id == holder
        assert str(holder) in row.diagnostic
    assert len(world.offered) == 1


def test_targets_have_a_line_each(world: LedgerWorld) -> None:
    for number in range(3):
        world.add_terminal(f"t{number}")
        world.add_schedule(f"s{number}", "0 * * * *", target=f"t{number}")
    world.at("2026-11-02T10:00:00Z")
    assert world.states() == ["Delivering"] * 3


def test_the_earlier_instant_takes_the_line_whichever_schedule_it_belongs_to(world: LedgerWorld) -> None:
    world.add_terminal()
    grace = Policies(misfire_grace_ms=10 * MINUTE)
    world.add_schedule("a", "2 * * * *", policies=grace)
    world.add_schedule("b", "1,3 * * * *", policies=grace)
    world.at("2026-11-02T10:05:00Z")
    assert [(row.schedule_id, str(row.state)) for row in world.rows()] == [
        ("b", "Delivering"),
        ("a", "Pending"),
        ("b", "Coalesced"),
    ]


@pytest.mark.contract("K69", "K70")
def test_while_the_target_works_one_waits_and_the_rest_are_coalesced(world: LedgerWorld) -> None:
    """P05, as far as the ledger goes."""
    world.add_terminal()
    world.add_schedule("s1", "*/15 * * * *")
    for at in ("10:00", "10:15", "10:30", "10:45", "11:00"):
        world.at(f"2026-11-02T{at}:00Z")
    assert world.states() == ["Delivering", "Pending", "Coalesced", "Coalesced", "Coalesced"]
    world.clock.go_to("2026-11-02T11:06:00Z")
    world.ends(1)
    assert world.states() == ["Completed", "Delivering", "Coalesced", "Coalesced", "Coalesced"]
    assert [delivery.work.id for delivery in world.offered] == [1, 2]


def test_replace_keeps_the_newest_in_the_slot(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "*/15 * * * *", policies=Policies(overlap=Overlap.REPLACE))
    for at in ("10:00", "10:15", "10:30", "10:45"):
        world.at(f"2026-11-02T{at}:00Z")
    assert world.states() == ["Delivering", "Coalesced", "Coalesced", "Pending"]
    assert [row.holder_id for row in world.rows()] == [None, 3, 4, None]
    world.ends(1)
    assert [delivery.work.id for delivery in world.offered] == [1, 4]


def test_replace_within_one_claim(world: LedgerWorld) -> None:
    world.add_terminal(state="busy")
    policies = Policies(overlap=Overlap.REPLACE, misfire_grace_ms=10 * MINUTE, pending_limit_ms=MINUTE)
    world.add_schedule("s1", "* * * * *", policies=policies)
    world.at("2026-11-02T10:02:00Z")
    assert world.states() == ["Coalesced", "Coalesced", "Pending"]
    assert [row.holder_id for row in world.rows()] == [2, 3, None]
    assert [row.expires_at is None for row in world.rows()] == [True, True, False]


# --- Blocked


@pytest.mark.contract("K20", "K57")
def test_without_a_target_an_occurrence_is_blocked(world: LedgerWorld) -> None:
    world.add_schedule("s1", "0 * * * *", target=None)
    world.at("2026-11-02T10:00:00Z")
    (row,) = world.rows()
    assert (row.state, row.diagnostic, row.target_id) == (S.BLOCKED, "no target is connected", None)
    assert row.finished_at == world.clock.now()
    assert world.schedule("s1").state is ScheduleState.RUNNING


@pytest.mark.contract("K57")
def test_a_target_whose_session_is_closed_blocks(world: LedgerWorld) -> None:
    world.add_terminal("t1", state="closed")
    world.add_schedule("s1", "0 * * * *")
    world.at("2026-11-02T10:00:00Z")
    (row,) = world.rows()
    assert (row.state, row.diagnostic) == (S.BLOCKED, "its session is closed")
    assert not world.offered


def test_how_a_session_ended_is_said_on_the_attempt(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.closes(diagnostic="its shell was killed by SIGKILL")
    world.at("2026-11-02T10:00:00Z")
    assert world.rows()[0].diagnostic == "its shell was killed by SIGKILL"


@pytest.mark.contract("K57")
def test_a_workspace_whose_directory_is_gone_blocks(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    shutil.rmtree(world.directory)
    world.at("2026-11-02T10:00:00Z")
    (row,) = world.rows()
    assert row.state is S.BLOCKED
    assert "directory" in row.diagnostic
    world.directory.mkdir()
    world.at("2026-11-02T11:00:00Z")
    assert world.states() == ["Blocked", "Delivering"]


# --- Waking, failing, and many at once


def test_the_next_wake_is_the_earliest_of_all(world: LedgerWorld) -> None:
    assert world.dispatcher.next_wake() is None
    world.add_terminal(state="busy")
    world.add_schedule("s1", "0 * * * *", policies=Policies(pending_limit_ms=20 * MINUTE))
    world.add_schedule("s2", "30 * * * *")
    world.at("2026-11-02T10:00:00Z")
    assert world.dispatcher.next_wake() == parse_instant("2026-11-02T10:20:00Z"), "the pending limit"
    world.clock.go_to("2026-11-02T10:20:00Z")
    world.expire()
    assert world.dispatcher.next_wake() == parse_instant("2026-11-02T10:30:00Z")


def test_a_claim_that_cannot_be_kept_claims_nothing_and_delivers_nothing(
    world: LedgerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.clock.go_to("2026-11-02T10:00:00Z")
    with monkeypatch.context() as patched:
        patched.setattr(ledger, "insert", lambda tx, rows: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            world.claim()
    assert world.rows() == []
    assert world.next_due("s1") == "2026-11-02T10:00:00Z"
    world.claim()
    assert world.states() == ["Delivering"]


def test_ten_thousand_due_at_once(world: LedgerWorld) -> None:
    targets = [world.add_terminal(f"t{number}") for number in range(100)]
    add_many(world.store, 10_000, targets, world.clock.now())
    world.clock.go_to("2026-11-02T10:00:00Z")
    began = time.perf_counter()
    world.claim()
    print(f"10,000 claimed in {time.perf_counter() - began:.3f} s")
    rows = world.rows()
    assert len(rows) == len({row.schedule_id for row in rows}) == 10_000
    counts = {state: sum(row.state is state for row in rows) for state in S}
    assert (counts[S.DELIVERING], counts[S.PENDING], counts[S.COALESCED]) == (100, 100, 9_800)
    assert {delivery.target_id for delivery in world.offered} == set(targets)
    with world.store.reading() as view:
        assert schedules.next_due(view) == parse_instant("2026-11-02T11:00:00Z")
        assert schedules.due(view, world.clock.now()) == []


def add_many(store: Store, count: int, targets: list[str], now: int) -> None:
    """Hourly Schedules by plain SQL, shared out among the targets."""
    definition = schedules.definition_columns(Cron("0 * * * *"), "UTC", "true", Policies())
    columns = ", ".join(definition)
    marks = ", ".join("?" * len(definition))
    names = [(f"s{number:05}", targets[number % len(targets)]) for number in range(count)]
    due = parse_instant("2026-11-02T10:00:00Z")
    with store.transaction() as tx:
        tx.exec_driver_sql(
            "INSERT INTO nodes (id, workspace_id, kind, name, created_at) VALUES (?, 'w', 'schedule', ?, ?)",
            [(name, name, now) for name, _ in names],
        )
        tx.exec_driver_sql(
            f"INSERT INTO schedules (node_id, state, next_due, {columns}) VALUES (?, 'Running', ?, {marks})",
            [(name, due, *definition.values()) for name, _ in names],
        )
        tx.exec_driver_sql(
            "INSERT INTO connections (a, b, schedule_id, created_at) VALUES (?, ?, ?, ?)",
            [(name, target, name, now) for name, target in names],
        )


def test_two_open_files_never_claim_one_instant_twice(world: LedgerWorld) -> None:
    """Even were there two writers, the schema lets one of them through."""
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    with world.store.reading() as view:
        (path,) = [row[2] for row in view.exec_driver_sql("PRAGMA database_list") if row[1] == "main"]
    other = open_store(type(world.directory)(path), world.directory)
    second = Dispatcher(other, world.clock, world.targets, world.directories)
    world.clock.go_to("2026-11-02T10:00:00Z")
    first_turn, second_turn = world.claim(), second.claim_due()
    other.close()
    assert len(first_turn.deliveries) == 1
    assert second_turn == Turn()
    assert len(world.rows()) == 1

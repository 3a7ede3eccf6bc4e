"""The arbiter: who is handed over next, and how what was observed is recorded."""

from __future__ import annotations

import pytest
from ledger_world import MINUTE, LedgerWorld, outcome

from kavor.domain.attempts import AttemptState, Trigger
from kavor.domain.errors import Refused
from kavor.domain.instant import parse_instant
from kavor.domain.schedule import Overlap, Policies, ScheduleState
from kavor.runtime.events import Change
from kavor.runtime.observations import Asked, Ended, HandedOver, Poke, Seen
from kavor.runtime.turn import Delivery, Turn, Work
from kavor.sessions.session import HandOver, WaitingFor
from kavor.store import ledger, schedules

S = AttemptState


@pytest.fixture
def two(world: LedgerWorld) -> LedgerWorld:
    """Two hourly Schedules at one Terminal, the second a quarter after the first."""
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.add_schedule("s2", "15 * * * *", payload="make docs")
    return world


# --- How a delivery ends


@pytest.mark.contract("K11", "K52", "K54", "K55", "K56", "K61")
@pytest.mark.parametrize(
    ("state", "code", "diagnostic"),
    [
        (S.COMPLETED, 0, ""),
        (S.FAILED, 3, ""),
        (S.FIRED, None, "completion cannot be observed in this shell"),
        (S.INTERRUPTED, None, "its shell was killed"),
    ],
)
def test_the_outcome_is_recorded_as_it_was_observed(
    two: LedgerWorld, state: AttemptState, code: int | None, diagnostic: str
) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.clock.go(5_000)
    ended = outcome(state, exit_code=code, diagnostic=diagnostic, output="success!\n")
    turn = two.observe(Ended(Work.attempt(1), ended))
    row = two.row(1)
    assert (row.state, row.exit_code, row.diagnostic) == (state, code, diagnostic)
    assert row.duration_ms == 250
    assert row.finished_at == two.clock.now()
    assert row.delivered_at == row.nominal_at
    assert Change("attempt", "1") in turn.changes
    assert Change("schedule", "s1") in turn.changes
    with two.store.reading() as view:
        evidence = ledger.evidence_of(view, 1)
    assert evidence is not None
    assert evidence.output == "success!\n"


def test_the_times_that_the_session_observed_win(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    written, ended = parse_instant("2026-11-02T10:00:00.020Z"), parse_instant("2026-11-02T10:00:03Z")
    two.accepts(1, at=written)
    assert two.row(1).delivered_at == written
    two.clock.go(60_000)
    two.observe(Ended(Work.attempt(1), outcome(S.COMPLETED, at=ended)))
    assert two.row(1).finished_at == ended
    assert two.row(1).delivered_at == written


@pytest.mark.contract("K68", "K77")
def test_an_outcome_is_recorded_once(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.ends(1, S.FAILED, 3)
    before = two.row(1)
    two.clock.go(60_000)
    assert two.ends(1, S.COMPLETED, 0) == Turn()
    assert two.row(1) == before


def test_an_outcome_may_come_before_the_answer_to_its_delivery(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.ends(1)
    two.accepts(1)
    assert two.states() == ["Completed"]


def test_an_outcome_of_no_attempt_of_ours_is_passed_over(two: LedgerWorld) -> None:
    assert two.ends(99) == Turn()
    assert two.accepts(99) == Turn()


@pytest.mark.contract("K53")
def test_what_needs_attention_keeps_the_target_and_may_still_complete(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.observe(Asked(Work.attempt(1), "may it write to /etc?"))
    assert two.row(1).diagnostic == "may it write to /etc?"
    two.at("2026-11-02T10:15:00Z")
    two.at("2026-11-02T11:00:00Z")
    assert two.states() == ["Needs attention", "Pending", "Coalesced"]
    two.ends(1)
    assert two.states() == ["Completed", "Delivering", "Coalesced"]
    assert two.row(1).diagnostic == ""


def test_a_question_about_what_is_over_changes_nothing(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.ends(1)
    assert two.observe(Asked(Work.attempt(1), "may it?"), Asked(Work.attempt(99), "may it?")) == Turn()
    assert two.states() == ["Completed"]


# --- The slot


@pytest.mark.contract("K69", "K50")
def test_what_waits_is_handed_over_when_the_work_has_ended(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    assert two.ready() == Turn(changes=[Change("session", "t1"), Change("attempt", "2")]), "still at work"
    two.clock.go(60_000)
    turn = two.ends(1)
    assert turn.deliveries == [Delivery(2, "t1", "make docs")]
    assert two.row(2).state is S.DELIVERING
    assert two.row(2).delivered_at == two.clock.now()


def test_it_waits_on_while_the_target_is_not_ready(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.busy(waiting_for=WaitingFor.UNFINISHED_INPUT)
    two.ends(1)
    assert two.states() == ["Completed", "Pending"]
    two.ready()
    assert two.states() == ["Completed", "Delivering"]


@pytest.mark.contract("K71", "K79")
def test_what_was_coalesced_or_missed_is_never_delivered_later(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.at("2026-11-02T11:00:00Z")
    two.at("2026-11-02T14:05:00Z")
    assert two.states() == ["Delivering", "Pending", "Coalesced", "Missed", "Missed"]
    for _ in range(3):
        for number in (1, 2):
            two.ends(number)
        two.ready()
        two.observe(Poke("t1"))
        two.expire()
        two.claim()
    assert two.states() == ["Completed", "Completed", "Coalesced", "Missed", "Missed"]
    assert [delivery.work.id for delivery in two.offered] == [1, 2]


def test_the_payload_is_the_one_at_the_claim(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    with two.store.transaction() as tx:
        schedules.change_schedule(tx, "s2", {"payload": "rm -rf build"})
    two.ends(1)
    assert two.offered[-1].payload == "make docs"


# --- Declined


@pytest.mark.contract("K+7")
def test_what_is_declined_waits_in_the_slot_again(two: LedgerWorld) -> None:
    """A person has begun to type: not a byte was written."""
    two.at("2026-11-02T10:00:00Z")
    two.busy(waiting_for=WaitingFor.UNFINISHED_INPUT)
    two.declines(1)
    row = two.row(1)
    assert (row.state, row.delivered_at) == (S.PENDING, None)
    two.ready()
    two.accepts(1)
    assert two.states() == ["Delivering"]
    assert two.deliveries(1) == 2


def test_what_is_declined_goes_ahead_of_one_that_came_later(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.busy()
    two.declines(1)
    assert two.states() == ["Pending", "Coalesced"]
    assert two.row(2).holder_id == 1
    two.ready()
    assert two.states() == ["Delivering", "Coalesced"]


def test_under_replace_a_declined_attempt_gives_way_to_a_newer_one_of_its_schedule(
    world: LedgerWorld,
) -> None:
    world.add_terminal()
    world.add_schedule("s1", "*/15 * * * *", policies=Policies(overlap=Overlap.REPLACE))
    world.at("2026-11-02T10:00:00Z")
    world.at("2026-11-02T10:15:00Z")
    world.busy()
    world.declines(1)
    assert world.states() == ["Coalesced", "Pending"]
    assert world.row(1).holder_id == 2
    world.ready()
    assert world.states() == ["Coalesced", "Delivering"]


def test_a_poke_offers_it_again_where_the_target_only_seemed_ready(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.declines(1)
    assert two.states() == ["Pending"]
    assert two.observe(Poke("t1")).deliveries == [Delivery(1, "t1", "make check")]


def test_an_answer_that_comes_late_changes_no_outcome(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.ends(1)
    assert two.declines(1) == Turn()
    assert two.states() == ["Completed"]


def test_an_acceptance_that_comes_after_a_decline_is_believed(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.declines(1)
    two.accepts(1)
    assert two.states() == ["Delivering"]


def test_its_pending_limit_counts_from_the_claim_even_after_a_decline(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *", policies=Policies(pending_limit_ms=10 * MINUTE))
    world.at("2026-11-02T10:00:00Z")
    world.at("2026-11-02T10:04:00Z")
    world.declines(1)
    assert world.row(1).expires_at == parse_instant("2026-11-02T10:10:00Z")


# --- Closed


@pytest.mark.contract("K57")
def test_what_waits_is_blocked_when_the_session_closes(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.closes(diagnostic="its shell exited with 0")
    assert two.states() == ["Delivering", "Blocked"], "the first is told by its own outcome"
    row = two.row(2)
    assert (row.diagnostic, row.finished_at) == ("its shell exited with 0", two.clock.now())


@pytest.mark.contract("K57", "K74")
def test_a_delivery_that_found_no_session_is_blocked(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.observe(HandedOver(Work.attempt(1), HandOver(accepted=False, closed=True)))
    row = two.row(1)
    assert (row.state, row.delivered_at, row.diagnostic) == (S.BLOCKED, None, "its session is closed")


@pytest.mark.contract("K57")
def test_what_waits_is_blocked_where_its_workspace_has_gone_meanwhile(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.directory.rmdir()
    two.ends(1)
    assert two.states() == ["Completed", "Blocked"]
    assert "directory" in two.row(2).diagnostic
    assert len(two.offered) == 1


def test_a_session_that_opens_again_gets_nothing_old(two: LedgerWorld) -> None:
    two.closes()
    two.at("2026-11-02T10:00:00Z")
    two.ready()
    assert two.states() == ["Blocked"]
    assert two.offered == []


def test_other_targets_are_left_alone(two: LedgerWorld) -> None:
    two.add_terminal("t2", state="busy")
    two.add_schedule("s3", "0 * * * *", target="t2")
    two.at("2026-11-02T10:00:00Z")
    two.closes("t1")
    assert two.states("s3") == ["Pending"]


# --- Limits, and taking back


def test_what_waited_longer_than_its_limit_is_blocked(world: LedgerWorld) -> None:
    world.add_terminal(state="busy")
    world.add_schedule("s1", "0 * * * *", policies=Policies(pending_limit_ms=90_000))
    world.at("2026-11-02T10:00:00Z")
    world.clock.go(89_999)
    assert world.expire() == Turn()
    assert world.states() == ["Pending"]
    world.clock.go(1)
    world.expire()
    row = world.row(1)
    assert (row.state, row.diagnostic) == (S.BLOCKED, "waited longer than 90 s")
    world.ready()
    assert world.offered == []


def test_without_a_limit_it_waits_as_long_as_it_takes(world: LedgerWorld) -> None:
    world.add_terminal(state="busy")
    world.add_schedule("s1", "2026-11-02T10:00")
    world.at("2026-11-02T10:00:00Z")
    world.clock.go_to("2027-11-02T10:00:00Z")
    world.expire()
    world.ready()
    assert world.states() == ["Delivering"]


def test_what_is_withdrawn_is_blocked_for_good(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.withdraw(2)
    assert (two.row(2).state, two.row(2).diagnostic) == (S.BLOCKED, "withdrawn")
    two.ends(1)
    assert [delivery.work.id for delivery in two.offered] == [1]


def test_only_what_waits_can_be_withdrawn(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    with pytest.raises(Refused, match="Delivering, not Pending"):
        two.withdraw(1)
    assert two.states() == ["Delivering"]


# --- Run now


@pytest.mark.contract("K42", "K43", "K44", "K46")
@pytest.mark.parametrize("running", [True, False])
def test_run_now_makes_a_manual_attempt_and_leaves_the_schedule_as_it_was(
    world: LedgerWorld, running: bool
) -> None:
    """P04."""
    world.add_terminal()
    world.add_schedule("s1", "0 7 * * *", zone="Europe/Berlin", running=running)
    before = world.schedule("s1")
    made = world.run_now("s1")
    row = world.row(made)
    assert (row.trigger, row.nominal_at, row.state) == (Trigger.MANUAL, None, S.DELIVERING)
    world.ends(made)
    assert world.schedule("s1") == before
    world.at("2026-11-03T06:00:00Z")
    scheduled = [row for row in world.rows() if row.trigger is Trigger.SCHEDULED]
    assert [row.nominal_at for row in scheduled] == (
        [parse_instant("2026-11-03T06:00:00Z")] if running else []
    )


def test_run_now_waits_in_the_slot_of_a_busy_target(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    made = two.run_now("s2")
    assert two.row(made).state is S.PENDING
    two.at("2026-11-02T10:15:00Z")
    assert two.states() == ["Delivering", "Pending", "Coalesced"]
    two.ends(1)
    assert two.row(made).state is S.DELIVERING


def test_run_now_is_refused_where_the_slot_is_taken_and_makes_no_row(two: LedgerWorld) -> None:
    """Decision 11."""
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    with pytest.raises(Refused, match="attempt 2 already waits for 't1'") as refusal:
        two.run_now("s1")
    assert "withdraw 2" in refusal.value.hint
    assert len(two.rows()) == 2


def test_run_now_replaces_nothing_even_where_an_occurrence_would(world: LedgerWorld) -> None:
    world.add_terminal(state="busy")
    world.add_schedule("s1", "0 * * * *", policies=Policies(overlap=Overlap.REPLACE))
    world.at("2026-11-02T10:00:00Z")
    with pytest.raises(Refused):
        world.run_now("s1")
    assert world.states() == ["Pending"]


@pytest.mark.contract("K57")
def test_run_now_at_a_closed_session_is_recorded_as_blocked(world: LedgerWorld) -> None:
    world.add_terminal(state="closed")
    world.add_schedule("s1", "0 * * * *", running=False)
    row = world.row(world.run_now("s1"))
    assert (row.state, row.diagnostic, row.finished_at) == (
        S.BLOCKED,
        "its session is closed",
        world.clock.now(),
    )


def test_run_now_obeys_the_pending_limit(world: LedgerWorld) -> None:
    world.add_terminal(state="busy")
    world.add_schedule("s1", "0 * * * *", running=False, policies=Policies(pending_limit_ms=MINUTE))
    made = world.run_now("s1")
    world.clock.go(MINUTE)
    world.expire()
    assert world.row(made).state is S.BLOCKED


@pytest.mark.contract("K45", "K68")
@pytest.mark.parametrize("state", [S.FAILED, S.INTERRUPTED])
def test_nothing_that_failed_is_tried_again(two: LedgerWorld, state: AttemptState) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.ends(1, state, None)
    two.ready()
    two.observe(Poke("t1"))
    two.claim()
    assert two.states() == [state]
    assert len(two.offered) == 1


# --- A group of observations


def test_a_group_is_recorded_in_its_order(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.observe(
        Seen(two.session("t1", WaitingFor.BUSY)),
        HandedOver(Work.attempt(1), HandOver(accepted=True)),
        Ended(Work.attempt(1), outcome(S.COMPLETED, exit_code=0)),
        Seen(two.session("t1")),
    )
    assert two.states() == ["Completed", "Delivering"]


def test_a_group_is_recorded_all_or_none(two: LedgerWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    two.at("2026-11-02T10:00:00Z")
    monkeypatch.setattr(ledger, "keep_evidence", lambda *args, **kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        two.observe(
            HandedOver(Work.attempt(1), HandOver(accepted=True)), Ended(Work.attempt(1), outcome(S.COMPLETED))
        )
    assert two.states() == ["Delivering"]


@pytest.mark.contract("K65", "K77")
def test_after_a_restart_nothing_is_delivered_again(two: LedgerWorld) -> None:
    two.at("2026-11-02T10:00:00Z")
    two.at("2026-11-02T10:15:00Z")
    two.restart()
    assert two.states() == ["Interrupted", "Blocked"]
    assert two.row(2).diagnostic == "runtime stopped"
    two.ready()
    assert [delivery.work.id for delivery in two.offered] == [1]
    assert two.schedule("s1").state is ScheduleState.RUNNING

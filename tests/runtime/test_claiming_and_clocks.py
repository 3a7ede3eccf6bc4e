"""The dispatcher when a clock was set, the zone data changed, or a zone is gone."""

from __future__ import annotations

import pytest
from ledger_world import MINUTE, LedgerWorld

from kavor.domain.attempts import AttemptState
from kavor.domain.instant import parse_instant
from kavor.domain.recurrence import Cron
from kavor.domain.schedule import ScheduleState
from kavor.runtime import planning
from kavor.runtime.planning import replan_after_set_back, replan_for_zone_data
from kavor.runtime.turn import Turn
from kavor.store import schedules, workspaces

S = AttemptState


def forget_the_zone(world: LedgerWorld, name: str) -> None:
    with world.store.transaction() as tx:
        schedules.change_schedule(tx, name, {"zone": "Mars/Olympus_Mons"})


@pytest.mark.contract("K29")
@pytest.mark.parametrize(("late_ms", "state"), [(0, "Delivering"), (5 * MINUTE, "Missed")])
def test_a_zone_that_is_gone_pauses_with_the_reason_and_the_instant_is_explained(
    world: LedgerWorld, late_ms: int, state: str
) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.add_schedule("s2", "30 * * * *")
    forget_the_zone(world, "s1")
    world.clock.go_to("2026-11-02T10:00:00Z")
    world.clock.go(late_ms)
    world.claim()
    assert world.states() == [state]
    paused = world.schedule("s1")
    assert paused.state is ScheduleState.PAUSED
    assert paused.pause_reason is not None
    assert "Mars/Olympus_Mons" in paused.pause_reason
    assert world.schedule("s2").state is ScheduleState.RUNNING


def replan(world: LedgerWorld, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(planning, "tzdata_version", lambda: version)
    with world.store.transaction() as tx:
        replan_for_zone_data(tx, world.clock.now())


def test_new_zone_data_moves_the_coming_times(world: LedgerWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.add_schedule("s1", "0 12 * * *", target=None)
    world.add_schedule("paused", "0 12 * * *", target=None, running=False)
    replan(world, monkeypatch, "2026z")
    with world.store.transaction() as tx:  # as the older zone data had it
        schedules.change_schedule(tx, "s1", {"next_due": parse_instant("2026-11-02T13:00:00Z")})
    replan(world, monkeypatch, "2026z")
    assert world.next_due("s1") == "2026-11-02T13:00:00Z", "the same version plans nothing anew"
    replan(world, monkeypatch, "2027a")
    assert world.next_due("s1") == "2026-11-02T12:00:00Z"
    assert world.next_due("paused") is None
    with world.store.reading() as view:
        assert workspaces.fact(view, "tzdata") == "2027a"


def test_new_zone_data_that_lost_a_zone_pauses_with_the_reason(
    world: LedgerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_schedule("s1", "0 12 * * *", target=None)
    forget_the_zone(world, "s1")
    replan(world, monkeypatch, "2027a")
    paused = world.schedule("s1")
    assert paused.state is ScheduleState.PAUSED
    assert "Mars/Olympus_Mons" in (paused.pause_reason or "")


def test_an_instant_that_was_promised_under_older_zone_data_is_explained(
    world: LedgerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had passed when the zone data changed, so it stays due, though the new grid does not have it."""
    world.add_schedule("s1", "0 12 * * *", target=None)
    with world.store.transaction() as tx:
        schedules.change_schedule(tx, "s1", {"next_due": parse_instant("2026-11-02T11:00:00Z")})
    world.clock.go_to("2026-11-02T11:00:10Z")
    replan(world, monkeypatch, "2027a")
    world.claim()
    assert world.nominals() == ["2026-11-02T11:00:00Z"]
    assert world.states() == ["Blocked"]
    assert world.next_due("s1") == "2026-11-02T12:00:00Z"


def test_missed_instants_are_counted_from_the_promised_one(
    world: LedgerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_schedule("s1", "0 12 * * *", target=None)
    with world.store.transaction() as tx:
        schedules.change_schedule(tx, "s1", {"next_due": parse_instant("2026-11-02T11:00:00Z")})
    world.at("2026-11-04T15:00:00Z")
    (row,) = world.rows()
    assert (row.state, row.missed_count) == (S.MISSED, 4)
    assert world.nominals() == ["2026-11-04T12:00:00Z"]


@pytest.mark.contract("K58")
def test_a_clock_set_forward_is_like_a_sleep(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.clock.set("2026-11-02T13:30:00Z")
    world.claim()
    assert [(str(row.state), row.missed_count) for row in world.rows()] == [("Missed", 4)]


@pytest.mark.contract("K77")
def test_what_was_claimed_before_the_clock_went_back_is_passed_over(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    for at in ("10:00", "11:00", "12:00"):
        world.at(f"2026-11-02T{at}:00Z")
        world.ends(len(world.rows()))
    world.clock.set("2026-11-02T10:30:00Z")
    with world.store.transaction() as tx:
        replan_after_set_back(tx, world.clock.now(), Turn())
    assert world.next_due("s1") == "2026-11-02T13:00:00Z"
    world.resume("s1")  # as a person might: it looks at the grid alone
    for at in ("11:00", "12:00", "13:00"):
        world.at(f"2026-11-02T{at}:00Z")
    assert world.nominals() == [f"2026-11-02T{at}:00Z" for at in ("10:00", "11:00", "12:00", "13:00")]
    assert len(world.offered) == 4


def test_a_time_recorded_by_a_wrong_clock_silences_nothing(
    world: LedgerWorld, caplog: pytest.LogCaptureFixture
) -> None:
    """A clock a day ahead made a Missed row; set right, its instants come as if nothing had been."""
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.clock.set("2026-11-03T10:30:00Z")
    world.claim()
    assert world.states() == ["Missed"]
    world.clock.set("2026-11-02T10:00:30Z")
    with world.store.transaction() as tx:
        replan_after_set_back(tx, world.clock.now(), Turn())
    assert [(str(row.state), row.missed_count) for row in world.rows()] == [("Missed", 1)]
    assert world.nominals() == ["2026-11-02T10:00:00Z"]
    assert "taken back" in caplog.text
    world.at("2026-11-02T11:00:00Z")
    assert world.states() == ["Missed", "Delivering"]


def test_a_once_that_a_wrong_clock_used_up_runs_after_all(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "2026-11-02T12:00")
    world.clock.set("2026-11-03T00:00:00Z")
    world.claim()
    assert world.schedule("s1").state is ScheduleState.PAUSED
    world.clock.set("2026-11-02T11:00:00Z")
    with world.store.transaction() as tx:
        replan_after_set_back(tx, world.clock.now(), Turn())
    assert world.rows() == []
    world.at("2026-11-02T12:00:00Z")
    assert world.states() == ["Delivering"]


def test_a_clock_set_back_after_an_edit_tells_no_instant_twice(world: LedgerWorld) -> None:
    """The times that a Missed row stands for are not on the grid that the Schedule has now."""
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.at("2026-11-02T10:00:00Z")
    world.ends(1)
    world.clock.set("2026-11-02T14:30:00Z")
    world.claim()
    assert world.states() == ["Completed", "Missed"]
    with world.store.transaction() as tx:
        schedules.change_schedule(tx, "s1", {"recurrence": schedules.write_recurrence(Cron("0 10 * * *"))})
    world.clock.set("2026-11-02T10:30:00Z")
    with world.store.transaction() as tx:
        replan_after_set_back(tx, world.clock.now(), Turn())
    assert world.states() == ["Completed"]
    assert world.next_due("s1") == "2026-11-03T10:00:00Z"


def test_a_clock_set_back_passes_over_a_zone_that_is_gone(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    forget_the_zone(world, "s1")
    world.clock.set("2026-11-02T14:30:00Z")
    world.claim()
    assert world.states() == ["Missed"]
    world.clock.set("2026-11-02T09:00:00Z")
    with world.store.transaction() as tx:
        replan_after_set_back(tx, world.clock.now(), Turn())
    assert world.schedule("s1").state is ScheduleState.PAUSED

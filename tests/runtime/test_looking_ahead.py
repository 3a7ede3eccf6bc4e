"""What is worked out shortly before an instant: it makes the claim sooner, and changes nothing of it."""

from __future__ import annotations

import logging
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import tzdata
from ledger_world import LedgerWorld
from scripted_runtime import ScriptedRuntime

from kavor.domain.errors import StorageFailed
from kavor.domain.instant import Instant, parse_instant
from kavor.domain.recurrence import (
    Cron,
    Every,
    Once,
    Recurrence,
    latest_between,
    parse_local,
    parse_recurrence,
)
from kavor.domain.schedule import Policies
from kavor.domain.zones import load_zone
from kavor.runtime import dispatcher, planning
from kavor.store import schedules, workspaces


def work_out_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("worked out though it was known")

    monkeypatch.setattr(planning, "next_due", refuse)


def edit(world: LedgerWorld, name: str, recurrence: Recurrence, zone: str = "UTC") -> None:
    with world.store.transaction() as tx:
        definition = schedules.definition_columns(recurrence, zone, "make other", Policies())
        schedules.change_schedule(tx, name, definition)


def test_a_claim_finds_what_follows_worked_out(world: LedgerWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0,17 * * * *")
    world.dispatcher.look_ahead()
    work_out_no_more(monkeypatch)
    world.at("2026-11-02T10:00:00Z")
    assert world.states() == ["Delivering"]
    assert world.next_due("s1") == "2026-11-02T10:17:00Z"


def test_nothing_is_claimed_early(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.add_schedule("once", "2026-11-02T10:00")
    world.clock.go_to("2026-11-02T09:59:59Z")
    world.dispatcher.look_ahead()
    assert not world.claim().changes
    assert world.rows() == []
    assert world.next_due("s1") == "2026-11-02T10:00:00Z"
    assert world.schedule("once").pause_reason is None
    world.at("2026-11-02T10:00:00Z")
    assert sorted(world.states()) == ["Delivering", "Pending"]


def test_an_edit_after_it_takes_effect(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.dispatcher.look_ahead()
    edit(world, "s1", Cron("0,40 * * * *"))
    world.at("2026-11-02T10:00:00Z")
    assert [row.payload for row in world.rows()] == ["make other"]
    assert world.next_due("s1") == "2026-11-02T10:40:00Z"


def test_another_zone_after_it_takes_effect(world: LedgerWorld) -> None:
    world.add_schedule("s1", "0 10 * * *", target=None)
    world.dispatcher.look_ahead()
    edit(world, "s1", Cron("0 10 * * *"), zone="Asia/Tokyo")
    world.at("2026-11-02T10:00:00Z")
    assert world.next_due("s1") == "2026-11-03T01:00:00Z"


@pytest.mark.contract("K37")
def test_a_pause_after_it_takes_effect(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.dispatcher.look_ahead()
    world.pause("s1")
    world.at("2026-11-02T10:00:00Z")
    assert world.rows() == []


def test_another_target_after_it_takes_effect(world: LedgerWorld) -> None:
    world.add_terminal("t1")
    world.add_terminal("t2")
    world.add_schedule("s1", "0 * * * *", target="t1")
    world.dispatcher.look_ahead()
    with world.store.transaction() as tx:
        (joined,) = workspaces.connections_of(tx, "s1")
        workspaces.remove_connection(tx, joined.id)
        workspaces.add_connection(
            tx, "s1", "t2", schedule_id="s1", environment_name=None, created_at=world.clock.now()
        )
    world.at("2026-11-02T10:00:00Z")
    assert [delivery.target_id for delivery in world.offered] == ["t2"]


def test_zone_data_that_was_loaded_anew_after_it_takes_effect(
    world: LedgerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_schedule("s1", "0 10 * * *", target=None, zone="Europe/London")
    world.dispatcher.look_ahead()

    def newer_data(key: str) -> ZoneInfo:
        with Path(tzdata.__path__[0], "zoneinfo", "Asia", "Tokyo").open("rb") as file:
            return ZoneInfo.from_file(file, key=key)

    monkeypatch.setattr(dispatcher, "load_zone", newer_data)
    world.at("2026-11-02T10:00:00Z")
    assert world.next_due("s1") == "2026-11-03T01:00:00Z"


def test_a_zone_that_is_gone_keeps_it_from_nothing_else(
    world: LedgerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_schedule("gone", "0 * * * *", target=None)
    world.add_schedule("s1", "0,23 * * * *", target=None)
    edit(world, "gone", Cron("0 * * * *"), zone="Mars/Olympus_Mons")
    world.dispatcher.look_ahead()
    work_out_no_more(monkeypatch)
    world.at("2026-11-02T10:00:00Z")
    assert world.next_due("s1") == "2026-11-02T10:23:00Z"
    assert "Mars/Olympus_Mons" in (world.schedule("gone").pause_reason or "")


def test_it_is_over_when_the_instant_has_come(world: LedgerWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.add_schedule("s1", "0,29 * * * *", target=None)
    world.clock.go_to("2026-11-02T10:00:00Z")
    work_out_no_more(monkeypatch)
    world.dispatcher.look_ahead()


def test_where_nothing_is_due_there_is_nothing_to_look_at(world: LedgerWorld) -> None:
    world.add_schedule("s1", "0 * * * *", target=None, running=False)
    world.dispatcher.look_ahead()
    assert world.rows() == []


async def test_the_runtime_looks_ahead_when_its_alarm_says_that_the_time_is_near(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    await scripted.schedule(cron="0,31 * * * *")
    scripted.alarm.is_near()
    await scripted.runtime.read(lambda view: None)
    work_out_no_more(monkeypatch)
    await scripted.at("2026-11-02T10:00:00Z")
    assert await scripted.deliveries() == 1


@pytest.mark.parametrize("fault", [StorageFailed("the disk is full", "free some"), ValueError("a fault")])
async def test_a_look_ahead_that_fails_holds_up_nothing(
    scripted: ScriptedRuntime,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    await scripted.schedule()

    def fail() -> None:
        raise fault

    monkeypatch.setattr(scripted.runtime.dispatcher, "look_ahead", fail)
    scripted.alarm.is_near()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    logged = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(logged) == int(isinstance(fault, ValueError))


@pytest.mark.parametrize(
    "recurrence",
    [
        Cron("* * * * *"),
        Cron("0 9 * * 1-5"),
        Cron("0 0 29 2 *"),
        parse_recurrence({"every": "2w", "anchor": "2026-10-05T09:00"}),
        parse_recurrence({"every": "90m", "anchor": "2026-10-05T09:00"}),
        Once(parse_local("2019-05-01T10:00")),
        Once(parse_local("2031-05-01T10:00")),
    ],
    ids=lambda recurrence: type(recurrence).__name__,
)
def test_the_last_instant_is_found_by_looking_near_it_first(recurrence: Cron | Every | Once) -> None:
    zone = load_zone("Europe/Berlin")
    for moment in ("2026-11-02T09:59:30Z", "2026-10-25T01:30:00Z", "1970-01-01T00:00:01Z"):
        until = parse_instant(moment)
        found = planning._latest_until(recurrence, zone, until)
        assert found == latest_between(recurrence, zone, Instant(0), until)

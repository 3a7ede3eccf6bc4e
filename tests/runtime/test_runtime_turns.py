"""The runtime's turns: claim, operate, tell; and going on when the disk is full."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from scripted_runtime import ScriptedRuntime
from sqlalchemy.engine import Connection

from kavor.domain.errors import StorageFailed
from kavor.domain.instant import parse_instant
from kavor.runtime import runtime as runtime_module
from kavor.runtime.dispatcher import Dispatcher
from kavor.runtime.events import Change
from kavor.runtime.turn import Turn
from kavor.store import workspaces

FULL = StorageFailed("the disk is full: the database cannot be written", "free some space")


def told(scripted: ScriptedRuntime, after: int) -> list[Change | None]:
    events = scripted.runtime.events.missed_since(after)
    assert events is not None
    return [event.change for event in events]


async def test_a_committed_change_is_told_and_a_failed_one_is_not(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()
    before = scripted.runtime.events.last

    def good(turn: Turn, tx: Connection) -> None:
        workspaces.set_fact(tx, "colour", "green")
        turn.changes.append(Change("runtime", "good"))

    def bad(turn: Turn, tx: Connection) -> None:
        workspaces.set_fact(tx, "colour", "red")
        turn.changes.append(Change("runtime", "bad"))
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        await scripted.runtime.change(bad)
    await scripted.runtime.change(good)
    assert told(scripted, before) == [Change("runtime", "good")]
    assert await scripted.runtime.read(lambda view: workspaces.fact(view, "colour")) == "green"


async def test_the_alarm_is_set_to_what_comes_next(scripted: ScriptedRuntime) -> None:
    made = await scripted.world()
    alarm = scripted.runtime._alarm
    assert alarm._at == parse_instant("2026-11-02T10:00:00Z")
    await scripted.at("2026-11-02T10:00:00Z")
    assert alarm._at == parse_instant("2026-11-02T11:00:00Z")
    await scripted.services.schedules.pause(made["id"], "UTC", None)
    assert alarm._at is None


async def test_when_the_alarm_rings_what_is_due_is_claimed(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    scripted.runtime._alarm.look()
    await scripted.eventually(scripted.deliveries, 1)


@pytest.mark.contract("K58")
async def test_a_jump_of_the_clock_makes_it_look_at_once(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    scripted.clock.set("2026-11-02T14:30:00Z")
    scripted.runtime._alarm.look()
    await scripted.eventually(scripted.states, ["Missed"])


@pytest.mark.contract("K77")
async def test_a_clock_set_back_plans_from_the_present_and_fires_nothing_twice(
    scripted: ScriptedRuntime,
) -> None:
    """Decision 7."""
    made = await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    scripted.sessions.end_latest()
    await scripted.eventually(scripted.states, ["Completed"])
    scripted.clock.set("2026-11-02T08:30:00Z")
    scripted.runtime._alarm.look()

    async def next_due() -> str | None:
        return (await scripted.services.schedules.get(made["id"], "UTC"))["next_due"]

    await scripted.eventually(next_due, "2026-11-02T09:00:00Z")
    for at in ("09:00", "10:00", "11:00"):
        await scripted.at(f"2026-11-02T{at}:00Z")
    nominals = [attempt["nominal_at"] for attempt in await scripted.attempts()]
    assert nominals == [f"2026-11-02T{at}:00Z" for at in ("10:00", "09:00", "11:00")]


async def test_a_full_disk_delivers_nothing_is_told_once_and_ends_by_itself(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.world()
    monkeypatch.setattr(runtime_module, "STORAGE_RETRY_SECONDS", 0.01)
    failures = 0
    claim = Dispatcher.claim_due

    def failing(self: Dispatcher) -> Turn:
        nonlocal failures
        failures += 1
        if failures <= 3:
            raise FULL
        return claim(self)

    monkeypatch.setattr(Dispatcher, "claim_due", failing)
    monkeypatch.setattr(Dispatcher, "next_wake", fail_while(lambda: failures <= 3, Dispatcher.next_wake))
    before = scripted.runtime.events.last
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    with pytest.raises(StorageFailed):
        await scripted.ring()
    assert scripted.sessions.delivered == []
    assert (await scripted.services.status())["storage"] == {"ok": False, "problem": FULL.message}
    await scripted.eventually(scripted.deliveries, 1)
    assert (await scripted.services.status())["storage"] == {"ok": True, "problem": None}
    assert told(scripted, before).count(Change("runtime", "runtime")) == 2, (
        "once when it failed, once when not"
    )


def fail_while(
    condition: Callable[[], bool], method: Callable[[Dispatcher], object]
) -> Callable[[Dispatcher], object]:
    def failing(self: Dispatcher) -> object:
        if condition():
            raise FULL
        return method(self)

    return failing


async def test_the_dispatcher_outlives_a_defect(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await scripted.world()
    monkeypatch.setattr(runtime_module, "STORAGE_RETRY_SECONDS", 0.01)
    claim = Dispatcher.claim_due
    calls = 0

    def broken_once(self: Dispatcher) -> Turn:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("a defect")
        return claim(self)

    monkeypatch.setattr(Dispatcher, "claim_due", broken_once)
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    scripted.runtime._alarm.look()
    await scripted.eventually(scripted.deliveries, 1)
    assert "a defect" in caplog.text


async def test_operations_take_turns_on_one_thread(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()

    def add_one(_turn: Turn, tx: Connection) -> int:
        value = int(workspaces.fact(tx, "counter") or 0) + 1
        workspaces.set_fact(tx, "counter", str(value))
        return value

    results = await asyncio.gather(*(scripted.runtime.change(add_one) for _ in range(50)))
    assert sorted(results) == list(range(1, 51))


async def test_a_defect_in_planning_anew_does_not_stop_the_dispatcher(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.world()
    monkeypatch.setattr(runtime_module, "STORAGE_RETRY_SECONDS", 0.01)

    def broken(*_given: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(runtime_module, "replan_after_set_back", broken)
    scripted.clock.set("2026-11-02T09:58:00Z")
    scripted.runtime._alarm.look()
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)


async def test_reading_alone_does_not_say_that_the_disk_can_be_written_again(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.world()
    full = True

    def write(_turn: Turn, _tx: object) -> None:
        if full:
            raise FULL

    with pytest.raises(StorageFailed):
        await scripted.runtime.change(write)
    await scripted.runtime.perform(lambda turn: None)
    assert scripted.runtime.storage_problem == FULL.message

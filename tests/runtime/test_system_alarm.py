"""The alarm on this machine's clocks, and the watch that notices when they jump."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from ledger_world import FakeClock

from kavor.domain.instant import Instant, parse_instant
from kavor.runtime.alarm import NEAR_MS, SystemAlarm
from kavor.runtime.clock import SystemClock
from kavor.runtime.clockwatch import ClockWatch

NOON = "2036-11-03T12:00:00Z"


class Bell:
    def __init__(self) -> None:
        self.rang = asyncio.Event()
        self.times = 0
        self.jumps: list[float] = []
        self.is_near = asyncio.Event()
        self.near_at: list[Instant] = []

    def near(self) -> None:
        self.near_at.append(SystemClock().now())
        self.is_near.set()

    def ring(self) -> None:
        self.times += 1
        self.rang.set()

    def jumped(self, seconds: float) -> None:
        self.jumps.append(seconds)


@pytest.fixture
def bell() -> Bell:
    return Bell()


@pytest.fixture
async def alarm(bell: Bell) -> AsyncIterator[SystemAlarm]:
    alarm = SystemAlarm(SystemClock(), bell.ring, bell.jumped, bell.near)
    alarm.start()
    yield alarm
    alarm.stop()


async def test_it_rings_at_its_time_and_never_before(alarm: SystemAlarm, bell: Bell) -> None:
    at = Instant(SystemClock().now() + 60)
    alarm.set(at)
    await asyncio.wait_for(bell.rang.wait(), 10)
    assert SystemClock().now() >= at
    assert bell.times == 1


async def test_it_says_once_that_its_time_is_near(alarm: SystemAlarm, bell: Bell) -> None:
    at = Instant(SystemClock().now() + NEAR_MS + 200)
    alarm.set(at)
    await asyncio.wait_for(bell.rang.wait(), 10)
    (near_at,) = bell.near_at
    assert at - NEAR_MS <= near_at < at
    assert SystemClock().now() >= at
    assert bell.times == 1


async def test_a_time_that_is_near_already_is_forgotten_for_another(alarm: SystemAlarm, bell: Bell) -> None:
    alarm.set(Instant(SystemClock().now() + 200))
    await asyncio.wait_for(bell.is_near.wait(), 10)
    alarm.set(Instant(SystemClock().now() + 3_600_000))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bell.rang.wait(), 0.4)


async def test_a_time_that_has_passed_rings_at_once(alarm: SystemAlarm, bell: Bell) -> None:
    alarm.set(Instant(SystemClock().now() - 3_600_000))
    await asyncio.wait_for(bell.rang.wait(), 10)
    assert bell.near_at == []


async def test_setting_it_anew_forgets_what_was_set_before(alarm: SystemAlarm, bell: Bell) -> None:
    late = Instant(SystemClock().now() + 3_600_000)
    soon = Instant(SystemClock().now() + 60)
    alarm.set(late)
    alarm.set(soon)
    await asyncio.wait_for(bell.rang.wait(), 10)
    bell.rang.clear()
    alarm.set(Instant(SystemClock().now() + 100))
    alarm.set(None)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bell.rang.wait(), 0.3)


async def test_the_same_time_can_be_set_again_after_it_rang(alarm: SystemAlarm, bell: Bell) -> None:
    """As when what was due could not be claimed."""
    at = Instant(SystemClock().now() - 1)
    for _ in range(3):
        bell.rang.clear()
        alarm.set(at)
        await asyncio.wait_for(bell.rang.wait(), 10)


async def test_what_is_set_before_the_start_rings_after_it(bell: Bell) -> None:
    alarm = SystemAlarm(SystemClock(), bell.ring, bell.jumped, bell.near)
    alarm.set(SystemClock().now())
    alarm.start()
    await asyncio.wait_for(bell.rang.wait(), 10)
    alarm.stop()


async def test_a_jump_of_the_clock_is_told(bell: Bell) -> None:
    clock = FakeClock(NOON)
    alarm = SystemAlarm(clock, bell.ring, bell.jumped, bell.near)
    clock.go(10_000)
    alarm.look()
    assert bell.jumps == []
    clock.set("2036-11-03T13:00:10Z")
    alarm.look()
    clock.set("2036-11-03T12:30:10Z")
    alarm.look()
    assert bell.jumps == [3600, -1800]
    alarm.look()
    assert len(bell.jumps) == 2, "told once"


async def test_a_timer_that_slept_too_long_is_noticed(bell: Bell) -> None:
    clock = FakeClock(NOON)
    alarm = SystemAlarm(clock, bell.ring, bell.jumped, bell.near)
    alarm.set(parse_instant("2036-11-03T12:00:05Z"))
    alarm.look()
    assert bell.times == 0
    clock.go(10_000)
    alarm.look()
    assert bell.times == 1


@pytest.mark.parametrize(("moved", "told"), [(1_000, 0), (1_001, 1.001), (-1_000, 0), (-1_001, -1.001)])
def test_a_smaller_step_than_a_second_is_no_jump(moved: int, told: float) -> None:
    clock = FakeClock(NOON)
    watch = ClockWatch(clock)
    clock._wall = Instant(clock.now() + moved)
    assert watch.jump() == pytest.approx(told, abs=1e-6)


def test_a_suspend_is_a_jump_forward() -> None:
    """The monotonic clock stands still while the machine sleeps."""
    clock = FakeClock(NOON)
    watch = ClockWatch(clock)
    clock.go(7_000)
    clock.set("2036-11-03T20:00:07Z")
    assert watch.jump() == pytest.approx(8 * 3600)
    assert watch.jump() == 0.0


def test_the_system_clock_goes_forward_in_utc() -> None:
    clock = SystemClock()
    one, steady = clock.now(), clock.monotonic()
    assert clock.now() >= one
    assert clock.monotonic() >= steady
    assert one > parse_instant("2026-01-01T00:00:00Z")

"""Clocks that move a little, or only seem to: nothing that is due may be lost to them."""

from __future__ import annotations

import pytest
from ledger_world import FakeClock, LedgerWorld

from kavor.domain.instant import Instant
from kavor.runtime.clockwatch import ClockWatch
from kavor.runtime.planning import replan_after_set_back
from kavor.runtime.turn import Turn


@pytest.mark.contract("K49")
def test_what_is_due_by_the_clock_that_was_set_back_is_still_claimed(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.clock.go_to("2026-11-02T10:00:20Z")
    world.clock.set("2026-11-02T10:00:05Z")
    with world.store.transaction() as tx:
        replan_after_set_back(tx, world.clock.now(), Turn())
    world.claim()
    assert world.states() == ["Delivering"]
    assert world.next_due("s1") == "2026-11-02T11:00:00Z"


class StoppingClock(FakeClock):
    """The process is stopped for five seconds just after one of its readings."""

    readings_left = -1

    def now(self) -> Instant:
        wall = super().now()
        self._stop_after_reading()
        return wall

    def monotonic(self) -> float:
        steady = super().monotonic()
        self._stop_after_reading()
        return steady

    def _stop_after_reading(self) -> None:
        self.readings_left -= 1
        if self.readings_left == 0:
            self.go(5_000)


@pytest.mark.parametrize("reading", [1, 2, 3, 4])
def test_a_process_stopped_between_its_readings_sees_no_jump(reading: int) -> None:
    clock = StoppingClock("2026-11-02T10:00:00Z")
    watch = ClockWatch(clock)
    clock.readings_left = reading
    assert watch.jump() == 0.0
    assert watch.jump() == 0.0

"""Notices that the wall clock jumped: a suspend, a step of NTP, a person's hand.

Wall and monotonic time are compared; where they disagree on how much time went by, the wall clock was
moved, or the machine slept (the monotonic clock stands still in a suspend).
"""

from __future__ import annotations

from kavor.runtime.clock import Clock

JUMP_SECONDS = 1.0
"""A smaller disagreement is drift, or a clock being slewed."""


class ClockWatch:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._skew = self._measure()

    def jump(self) -> float:
        """Seconds that the wall clock jumped since the last call: forward positive, 0.0 for none."""
        skew = self._measure()
        jumped = skew - self._skew
        if abs(jumped) <= JUMP_SECONDS:
            return 0.0
        self._skew = skew
        return jumped

    def _measure(self) -> float:
        # A process that is stopped between its two readings would see a jump that never was.
        while True:
            begun = self._clock.monotonic()
            wall = self._clock.now() / 1000
            if self._clock.monotonic() - begun < JUMP_SECONDS / 4:
                return wall - begun

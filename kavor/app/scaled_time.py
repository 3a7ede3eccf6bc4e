"""A testing seam: time that starts where a test wants it and runs as fast as it wants, across restarts.

Only what the runtime itself reads and waits for is scaled. What a shell does, and the instants that the PTY
host reports, are in real time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, parse_instant
from kavor.runtime.alarm import SystemAlarm


@dataclass(frozen=True)
class ScaledClock:
    """Read ``start`` at the real instant ``real_start``, and goes ``factor`` times as fast since."""

    start: Instant
    real_start: Instant
    factor: float

    @classmethod
    def parse(cls, text: str) -> ScaledClock:
        """From ``START,REAL_START,FACTOR``, two instants and a number. Raises BadInput."""
        try:
            start, real_start, factor = text.split(",")
            clock = cls(parse_instant(start), parse_instant(real_start), float(factor))
        except ValueError as error:
            raise _not_a_clock(text) from error
        if not clock.factor > 0:
            raise _not_a_clock(text)
        return clock

    def now(self) -> Instant:
        real = time.time_ns() / 1_000_000
        return Instant(int(self.start + (real - self.real_start) * self.factor))

    def monotonic(self) -> float:
        return time.monotonic() * self.factor

    def real(self, at: Instant) -> Instant:
        """When this clock will read ``at``, rounded up: no timer may come before what it is set to."""
        return Instant(self.real_start - int((self.start - at) / self.factor // 1))


class ScaledAlarm(SystemAlarm):
    """The system's timer, set to the real instant at which a scaled clock reads what is asked for."""

    def _arm(self, at: Instant | None) -> None:
        assert isinstance(self._clock, ScaledClock)
        super()._arm(None if at is None else self._clock.real(at))


def _not_a_clock(text: str) -> BadInput:
    return BadInput(
        f"{text!r} is no test clock",
        "write START,REAL_START,FACTOR: two instants such as 2026-11-02T09:00:00Z, and a number above 0",
    )

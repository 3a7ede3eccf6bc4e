"""What time it is: the seam through which every part of the runtime asks."""

from __future__ import annotations

import time
from typing import Protocol

from kavor.domain.instant import Instant


class Clock(Protocol):
    def now(self) -> Instant:
        """The wall clock, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds on a clock that is never set; only differences mean something."""
        ...


class SystemClock:
    """This machine's clocks."""

    def now(self) -> Instant:
        return Instant(time.time_ns() // 1_000_000)

    def monotonic(self) -> float:
        return time.monotonic()

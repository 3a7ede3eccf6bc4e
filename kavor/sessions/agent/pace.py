"""How fast a program is read that prints without end: as fast as it likes for a while, then at a rate that
costs the runtime little. What is not read yet, the program waits to print."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

AT_ONCE_S = 0.05
"""So much of what the rate allows is read at once, in between which the loop is left to others."""


class Pace:
    def __init__(self, rate: float, burst: float, slowed: Callable[[], None] = lambda: None) -> None:
        """``rate``: what may be read each second, after ``burst``. ``slowed`` is called when that is reached
        for the first time."""
        self._rate = rate
        self._burst = burst
        self._slowed: Callable[[], None] | None = slowed
        self._level = 0.0
        """What was read and the rate has not made up for yet."""
        self._at = time.monotonic()

    async def keep(self, amount: float) -> None:
        """So much was read. Returns when more may be."""
        now = time.monotonic()
        self._level = max(0.0, self._level - (now - self._at) * self._rate) + amount
        self._at = now
        over = self._level - self._burst
        if over > 0:
            if self._slowed is not None:
                self._slowed()
                self._slowed = None
            await asyncio.sleep(over / self._rate + AT_ONCE_S)

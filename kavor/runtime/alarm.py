"""Wake me then: the seam between what is due and the timer that notices.

An alarm carries no truth. It only makes the dispatcher look at the store, so that one which is late, or
lost, costs time but never an occurrence.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from kavor.domain.instant import Instant, to_datetime
from kavor.runtime.clock import Clock, SystemClock
from kavor.runtime.clockwatch import ClockWatch

CLOCK_WATCH_SECONDS = 10
"""How often wall and monotonic time are compared."""

NEAR_MS = 500
"""How long before its time a timer says that it is near."""


class Alarm(ABC):
    """A timer set to the earliest due instant, and a watch on the clock it goes by.

    All three are called on the event loop. ``near`` comes some time before ``ring``, and may not come at all.
    ``jumped`` is given the seconds that the wall clock moved. After a jump the timer is set anew, since one
    that slept through a suspend is late by that long.
    """

    def __init__(
        self,
        clock: Clock,
        ring: Callable[[], None],
        jumped: Callable[[float], None],
        near: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._ring = ring
        self._jumped = jumped
        self._near = near
        self._clock_watch = ClockWatch(clock)
        self._at: Instant | None = None

    def set(self, at: Instant | None) -> None:
        """Ring at ``at``, or never; what was set before is forgotten."""
        if at == self._at:
            return
        self._at = at
        self._arm(at)

    def look(self) -> None:
        """Compare the clocks; to be called every ``CLOCK_WATCH_SECONDS`` at least."""
        jump = self._clock_watch.jump()
        if jump:
            at, self._at = self._at, None
            self.set(at)
            self._jumped(jump)
        elif self._at is not None and self._at <= self._clock.now():
            self._ring()

    def _due(self) -> None:
        self._at = None
        self._ring()

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def stop(self) -> None: ...

    @abstractmethod
    def _arm(self, at: Instant | None) -> None:
        """Let the one timer call ``_due`` at ``at``, or never."""


MakeAlarm = Callable[
    [Clock, Callable[[], None], Callable[[float], None], Callable[[], None]],
    Alarm,
]
"""An alarm of some kind, from what it goes by and what it calls."""


class SystemAlarm(Alarm):
    """One APScheduler job a moment before the earliest due instant, and the clock watch beside it.

    The last moment is left to a timer of the event loop's, which has nothing to look up when it is over.
    """

    def __init__(
        self,
        clock: Clock,
        ring: Callable[[], None],
        jumped: Callable[[float], None],
        near: Callable[[], None],
    ) -> None:
        super().__init__(clock, ring, jumped, near)
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._last_moment: asyncio.TimerHandle | None = None

    def start(self) -> None:
        # coalesce and an unlimited grace: a timer of ours may be late, but it may never be dropped.
        options = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        self._scheduler.configure(job_defaults=options, timezone="UTC")
        self._scheduler.start()
        self._scheduler.add_job(self._watch, IntervalTrigger(seconds=CLOCK_WATCH_SECONDS), id="clock-watch")

    def stop(self) -> None:
        self._forget_last_moment()
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    def _arm(self, at: Instant | None) -> None:
        self._forget_last_moment()
        if at is not None:
            trigger = DateTrigger(to_datetime(Instant(at - NEAR_MS)))
            self._scheduler.add_job(self._come_near, trigger, args=[at], id="due", replace_existing=True)
        elif self._scheduler.get_job("due"):
            self._scheduler.remove_job("due")

    # Coroutines, since APScheduler runs plain functions on another thread.

    async def _come_near(self, at: Instant) -> None:
        left = at - SystemClock().now()
        if left > 0:
            self._near()
        self._forget_last_moment()
        self._last_moment = asyncio.get_running_loop().call_later(left / 1000, self._due)

    async def _watch(self) -> None:
        self.look()

    def _forget_last_moment(self) -> None:
        if self._last_moment is not None:
            self._last_moment.cancel()
            self._last_moment = None

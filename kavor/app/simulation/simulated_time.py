"""Time that passes only when nothing is left to do: a clock, the event loop that goes by it, an alarm."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

from kavor.domain.instant import Instant
from kavor.runtime.alarm import Alarm

P = ParamSpec("P")
T = TypeVar("T")


class SimulatedClock:
    """Wall and monotonic time in whole milliseconds, so that no sum of them is ever rounded."""

    def __init__(self, now: Instant) -> None:
        self._wall_ms = int(now)
        self._monotonic_ms = 0

    def now(self) -> Instant:
        return Instant(self._wall_ms)

    def monotonic(self) -> float:
        return self._monotonic_ms / 1000

    def pass_by(self, milliseconds: int) -> None:
        """Ordinary time: both clocks go on together."""
        self._wall_ms += milliseconds
        self._monotonic_ms += milliseconds

    def set_wall(self, at: Instant) -> None:
        """The wall clock alone moves: a person's hand, or a machine that slept."""
        self._wall_ms = int(at)

    def monotonic_after(self, milliseconds: int) -> float:
        return (self._monotonic_ms + milliseconds) / 1000


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop on the simulated clock: where a real one would wait for a timer, it is that time."""

    def __init__(self, clock: SimulatedClock) -> None:
        self.clock = clock
        self._waiting_for_quiet: list[asyncio.Future[None]] = []
        super().__init__(_NeverWaits(self._nothing_to_do))

    def time(self) -> float:
        return self.clock.monotonic()

    async def quiet(self) -> None:
        """Return when everything that was due by now is done."""
        done = self.create_future()
        self._waiting_for_quiet.append(done)
        await done

    async def pass_until(self, at: Instant) -> None:
        """Let time pass, doing on the way, and at its end, what falls due."""
        there = self.create_future()
        self.call_at(self.clock.monotonic_after(at - self.clock.now()), there.set_result, None)
        await there
        await self.quiet()

    def _nothing_to_do(self, timeout: float | None) -> None:
        if self._waiting_for_quiet:
            waiting, self._waiting_for_quiet = self._waiting_for_quiet, []
            for done in waiting:
                if not done.done():
                    done.set_result(None)
            return
        if timeout is None:
            raise RuntimeError("the simulation waits for something that will never come")
        # At least one step, since a timer may lie less than a millisecond ahead.
        self.clock.pass_by(max(round(timeout * 1000), 1))


class _NeverWaits(selectors.DefaultSelector):
    """Calls ``nothing_to_do`` with the time the loop would have waited, and does not wait."""

    def __init__(self, nothing_to_do: Callable[[float | None], None]) -> None:
        super().__init__()
        self._nothing_to_do = nothing_to_do

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found and (timeout is None or timeout > 0):
            self._nothing_to_do(timeout)
        return found


class SimulatedAlarm(Alarm):
    """A timer of the simulated loop. Its clocks are compared whenever one of them was moved."""

    _timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        self._arm(None)

    def _arm(self, at: Instant | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at is not None:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, SimulatedLoop)
            wait = max(at - loop.clock.now(), 0)
            self._timer = loop.call_at(loop.clock.monotonic_after(wait), self._due)


class SameThread(Executor):
    """The store's thread of a simulation is the one that everything else runs on."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done

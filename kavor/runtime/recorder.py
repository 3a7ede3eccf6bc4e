"""Recording what sessions report, in groups and in its order.

A report that could not be recorded is kept and tried again; the sessions remember an outcome until it is
acknowledged, so none is lost on the way.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence

from kavor.domain.errors import StorageFailed
from kavor.runtime.failpoints import reach
from kavor.runtime.observations import Ended, Observation
from kavor.runtime.turn import Turn, Work
from kavor.runtime.turns import Turns

log = logging.getLogger(__name__)

RECORD_AGAIN_SECONDS = 2.0

MOST_IN_A_GROUP = 1_000
"""Observations recorded in one transaction: what is due meanwhile waits no longer than that takes."""


class Recorder:
    """Belongs to the event loop."""

    def __init__(self, runtime: Turns, acknowledge: Callable[[Sequence[str]], Awaitable[None]]) -> None:
        """``acknowledge`` is given the keys of outcomes that are on record."""
        self._runtime = runtime
        self._acknowledge = acknowledge
        self._observed: list[Observation] = []
        self._something_observed = asyncio.Event()
        self._noted = 0
        self._done = 0
        """How many observations were noted so far, and how many of them are on record."""
        self._more_done = asyncio.Event()
        self._resting = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._record_observations(), name="recorder")

    def note(self, observation: Observation) -> None:
        self._observed.append(observation)
        self._noted += 1
        self._something_observed.set()

    async def catch_up(self, seconds: float) -> None:
        """Return once all that was noted until now is on record, or after so many seconds."""
        wanted = self._noted
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._done < wanted:
                    await self._more_done.wait()

    def is_told(self, work: Work) -> bool:
        """Whether its outcome has come and waits to be recorded."""
        return any(isinstance(seen, Ended) and seen.work == work for seen in self._observed)

    async def come_to_rest(self, seconds: float) -> None:
        """Let what was observed be recorded, for so many seconds at most, and then record no more."""
        self._resting = True
        self._something_observed.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=seconds)

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _record_observations(self) -> None:
        while self._observed or not self._resting:
            await self._something_observed.wait()
            self._something_observed.clear()
            group = self._observed[:MOST_IN_A_GROUP]
            if not group:
                continue
            try:
                await self._record(group)
            except StorageFailed:
                await asyncio.sleep(RECORD_AGAIN_SECONDS)
                self._something_observed.set()
            else:
                del self._observed[: len(group)]
                self._done += len(group)
                self._more_done.set()
                self._more_done = asyncio.Event()
                if self._observed:
                    self._something_observed.set()

    async def _record(self, group: Sequence[Observation]) -> None:
        """Record a group in one transaction. What makes no sense is logged, and holds up nothing else."""
        reach("record:before")
        try:
            await self._runtime.perform(self._observer(group), claim=not self._resting)
        except StorageFailed:
            raise
        except Exception:
            if len(group) == 1:
                # Not the observation itself: it has what a shell printed.
                log.exception("an observation could not be recorded: %s", type(group[0]).__name__)
                return
            for observation in group:
                await self._record([observation])
            return
        ended = [seen.outcome.key for seen in group if isinstance(seen, Ended)]
        if ended:
            await self._acknowledge(ended)

    def _observer(self, group: Sequence[Observation]) -> Callable[[Turn], None]:
        return lambda turn: turn.add(self._runtime.arbiter.observe(group))

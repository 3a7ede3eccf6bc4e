"""What the host remembers of deliveries: the keys it accepted, and outcomes until they are on record."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence

from kavor.sessions.session import HandOver, Outcome

KEPT_KEYS = 10_000
"""How many keys are remembered after their outcomes are on record; those that are not are kept anyway."""


class Deliveries:
    """Makes a delivery idempotent by its key, until long after its outcome is on record."""

    def __init__(self) -> None:
        self._accepted: dict[str, HandOver] = {}
        self._under_way: dict[str, asyncio.Task[HandOver]] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._on_record: deque[str] = deque()

    async def once(self, key: str, deliver: Callable[[], Awaitable[HandOver]]) -> HandOver:
        """The answer to this key: the one given before, the one another caller waits for, or a new try.

        A try that has begun goes on to its end, also when the caller is gone.
        """
        if key in self._accepted:
            return self._accepted[key]
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.ensure_future(self._try(key, deliver))
            self._under_way[key] = task
        return await asyncio.shield(task)

    async def _try(self, key: str, deliver: Callable[[], Awaitable[HandOver]]) -> HandOver:
        try:
            answer = await deliver()
            if answer.accepted:
                self._accepted[key] = answer
            return answer
        finally:
            del self._under_way[key]

    async def known(self, keys: Iterable[str]) -> dict[str, bool]:
        """Whether each was accepted. Waits for those that are being decided."""
        keys = list(keys)
        undecided = [self._under_way[key] for key in keys if key in self._under_way]
        if undecided:
            await asyncio.wait(undecided)
        return {key: key in self._accepted for key in keys}

    def ended(self, outcome: Outcome) -> None:
        self._outcomes[outcome.key] = outcome

    def acknowledge(self, keys: Iterable[str]) -> None:
        for key in keys:
            if self._outcomes.pop(key, None) is not None:
                self._on_record.append(key)
        while len(self._on_record) > KEPT_KEYS:
            self._accepted.pop(self._on_record.popleft(), None)

    @property
    def unacknowledged(self) -> Sequence[Outcome]:
        return list(self._outcomes.values())

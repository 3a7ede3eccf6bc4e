"""Looking again at something that sends no sign: soon at first, then seldom."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

_SECONDS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0)


class Backoff:
    """Calls ``look`` on the running loop when asked to, each time after a longer pause: ``seconds``, the last
    of them again and again."""

    def __init__(self, look: Callable[[], None], seconds: Sequence[float] = _SECONDS) -> None:
        self._look = look
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._step = 0

    def look_later(self, at_least: float = 0.0) -> None:
        """Look after the next pause, in seconds; nothing where a look is coming already."""
        if self._timer is None:
            pause = max(at_least, self._seconds[min(self._step, len(self._seconds) - 1)])
            self._timer = asyncio.get_running_loop().call_later(pause, self._due)
            self._step += 1

    def soon(self) -> None:
        """Begin with short pauses again."""
        self._step = 0

    def seldom(self) -> None:
        """Go on with long pauses: what is awaited will not come at once."""
        self._step = len(self._seconds)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self) -> None:
        self._timer = None
        self._look()

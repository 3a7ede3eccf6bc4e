"""When a program is made to wait for those who take its output, as by any terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kavor.sessions.terminal.recording import Recording

LONGEST_SECONDS = 1.0
"""In a row. Then whoever takes longer goes without, and the program goes on."""


class Backpressure:
    """Of one terminal: its output is not read while an engine is behind, nor while the recording is full.

    ``pause`` and ``resume`` stop the reading, and let it go on.
    """

    def __init__(self, recording: Recording, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self._recording = recording
        self._pause = pause
        self._resume = resume
        self._reasons: set[object] = set()
        self._given_up: set[object] = set()
        """Reasons that have had their time. They count again once they have been released."""
        self._limit: asyncio.TimerHandle | None = None

    def consider_room(self) -> None:
        """Called after whatever may fill the recording or make room in it."""
        if self._recording.is_full:
            self.hold(self._recording)
        elif self._recording in self._reasons:
            self.release(self._recording)

    def hold(self, reason: object) -> None:
        """Until it is released. Holding it twice changes nothing."""
        self._reasons.add(reason)
        self._decide()

    def release(self, reason: object) -> None:
        self._reasons.discard(reason)
        self._given_up.discard(reason)
        self._decide()

    def _decide(self) -> None:
        holds = not self._reasons <= self._given_up
        if holds and self._limit is None:
            self._pause()
            self._limit = asyncio.get_running_loop().call_later(LONGEST_SECONDS, self._enough)
        elif not holds and self._limit is not None:
            self._limit.cancel()
            self._limit = None
            self._resume()

    def _enough(self) -> None:
        self._given_up |= self._reasons
        self._decide()

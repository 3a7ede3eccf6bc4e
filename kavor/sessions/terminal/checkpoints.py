"""Keeps a full-screen program's screen from getting lost while nobody looks.

The beginning of its output, where it painted what it does not paint again, falls out of the recording after
a while. Before that, an engine is started for one look, and its checkpoint kept. While somebody looks, the
engine that draws does this.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

from kavor.domain.errors import KavorError
from kavor.sessions.terminal.one_look import checkpoint_after
from kavor.sessions.terminal.recording import Recording

SECONDS_BETWEEN = 5.0
"""A program that writes faster than a recording in this time paints its whole screen again and again."""


class Checkpoints:
    def __init__(self, recording: Recording, seconds_between: float = SECONDS_BETWEEN) -> None:
        self._recording = recording
        self._seconds_between = seconds_between
        self._not_before = 0.0
        self._taking: asyncio.Task[None] | None = None

    def consider(self) -> None:
        """Called while a program has the alternate screen, after its output was recorded."""
        if (
            self._recording.wants_checkpoint
            and self._recording.follower is None
            and self._taking is None
            and time.monotonic() >= self._not_before
        ):
            self._taking = asyncio.create_task(self._take())

    async def _take(self) -> None:
        try:
            with contextlib.suppress(KavorError):
                offset = self._recording.length
                output, sizes = self._recording.replay()
                self._recording.keep(await checkpoint_after(output, sizes, offset))
        finally:
            self._not_before = time.monotonic() + self._seconds_between
            self._taking = None

    def stop(self) -> None:
        if self._taking is not None:
            self._taking.cancel()

"""Notices that the home was changed under a running runtime: removed, put back from a copy, or swept.

A runtime whose lock file is gone holds nothing: the next face starts another one, and two would fire. One
whose socket is gone fires on, but nobody can tell it to stop.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from kavor.home import Home

log = logging.getLogger(__name__)

LOOK_SECONDS = 10.0

Identity = tuple[int, int]


class HomeWatch:
    """Made by whoever has just taken the home's lock."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._lock = _identity(home.lock)

    @property
    def is_ours(self) -> bool:
        """Whether what is at the home's place is still the home that was locked."""
        return _identity(self._home.lock) == self._lock

    async def keep(
        self,
        *,
        stop: Callable[[], object],
        listen_anew: Callable[[], Awaitable[object]],
        every: float = LOOK_SECONDS,
    ) -> None:
        """Look each ``every`` seconds, from the moment the socket is bound. Ends with ``stop`` once the home
        is not ours; ``listen_anew`` is called when the socket is not the one that was bound."""
        bound = _identity(self._home.socket)
        while True:
            await asyncio.sleep(every)
            if not self.is_ours:
                log.error("the home %s was removed or replaced: it is not served any longer", self._home.data)
                stop()
                return
            if _identity(self._home.socket) != bound:
                log.warning("the socket %s was removed: listening at it anew", self._home.socket)
                try:
                    await listen_anew()
                    bound = _identity(self._home.socket)
                except OSError as error:  # tried again at the next look
                    log.error("nobody can connect: %s", error)


def _identity(path: Path) -> Identity | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino

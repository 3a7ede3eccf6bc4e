"""Threads that work for the window, so that it never waits for what they do."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable

Work = Callable[[], None]


class Workers:
    """``count`` threads that take work in the order in which it was asked for; a single one does it one after
    another. The end of the program does not wait for them."""

    def __init__(self, count: int, name: str) -> None:
        self._queue: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self.threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True)
            for number in range(1, count + 1)
        ]
        self._started = False

    def submit(self, work: Work) -> None:
        """``work`` raises nothing."""
        if not self._started:
            self._started = True
            for thread in self.threads:
                thread.start()
        self._queue.put(work)

    def finish(self, *, drop_waiting: bool) -> None:
        """Take no more, and end after what is queued, or at once after what is under way."""
        with contextlib.suppress(queue.Empty):
            while drop_waiting:
                self._queue.get_nowait()
        for _ in self.threads:
            self._queue.put(None)

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            work()


def all_ended(threads: Iterable[threading.Thread], limit_s: float) -> bool:
    """Wait until each of them has ended, or ``limit_s`` has gone by; whether they have."""
    until = time.monotonic() + limit_s
    started = [thread for thread in threads if thread.ident is not None]
    for thread in started:
        thread.join(max(0.0, until - time.monotonic()))
    return not any(thread.is_alive() for thread in started)

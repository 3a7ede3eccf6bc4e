"""The one way to files that people name: in threads of their own, and nobody waits longer than a limit.

A file system may take minutes to answer, or never do so, as one on a server that is gone. What is due must go
out on time all the same, and what is asked about other files be answered. So nothing touches such a path on
the event loop or on the store's thread. What is asked of one folder is done in its order, folders do not wait
for each other, and of one that does not answer it is said that it cannot be read just now: after the limit at
first, and then at once, until it answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from kavor.domain.errors import Refused

T = TypeVar("T")

LookIn = Callable[[str, Sequence[str]], dict[str, T]]
"""Looks into a folder for the files of these paths in it; what it found, by path."""

LOOK_SECONDS = 0.5
"""How long a look at what stands at a path may take."""

WORK_SECONDS = 10.0
"""How long reading a text may take, writing one, or following a path that was just named."""

MOST_FOLLOWED = 32
"""Paths that may be followed at once, so that naming ever more of them in vain takes no more threads."""

DIRECTORY_SECONDS = 0.25
"""How long the store's thread waits, once, to hear whether a directory is there."""


class NotAnswering(Refused):
    """The file system of a path takes too long."""

    def __init__(self, path: str, *, is_begun: bool = False) -> None:
        """``is_begun``: what was to be written may still come to be."""
        hint = "try again when its file system answers"
        if is_begun:
            super().__init__(f"whether {path} was written is not known: it does not answer", hint)
        else:
            super().__init__(f"{path} cannot be read just now: it does not answer", hint)


def in_a_thread(work: Callable[[], None]) -> None:
    """One that keeps no process from ending: it may hang for ever."""
    threading.Thread(target=work, name="files", daemon=True).start()


_Key = tuple[str, str]
"""What is done there, and where."""


@dataclass
class _Lane:
    """What is asked of one folder, in its order."""

    waiting: deque[tuple[Future[Any], Callable[[], Any]]] = field(default_factory=deque)
    heard_of: float = field(default_factory=time.monotonic)
    """When what is being done now began."""


class FileAccess:
    """May be used from every thread."""

    def __init__(self, start: Callable[[Callable[[], None]], None] = in_a_thread) -> None:
        """``start`` has work done elsewhere; a simulation has it done at once."""
        self._start = start
        self._lock = threading.Lock()
        self._lanes: dict[_Key, _Lane] = {}

    # --- From the event loop

    async def work(self, path: str, work: Callable[[], T], *, writes: bool = False) -> T:
        """Do something with the file at ``path``, which may take a while. Raises what ``work`` raises, and
        NotAnswering: then nothing was done yet, or for one that ``writes`` it says that it may be."""
        try:
            return await self._answer(("work", _folder_of(path)), work, WORK_SECONDS)
        except _Unanswered as silence:
            raise NotAnswering(path, is_begun=writes and silence.is_begun) from None

    async def follow(self, path: str, work: Callable[[], T]) -> T:
        """Find out where a path leads that was just named: of its own, since it may be another file system
        than its folder's. Raises what ``work`` raises, and NotAnswering."""
        with self._lock:
            followed = sum(kind == "follow" for kind, _ in self._lanes)
        try:
            if followed >= MOST_FOLLOWED:
                raise _Unanswered(is_begun=False)
            return await self._answer(("follow", path), work, WORK_SECONDS)
        except _Unanswered:
            raise NotAnswering(path) from None

    async def look(
        self, paths: Iterable[str], look_in: LookIn[T], *, patiently: bool = False
    ) -> dict[str, T]:
        """Look at many files, each folder by itself. Those in a folder that does not answer are left out:
        after LOOK_SECONDS or, ``patiently``, after WORK_SECONDS."""
        limit = WORK_SECONDS if patiently else LOOK_SECONDS
        by_folder: defaultdict[str, list[str]] = defaultdict(list)
        for path in paths:
            by_folder[_folder_of(path)].append(path)

        async def look(folder: str, within: list[str]) -> dict[str, T]:
            try:
                return await self._answer(("look", folder), partial(look_in, folder, within), limit)
            except _Unanswered:
                return {}

        found = await asyncio.gather(*(look(folder, within) for folder, within in by_folder.items()))
        return {path: seen for each in found for path, seen in each.items()}

    async def check_answers(self, directory: str) -> None:
        """Raises NotAnswering for a directory that cannot be worked in just now. Whether it is there is for
        whoever goes there to say."""
        look = partial(_is_directory, directory)
        try:
            await self._answer(("directory", directory), look, WORK_SECONDS)
        except _Unanswered:
            raise NotAnswering(directory) from None

    # --- From the store's thread

    def directories(self, paths: Collection[str]) -> dict[str, bool | None]:
        """Which of these are directories; None for one that does not answer. Takes DIRECTORY_SECONDS at the
        most, and no time for those that were silent before and still are."""
        asked: dict[str, tuple[Future[bool], float]] = {}
        for path in paths:
            with contextlib.suppress(_Unanswered):
                look = partial(_is_directory, path)
                asked[path] = self._begin(("directory", path), look, DIRECTORY_SECONDS)
        return {path: _within(*asked[path]) if path in asked else None for path in paths}

    # --- Lanes

    async def _answer(self, key: _Key, work: Callable[[], T], limit: float) -> T:
        answer, patience = self._begin(key, work, limit)
        heard = asyncio.wrap_future(answer)
        try:
            await asyncio.wait([heard], timeout=patience)
        finally:
            if not heard.done():
                heard.cancel()
        if not heard.cancelled():
            return heard.result()
        raise _Unanswered(is_begun=not answer.cancel())

    def _begin(self, key: _Key, work: Callable[[], T], limit: float) -> tuple[Future[T], float]:
        """Have work done in a lane. The answer that will be there, and for how many seconds to wait for it.

        Raises _Unanswered where what is being done there has taken longer than the limit already, or nothing
        can be done.
        """
        answer: Future[T] = Future()
        with self._lock:
            lane = self._lanes.get(key, _Lane())
            patience = lane.heard_of + limit - time.monotonic()
            if patience <= 0:
                raise _Unanswered(is_begun=False)
            lane.waiting.append((answer, work))
            is_idle = key not in self._lanes
            self._lanes[key] = lane
        if is_idle:
            try:
                self._start(partial(self._do, key, lane))
            except RuntimeError:  # the system has no thread left
                with self._lock:
                    del self._lanes[key]
                raise _Unanswered(is_begun=False) from None
        return answer, patience

    def _do(self, key: _Key, lane: _Lane) -> None:
        """Do what waits in a lane, until nothing does."""
        while True:
            with self._lock:
                if not lane.waiting:
                    del self._lanes[key]
                    return
                answer, work = lane.waiting.popleft()
                lane.heard_of = time.monotonic()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                found = work()
            except BaseException as error:
                answer.set_exception(error)
            else:
                answer.set_result(found)


class _Unanswered(Exception):
    def __init__(self, *, is_begun: bool) -> None:
        self.is_begun = is_begun


def _within(answer: Future[bool], seconds: float) -> bool | None:
    try:
        return answer.result(seconds)
    except TimeoutError:
        answer.cancel()
        return None


def _folder_of(path: str) -> str:
    return str(Path(path).parent)


def _is_directory(path: str) -> bool:
    # Path.is_dir raises where the directory cannot even be looked at, as on a file system that is gone.
    return os.path.isdir(path)  # noqa: PTH112

"""Numbered events: every committed change, so that a face can tell whether it missed one."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

ThingType = Literal[
    "workspace",
    "node",
    "connection",
    "schedule",
    "attempt",
    "message",
    "session",
    "transcript",
    "turn",
    "notice",
    "runtime",
]
ChangeKind = Literal["created", "changed", "removed"]

KEPT = 10_000
"""How many past events a face that was away can still be given."""

TOO_MANY = 500
"""A single commit with more changes than this tells the faces to read anew instead."""


class Change(NamedTuple):
    """One thing that is different now. A plain tuple: a claim makes thousands."""

    type: ThingType
    id: str
    kind: ChangeKind = "changed"


class Event(NamedTuple):
    """A numbered change; ``change`` None means: read everything anew."""

    number: int
    change: Change | None


class EventLog:
    """All events of this run of the runtime. Belongs to the event loop's thread."""

    def __init__(self) -> None:
        self.runtime_id = secrets.token_hex(4)
        self.last = 0
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._subscribers: set[asyncio.Queue[Event]] = set()
        self.somebody_listens = asyncio.Event()
        """Set while there is a subscriber."""

    def publish(self, changes: Iterable[Change]) -> None:
        """Number these changes and hand them to every subscriber. A thing named twice is told once."""
        distinct = list(dict.fromkeys(changes))
        if len(distinct) > TOO_MANY:
            self._append(None)
            return
        for change in distinct:
            self._append(change)

    def missed_since(self, number: int) -> list[Event] | None:
        """The events after ``number``; None where they are no longer all kept, or never were."""
        if number == self.last:
            return []
        if number > self.last or not self._kept or self._kept[0].number > number + 1:
            return None
        return [event for event in self._kept if event.number > number]

    @contextmanager
    def subscribed(self) -> Iterator[asyncio.Queue[Event]]:
        """A queue that gets every event from now on. One who does not read it is told to read anew."""
        queue: asyncio.Queue[Event] = asyncio.Queue()
        self._subscribers.add(queue)
        self.somebody_listens.set()
        try:
            yield queue
        finally:
            self._subscribers.discard(queue)
            if not self._subscribers:
                self.somebody_listens.clear()

    def _append(self, change: Change | None) -> None:
        self.last += 1
        event = Event(self.last, change)
        self._kept.append(event)
        for queue in self._subscribers:
            if queue.qsize() < TOO_MANY:
                queue.put_nowait(event)
                continue
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(Event(self.last, None))

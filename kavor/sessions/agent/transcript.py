"""What an agent was asked, said, thought and did, as it comes in, for as many as look."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kavor.domain.instant import Instant
from kavor.sessions.session import Entry

MOST_ENTRIES = 2_000
"""Of one session; the oldest go."""
LONGEST_TEXT = 256 * 1024
"""Code points of one entry; what comes after is left out."""
TELL_SECONDS = 0.1
LEFT_OUT = "…"

Kind = Literal["prompt", "text", "thought", "tool", "plan", "question", "notice"]


@dataclass
class _Growing:
    number: int
    version: int
    kind: Kind
    pieces: list[str]
    length: int
    data: Mapping[str, Any]
    at: Instant
    key: str | None

    def entry(self) -> Entry:
        text = "".join(self.pieces)
        self.pieces = [text]
        return Entry(self.number, self.version, self.kind, text, self.data, self.at, self.key)


class Transcript:
    """Belongs to the event loop. ``changed`` is told at most once in TELL_SECONDS."""

    def __init__(self, now: Callable[[], Instant], changed: Callable[[], None]) -> None:
        self._now = now
        self._changed = changed
        self._numbers = itertools.count(1)
        self._entries: OrderedDict[int, _Growing] = OrderedDict()
        self._newest_last: OrderedDict[int, None] = OrderedDict()
        """The numbers of entries, those changed last at the end."""
        self._version = 0
        self._telling: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def add(
        self, kind: Kind, text: str, data: Mapping[str, Any] | None = None, key: str | None = None
    ) -> int:
        """A new entry; its number."""
        number = next(self._numbers)
        self._entries[number] = _Growing(number, 0, kind, [], 0, data or {}, self._now(), key)
        self.append(number, text)
        if len(self._entries) > MOST_ENTRIES:
            oldest, _ = self._entries.popitem(last=False)
            self._newest_last.pop(oldest, None)
        return number

    def append(self, number: int, text: str) -> None:
        """More of the text of an entry."""
        entry = self._entries.get(number)
        if entry is None:
            return
        room = LONGEST_TEXT - entry.length
        if room < 0:
            return
        if len(text) > room:
            text = text[:room] + LEFT_OUT
        entry.length += len(text)
        entry.pieces.append(text)
        self._touch(entry)

    def change(self, number: int, text: str | None = None, data: Mapping[str, Any] | None = None) -> None:
        """Another text, and what is new in the data."""
        entry = self._entries.get(number)
        if entry is None:
            return
        if text is not None:
            entry.pieces, entry.length = [text[:LONGEST_TEXT]], min(len(text), LONGEST_TEXT)
        if data:
            entry.data = {**entry.data, **data}
        self._touch(entry)

    def since(self, version: int) -> tuple[Sequence[Entry], int]:
        """The entries that are newer, by number, and the latest version."""
        newer: list[_Growing] = []
        for number in reversed(self._newest_last):
            entry = self._entries[number]
            if entry.version <= version:
                break
            newer.append(entry)
        return [entry.entry() for entry in sorted(newer, key=lambda entry: entry.number)], self._version

    def _touch(self, entry: _Growing) -> None:
        self._version += 1
        entry.version = self._version
        self._newest_last[entry.number] = None
        self._newest_last.move_to_end(entry.number)
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    def _tell(self) -> None:
        self._telling = None
        self._changed()

"""The end of a session's raw output, bounded, so that its screen can be built from it at any time."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from kavor.sessions.terminal.private_modes import ALTERNATE_SCREENS, PrivateModes

KEPT_BYTES = 1024 * 1024
KEPT_FOR_AN_ENGINE = 6 * 1024 * 1024
"""While an engine follows, what has come since its last checkpoint is kept, since it may die in a flood. With
so much of it the program is to wait for a checkpoint; little more is kept in any case."""
GRACE_SECONDS = 5.0
"""When an engine has died, the next one comes so soon."""
_SLACK = KEPT_BYTES // 4
_CHECKPOINT_BYTES = KEPT_BYTES * 3 // 4
_LARGEST_CHECKPOINT = 1024 * 1024

_SAFE_START = re.compile(rb"\n|(?=\x1b)")
"""Where output may be cut: not within a character, nor within most sequences."""
_LONGEST_SEARCH = 4096
_TO_A_BLANK_SCREEN = b"\x1b[?1049l\x1b[?47l\x1b[r\x1b[m\x1b[H\x1b[2J"


@dataclass(frozen=True)
class Resize:
    """From ``offset`` on, counted in the bytes of the recording it comes with, the screen has this size."""

    offset: int
    columns: int
    rows: int


@dataclass(frozen=True)
class Checkpoint:
    """Output that paints the screen as it was after so many bytes of the session."""

    offset: int
    columns: int
    rows: int
    output: bytes


class Follower(Protocol):
    """An engine that is given the output as it comes. Must not block."""

    def output(self, data: bytes) -> None: ...

    def resized(self, columns: int, rows: int) -> None: ...

    def ask_cursor(self, answer: Callable[[int, int], None]) -> None:
        """Have ``answer`` called with the cursor's row and column, from 1, after the output so far."""
        ...

    def ended(self, reason: str) -> None:
        """There will be no more output."""
        ...

    def let_go(self) -> None:
        """Another one follows from here on."""
        ...


class Recording:
    """Raw output, verified marks cut out. Appending costs the same however much is kept."""

    def __init__(self, columns: int, rows: int) -> None:
        self._bytes = bytearray()
        self._dropped = 0
        self._sizes = [Resize(0, columns, rows)]  # offsets here count from the session's first byte
        self._modes_at_start = PrivateModes()
        self._switches_in: deque[tuple[int, int]] = deque()
        """Where modes are switched: from the first byte to behind the last, counted as sizes are."""
        self._checkpoint: Checkpoint | None = None
        self._follower: Follower | None = None
        self._next_until = 0.0
        """Until then, on the monotonic clock, another engine is expected."""

    def append(self, data: bytes, *, has_switches: bool = True) -> None:
        """``has_switches``: modes may be switched in it."""
        if has_switches:
            self._switches_in.append((self.length, self.length + len(data)))
        self._bytes += data
        if self._follower is not None:
            self._follower.output(data)
        if len(self._bytes) > KEPT_BYTES + _SLACK and (surplus := self._surplus) > _SLACK:
            self._drop(surplus)

    @property
    def _surplus(self) -> int:
        """How many bytes at the beginning nobody needs."""
        surplus = len(self._bytes) - KEPT_BYTES
        if not self._is_for_an_engine:
            return surplus
        before_checkpoint = len(self._bytes) - self._needed
        return max(min(surplus, before_checkpoint), len(self._bytes) - KEPT_FOR_AN_ENGINE - _SLACK)

    @property
    def _is_for_an_engine(self) -> bool:
        return self._follower is not None or time.monotonic() < self._next_until

    @property
    def _needed(self) -> int:
        """How many bytes the next engine needs: from its checkpoint on, or a safe place before it."""
        if self._checkpoint is None:
            return len(self._bytes)
        return min(self.length - self._checkpoint.offset + _LONGEST_SEARCH, len(self._bytes))

    @property
    def is_full(self) -> bool:
        """Soon something would be dropped that the next engine needs, if this one dies or has died."""
        return self._needed >= KEPT_FOR_AN_ENGINE and self._is_for_an_engine

    def _drop(self, surplus: int) -> None:
        safe = _SAFE_START.search(self._bytes, surplus, surplus + _LONGEST_SEARCH)
        surplus = safe.end() if safe else surplus
        start, end = self._dropped, self._dropped + surplus
        was_alternate = self._modes_at_start.alternate_screen
        while self._switches_in and self._switches_in[0][0] < end:
            first, behind = self._switches_in.popleft()
            gone = slice(max(first, start) - start, min(behind, end) - start)
            self._modes_at_start.feed(bytes(self._bytes[gone]))
            if behind > end:
                self._switches_in.appendleft((end, behind))
                break
        del self._bytes[:surplus]
        self._dropped = end
        while len(self._sizes) > 1 and self._sizes[1].offset <= self._dropped:
            del self._sizes[0]
        if self._is_stale and self._modes_at_start.alternate_screen is not was_alternate:
            self._checkpoint = None

    @property
    def _is_stale(self) -> bool:
        """What followed the checkpoint is no longer all there. What was painted once is still in it, which is
        better than nothing as long as it is the same screen."""
        return self._checkpoint is not None and self._checkpoint.offset < self._dropped

    def resized(self, columns: int, rows: int) -> None:
        if self._sizes[-1].offset == self.length:
            self._sizes.pop()
        self._sizes.append(Resize(self.length, columns, rows))
        if self._follower is not None:
            self._follower.resized(columns, rows)

    def ended(self, reason: str) -> None:
        if self._follower is not None:
            self._follower.ended(reason)

    def follow(self, follower: Follower) -> None:
        """In place of the one before, which is let go: it may have died without a word."""
        if self._follower is not None:
            self._follower.let_go()
        self._follower = follower
        self._next_until = 0.0

    def unfollow(self, follower: Follower, *, died: bool) -> None:
        """``died``: another one will follow in its place."""
        if self._follower is follower:
            self._follower = None
            if died:
                self._next_until = time.monotonic() + GRACE_SECONDS

    @property
    def follower(self) -> Follower | None:
        return self._follower

    @property
    def length(self) -> int:
        """In bytes, of all the output there ever was."""
        return self._dropped + len(self._bytes)

    def tail(self, most: int) -> bytes:
        """At most so many bytes, the newest."""
        return bytes(self._bytes[-most:]) if most > 0 else b""

    @property
    def wants_checkpoint(self) -> bool:
        """What was recorded since the last one will soon begin to be dropped."""
        last = self._checkpoint.offset if self._checkpoint is not None else self._dropped
        return self.length - last > _CHECKPOINT_BYTES

    # --- building the screen from it ---------------------------------------------------------------

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keep this instead of an older one, unless it is of no use."""
        size = [size for size in self._sizes if size.offset <= checkpoint.offset][-1:]
        fits = size and (size[0].columns, size[0].rows) == (checkpoint.columns, checkpoint.rows)
        within = self._dropped <= checkpoint.offset <= self.length
        if fits and within and len(checkpoint.output) <= _LARGEST_CHECKPOINT:
            self._checkpoint = checkpoint

    def replay(self) -> tuple[bytes, Sequence[Resize]]:
        """Output that builds the present screen, and the sizes that go with it: the one at its beginning,
        then each change.

        Of a recording whose beginning is gone, the modes of then come first, and the newest checkpoint
        lies in its place.
        """
        if not self._dropped:
            return bytes(self._bytes), self._sizes
        checkpoint = self._checkpoint
        before = self._switches()
        if checkpoint is not None and self._is_stale:
            if (checkpoint.columns, checkpoint.rows) == (self._sizes[0].columns, self._sizes[0].rows):
                painted = _TO_A_BLANK_SCREEN + checkpoint.output
                before += painted + self._switches(but_the_screen=True)
            checkpoint = None
        sizes = [self._shifted(size, len(before)) for size in self._sizes]
        if checkpoint is None:
            return before + self._bytes, sizes
        place = checkpoint.offset - self._dropped
        painted = _TO_A_BLANK_SCREEN + checkpoint.output
        recorded = b"".join((before, self._bytes[:place], painted, self._bytes[place:]))
        behind = len(before) + place
        return recorded, [
            Resize(size.offset + len(painted), size.columns, size.rows) if size.offset > behind else size
            for size in sizes
        ]

    def _switches(self, *, but_the_screen: bool = False) -> bytes:
        changed = self._modes_at_start.changed.items()
        return "".join(
            f"\x1b[?{number}{'h' if on else 'l'}"
            for number, on in changed
            if not (but_the_screen and number in ALTERNATE_SCREENS)
        ).encode()

    def _shifted(self, size: Resize, by: int) -> Resize:
        offset = size.offset - self._dropped
        return Resize(offset + by if offset > 0 else 0, size.columns, size.rows)

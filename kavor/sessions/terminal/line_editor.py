"""The private keys the host sends to a shell's line editor, and what a person types meanwhile.

Each key is answered once. While an answer is awaited a person's bytes are held, and follow in order; they
are not held for longer than a person would bear.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

ANSWER_SECONDS = 1.5
"""How long the line editor has to answer, and how long a person's bytes are held for it at most."""

LOST_SECONDS = 10.0
"""After so long no answer will come; a line editor may be held up for a while by what it calls."""

LOST_KEYS = 2
"""So many one after the other were not swallowed by chance."""


class LineEditor:
    """``write`` sends bytes to the terminal, ``typed`` passes a person's bytes on."""

    def __init__(self, write: Callable[[bytes], None], typed: Callable[[bytes], None]) -> None:
        self._write = write
        self._typed = typed
        self._held: bytearray | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._sent_at = 0.0
        self.owes_an_answer = False
        """A key was sent and is not answered yet. No other may be sent: it could lie unread in the
        terminal, and come to a program that is started meanwhile."""
        self._keys_lost = 0

    @property
    def expects_an_answer(self) -> bool:
        """A key was sent just now, and nothing a person typed has followed it."""
        return self._timer is not None

    @property
    def is_silent(self) -> bool:
        """Keys are read and not answered, so their bindings are gone. No other may be sent before the shell's
        next mark: it would be typed into the line."""
        return self._keys_lost >= LOST_KEYS

    def send(self, key: bytes, silent: Callable[[], None]) -> None:
        """Send one key. ``silent`` is called when it is not answered in time, before held bytes follow."""
        self.owes_an_answer = True
        self.hold()
        self._sent_at = time.monotonic()
        self._timer = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._too_late, silent)
        self._write(key)

    def _too_late(self, silent: Callable[[], None]) -> None:
        self._timer = None
        silent()
        self.release()

    def answered(self) -> None:
        """The key was answered, in time or not. Held bytes follow."""
        self.owes_an_answer = False
        self._keys_lost = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.release()

    def give_up_on_late_answer(self) -> None:
        """A command has started: a key that was sent before it has been read by now, whoever read it."""
        self._keys_lost = 0
        if not self.expects_an_answer:
            self.owes_an_answer = False

    def give_up_on_lost_key(self) -> None:
        """All input has been read, and the shell waits for more: one that was sent long ago was swallowed."""
        if self.owes_an_answer and time.monotonic() - self._sent_at >= LOST_SECONDS:
            self.owes_an_answer = False
            self._keys_lost += 1

    def type(self, data: bytes) -> None:
        if self._held is None:
            self._typed(data)
        else:
            self._held += data

    @property
    def held(self) -> int:
        """How many bytes a person has typed that wait for an answer."""
        return len(self._held or b"")

    def hold(self) -> None:
        if self._held is None:
            self._held = bytearray()

    def release(self) -> None:
        held, self._held = self._held, None
        if held:
            self._typed(bytes(held))

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._held = None

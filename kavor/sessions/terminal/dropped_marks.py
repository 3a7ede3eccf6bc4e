"""Ctrl-C makes the system drop what a shell has written and nobody has read yet: perhaps its marks, and a
private key that was on its way to it."""

from __future__ import annotations

import time

from kavor.sessions.terminal.pseudoterminal import Pseudoterminal
from kavor.sessions.terminal.shell_reading import ShellReading

PROMPT_UNSEEN_SECONDS = 2.0
"""How long a shell must have waited for keys after a person's Ctrl-C to be taken to be at its prompt."""
_CTRL_C = b"\x03"


class DroppedMarks:
    """Asked by looks, between which the shell may have been anywhere."""

    def __init__(self, terminal: Pseudoterminal, reading: ShellReading) -> None:
        self._terminal = terminal
        self._reading = reading
        self._waits_since = 0.0
        self.possible = False
        """A person's Ctrl-C was the last that was typed."""

    def typed(self, data: bytes) -> None:
        self._waits_since = time.monotonic()
        self.possible = data.endswith(_CTRL_C)

    @property
    def shell_waits(self) -> bool:
        """Whether it has read everything and waited so long for more that it must be at a prompt."""
        now = time.monotonic()
        if not self._reading.waits or self._terminal.unread:
            self._waits_since = now
        return now - self._waits_since >= PROMPT_UNSEEN_SECONDS

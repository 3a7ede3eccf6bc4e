"""Looks at the shell while a delivery is in it, for what sends no mark: an exec, or the loss of the hooks."""

from __future__ import annotations

import time
from collections.abc import Callable

from kavor.sessions.terminal import processes
from kavor.sessions.terminal.backoff import Backoff
from kavor.sessions.terminal.delivery import Delivery, Verdict, interrupted, unobserved
from kavor.sessions.terminal.pseudoterminal import Pseudoterminal
from kavor.sessions.terminal.shell_reading import ShellReading

UNSEEN_END_SECONDS = 5.0
"""How long the shell must have waited for keys, no end reported, to say that none will be."""
END_WITHOUT_PROMPT_SECONDS = 2.0
"""The same where an end was reported, and only the prompt is missing."""


class DeliveryWatch:
    """Watches one delivery at a time, and calls ``conclude`` when a look decides its outcome."""

    def __init__(
        self, terminal: Pseudoterminal, reading: ShellReading, conclude: Callable[[Verdict], None]
    ) -> None:
        self._terminal = terminal
        self._reading = reading
        self._conclude = conclude
        self._shell: processes.Process | None = None
        self._waits_since = 0.0
        self._delivery: Delivery | None = None
        self._looks = Backoff(self._look)

    def remember_shell(self) -> None:
        """Called at the first prompt: what runs in the process now is the shell."""
        self._shell = processes.look_at(self._terminal.pid)

    @property
    def shell_name(self) -> str | None:
        return self._shell.name if self._shell else None

    def start(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._waits_since = time.monotonic()
        self._looks.soon()
        self._looks.look_later()

    def stop(self) -> None:
        self._delivery = None
        self._looks.stop()

    def _look(self) -> None:
        if self._delivery is None:
            return
        verdict = self._verdict(self._delivery)
        if verdict is None:
            self._looks.look_later()
        else:
            self._conclude(verdict)

    def _verdict(self, delivery: Delivery) -> Verdict | None:
        if self._replaced():
            program = processes.program_of(self._terminal.pid)
            return interrupted(f"the shell was replaced by {program} (exec); its end cannot be observed")
        if not self._reading.waits:
            self._waits_since = time.monotonic()
        waited = time.monotonic() - self._waits_since
        if delivery.ended and waited >= END_WITHOUT_PROMPT_SECONDS:
            return delivery.verdict_at_prompt()
        if waited < UNSEEN_END_SECONDS:
            return None
        if not delivery.acknowledged:
            return interrupted("the shell took the command; whether it started is not known")
        return unobserved("the shell reads a line again, but has reported no end of the command")

    def _replaced(self) -> bool:
        process = processes.look_at(self._terminal.pid)
        if process is None or self._shell is None or process.ending:
            return False
        return process.image != self._shell.image

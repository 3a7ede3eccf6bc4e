"""Looks at the shell while a delivery is in it, for what sends no mark: an exec, or the loss of the hooks."""

from __future__ import annotations

import time
from collections.abc import Callable

from kavor.sessions.terminal.backoff import Backoff
from kavor.sessions.terminal.delivery import Delivery, Verdict, interrupted, unobserved
from kavor.sessions.terminal.shell_process import ShellProcess
from kavor.sessions.terminal.shell_reading import ShellReading

UNSEEN_END_SECONDS = 5.0
"""How long the shell must have waited for keys, no end reported, to say that none will be."""
END_WITHOUT_PROMPT_SECONDS = 2.0
"""The same where an end was reported, and only the prompt is missing: however the shell reads by then."""
UNTOLD_SECONDS = 60.0
"""The same where no end was reported and the line editor is off, as a command that asks a person has it."""


class DeliveryWatch:
    """Watches one delivery at a time, and calls ``conclude`` when a look decides its outcome."""

    def __init__(
        self, process: ShellProcess, reading: ShellReading, conclude: Callable[[Verdict], None]
    ) -> None:
        self._process = process
        self._reading = reading
        self._conclude = conclude
        self._edits_since = 0.0
        self._reads_since = 0.0
        self._delivery: Delivery | None = None
        self._looks = Backoff(self._look)

    def start(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._edits_since = self._reads_since = time.monotonic()
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
        if program := self._process.replaced_by:
            return interrupted(f"the shell was replaced by {program} (exec); its end cannot be observed")
        now = time.monotonic()
        if not self._reading.certainly_waits:
            self._edits_since = now
        if not self._reading.reads_itself:
            self._reads_since = now
        if delivery.ended and now - self._reads_since >= END_WITHOUT_PROMPT_SECONDS:
            return delivery.verdict_at_prompt()
        if now - self._edits_since >= UNSEEN_END_SECONDS:
            if not delivery.acknowledged:
                return interrupted("the shell took the command; whether it started is not known")
            return unobserved("the shell reads a line again, but has reported no end of the command")
        if now - self._reads_since >= UNTOLD_SECONDS:
            return unobserved(
                "the shell waits for input and has reported no end: a `read`, or its hooks are gone"
            )
        return None

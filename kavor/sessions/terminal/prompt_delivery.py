"""One prompt on its way through a program with a screen of its own: what was seen of it, and what follows."""

from __future__ import annotations

import time

from kavor.domain.attempts import AttemptState
from kavor.domain.instant import Instant
from kavor.sessions.session import Evidence, Outcome
from kavor.sessions.terminal.delivery import KEPT_OUTPUT, Verdict, interrupted, now, unobserved

STOP_SECONDS = 10.0
"""How long a program may take to stop its work when it is asked to."""
GIVEN_UP_SECONDS = 10.0
"""How long its screen must have been still, after a person broke its work off or answered it, to say that the
turn is over. While it works, something on it moves."""
STILL_SECONDS = 120.0
"""The same where nobody has touched it: its notice was lost."""

_LONGEST_REASON = 300

STOPPED = "it was stopped by a person"


class PromptDelivery:
    """From the first byte of the prompt to the outcome. Times are on the monotonic clock, in seconds."""

    def __init__(self, key: str, *, observable: bool, tells_begin: bool, limit: float) -> None:
        """``observable``: it has notices of a turn's end; ``tells_begin``: one of its beginning too."""
        self.key = key
        self.delivered_at: Instant = now()
        self._submitted_at: float | None = None
        self.touched = False
        """A person has typed a key that may have broken its work off, or answered it."""
        self._observable = observable
        self._tells_begin = tells_begin
        self._begun = False
        self._started = time.monotonic()
        self._ends_at = self._started + limit
        self._limit = limit
        self._stop_reason = ""
        self._stop_ends_at = 0.0

    # --- what is told of it

    def submitted(self) -> None:
        """Enter follows the text."""
        self._submitted_at = time.monotonic()

    def told_begun(self) -> None:
        self._begun = True

    def verdict_when_told_ended(self) -> Verdict | None:
        """None: it is another turn that has ended."""
        if self._submitted_at is None or (self._tells_begin and not self._begun):
            return None
        if self._stop_reason:
            return interrupted(self._stop_reason)
        return Verdict(AttemptState.COMPLETED)

    def verdict_when_told_failed(self, reason: str) -> Verdict:
        if self._stop_reason:
            return interrupted(self._stop_reason)
        said = " ".join(reason.split())[:_LONGEST_REASON]
        return Verdict(AttemptState.FAILED, None, f"its model failed: {said}" if said else "its model failed")

    # --- stopping

    def stop(self, reason: str) -> bool:
        """Whether it is asked for the first time; the first reason counts."""
        first = not self._stop_reason
        if first:
            self._stop_reason = reason
            self._stop_ends_at = time.monotonic() + STOP_SECONDS
        return first

    @property
    def stop_wanted(self) -> bool:
        return bool(self._stop_reason)

    def is_over_time(self) -> str:
        """The reason to stop it for; empty where there is none."""
        over = not self._stop_reason and time.monotonic() >= self._ends_at
        return f"it was stopped: it took longer than {self._limit:g} s" if over else ""

    # --- what stillness says

    def verdict_of_stillness(self, still: float, quiet: float, *, asks: bool) -> Verdict | None:
        """What follows when its screen has been still for so many seconds. ``quiet`` is how many tell a
        program that waits for a prompt; ``asks``: it waits for a person's answer."""
        if self._stop_reason:
            if still >= quiet and not asks:
                return interrupted(self._stop_reason)
            if time.monotonic() >= self._stop_ends_at:
                return interrupted(f"{self._stop_reason}; it has not stopped within {STOP_SECONDS:g} s")
            return None
        if self._submitted_at is None or time.monotonic() - self._submitted_at < quiet:
            return None
        if not self._observable:
            if still >= quiet:
                return unobserved("this program tells nothing of the end of its work; its screen is still")
            return None
        if asks:
            return None
        if self.touched and still >= GIVEN_UP_SECONDS:
            return interrupted("a person typed to it during the turn, and no end of the turn was told since")
        if still >= STILL_SECONDS:
            return unobserved(f"no end of the turn was told; its screen was still for {STILL_SECONDS:g} s")
        return None

    def next_look(self, stirred_at: float, quiet: float) -> float:
        """When stillness may say something next."""
        looks = [self._ends_at, self._stop_ends_at]
        looks += [stirred_at + pause for pause in (quiet, GIVEN_UP_SECONDS, STILL_SECONDS)]
        if self._submitted_at is not None:
            looks.append(self._submitted_at + quiet)
        moment = time.monotonic()
        return min((look for look in looks if look > moment), default=moment + quiet)

    # --- the end

    def outcome(self, verdict: Verdict, output: str, *, truncated: bool) -> Outcome:
        kept = output.encode()[-KEPT_OUTPUT:].decode(errors="ignore")
        return Outcome(
            key=self.key,
            state=verdict.state,
            diagnostic=verdict.diagnostic,
            evidence=Evidence(kept, truncated, round((time.monotonic() - self._started) * 1000)),
            delivered_at=self.delivered_at,
            finished_at=now(),
        )

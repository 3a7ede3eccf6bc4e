"""One delivery on its way through a shell: what was seen of it, and the outcome that follows from that."""

from __future__ import annotations

import time
from asyncio import Future
from dataclasses import dataclass

from kavor.domain.attempts import AttemptState
from kavor.domain.instant import Instant
from kavor.sessions.session import Evidence, HandOver, Outcome
from kavor.sessions.terminal.handover import Offer

KEPT_OUTPUT = 64 * 1024


def now() -> Instant:
    return Instant(time.time_ns() // 1_000_000)


@dataclass(frozen=True)
class Verdict:
    """The outcome that the evidence allows, and no more."""

    state: AttemptState
    exit_code: int | None = None
    diagnostic: str = ""


def interrupted(diagnostic: str) -> Verdict:
    return Verdict(AttemptState.INTERRUPTED, None, diagnostic)


def unobserved(diagnostic: str) -> Verdict:
    return Verdict(AttemptState.FIRED, None, diagnostic)


def by_exit_code(code: int, diagnostic: str = "") -> Verdict:
    return Verdict(AttemptState.FAILED if code else AttemptState.COMPLETED, code, diagnostic)


class Delivery:
    """From the offer to the outcome. Times are on the monotonic clock, in seconds."""

    def __init__(self, key: str, offer: Offer, answer: Future[HandOver]) -> None:
        self.key = key
        self.offer = offer
        self.answer = answer
        self.delivered_at: Instant | None = None
        """When it was known to be taken; None while it may still be withdrawn."""
        self.acknowledged = False
        """The line editor has said that it took it, so the marks that follow belong to it."""
        self._started: float | None = None
        self._ended: float | None = None
        self._code: int | None = None
        self._code_of_last_run: int | None = None
        self._stopped = False
        self._output = bytearray()
        self._truncated = False

    @property
    def taken(self) -> bool:
        return self.delivered_at is not None

    @property
    def started(self) -> bool:
        return self._started is not None

    @property
    def ended(self) -> bool:
        """The shell has reported an end of the command, or of a part of it."""
        return self._code is not None

    def take(self) -> None:
        """It may run from here on; the hand-over is answered."""
        if self.delivered_at is None:
            self.delivered_at = now()
            self.answer_with(HandOver(True, None, self.delivered_at))

    def answer_with(self, answer: HandOver) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def saw_start(self) -> None:
        if self._started is None:
            self._started = time.monotonic()

    def saw_output(self, data: bytes) -> None:
        self._output += data
        if len(self._output) > 2 * KEPT_OUTPUT:
            self._cut_output()

    def _cut_output(self) -> None:
        if len(self._output) > KEPT_OUTPUT:
            del self._output[:-KEPT_OUTPUT]
            self._truncated = True

    def saw_end(self, code: int, *, ran: bool, stopped: bool) -> None:
        """A payload of several lines reports one end for each."""
        self._code = code
        self._stopped = self._stopped or stopped
        if ran:
            self._ended = time.monotonic()
            self._code_of_last_run = code

    def verdict_at_prompt(self) -> Verdict:
        """What is to be said once the shell is at its prompt again."""
        if self._stopped:
            return interrupted("the command was stopped (Ctrl-Z) and has not finished")
        # A comment or blank line behind the last command leaves its status alone; an error does not.
        if self._code_of_last_run is not None and self._code == self._code_of_last_run:
            return by_exit_code(self._code)
        if self.started or self._code_of_last_run is not None:
            return Verdict(
                AttemptState.FAILED, None, "the shell could not parse all of the command; a part of it ran"
            )
        return Verdict(AttemptState.FAILED, None, "the shell could not parse the command; nothing ran")

    def verdict_at_continuation(self) -> Verdict:
        ran = "a part of it ran" if self.started else "nothing ran"
        return Verdict(
            AttemptState.FAILED,
            None,
            f"the command is incomplete: the shell asked for more, and the line was cleared; {ran}",
        )

    def outcome(self, verdict: Verdict) -> Outcome:
        self._cut_output()
        if self._started is not None and self._ended is not None:
            duration = round((self._ended - self._started) * 1000)
        else:
            duration = None
        evidence = Evidence(self._output.decode("utf-8", "replace"), self._truncated, duration)
        return Outcome(
            key=self.key,
            state=verdict.state,
            exit_code=verdict.exit_code,
            diagnostic=verdict.diagnostic,
            evidence=evidence,
            delivered_at=self.delivered_at,
            finished_at=now(),
        )

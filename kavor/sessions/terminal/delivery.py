"""One delivery on its way through a shell: what was seen of it, and the outcome that follows from that."""

from __future__ import annotations

import re
import signal
import time
from asyncio import Future
from dataclasses import dataclass

from kavor.domain.attempts import AttemptState
from kavor.domain.instant import Instant
from kavor.sessions.session import Evidence, HandOver, Outcome
from kavor.sessions.terminal.handover import Offer, TypedLine
from kavor.sessions.terminal.shells import STOPPED

KEPT_OUTPUT = 64 * 1024

_ANY_CHARACTER = rb"(?:[\x80-\xff]+|\?+)"
"""An editor that knows only ASCII shows others as question marks."""
INTERRUPTED_BY_PERSON = 128 + signal.SIGINT


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


def could_not_parse() -> Verdict:
    return Verdict(
        AttemptState.FAILED, None, "the shell could not parse the command, or found none in it; nothing ran"
    )


def incomplete(cleared: str, *, started: bool) -> Verdict:
    ran = "a part of it ran" if started else "nothing ran"
    diagnostic = f"the command is incomplete: the shell asked for more, and {cleared}; {ran}"
    return Verdict(AttemptState.FAILED, None, diagnostic)


def by_exit_code(code: int, diagnostic: str = "") -> Verdict:
    return Verdict(AttemptState.FAILED if code else AttemptState.COMPLETED, code, diagnostic)


@dataclass(frozen=True)
class ShellEnd:
    """How a session's shell ended. ``code`` is negative for a signal."""

    code: int
    on_request: bool
    shell: str | None
    """The short name of the program that was the shell, where the system tells it…"""
    program: str | None
    """… and of the one that has ended in its process."""

    def __str__(self) -> str:
        if self.on_request:
            return "the session was closed"
        if self.code < 0:
            return f"the shell was killed by signal {-self.code}"
        return f"the shell ended with exit code {self.code}"


class Delivery:
    """From the offer to the outcome. Times are on the monotonic clock, in seconds."""

    def __init__(self, key: str, offer: Offer | TypedLine, answer: Future[HandOver]) -> None:
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
        self._ran = False
        self._stopped = False
        self._interrupted = False
        self._incomplete = False
        self.person_interrupts = False
        """A person has typed Ctrl-C since it was taken."""
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
        """The shell has reported its end."""
        return self._code is not None

    def take(self) -> None:
        """It may run from here on; the hand-over is answered."""
        if self.delivered_at is None:
            self.delivered_at = now()
            self.answer_with(HandOver(True, None, self.delivered_at))

    def answer_with(self, answer: HandOver) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def saw_start(self, status_before: int) -> None:
        """Of the command, or of a further line of it: then the line before ended with ``status_before``."""
        if self._started is None:
            self._started = time.monotonic()
        else:
            self._saw_end_of_line(status_before)

    def _saw_end_of_line(self, status: int) -> None:
        self._stopped = self._stopped or status in STOPPED
        self._interrupted = self._interrupted or (status == INTERRUPTED_BY_PERSON and self.person_interrupts)

    def saw_output(self, data: bytes) -> None:
        self._output += data
        if len(self._output) > 2 * KEPT_OUTPUT:
            self._cut_output()

    def _cut_output(self) -> None:
        if len(self._output) > KEPT_OUTPUT:
            del self._output[:-KEPT_OUTPUT]
            self._truncated = True

    def saw_end(self, status: int, *, ran: bool, stopped: bool) -> None:
        """The shell has come to its next prompt. ``ran``: it has started a command since the last one."""
        self._code = status
        self._ran = self._ran or ran
        self._stopped = self._stopped or stopped
        self._ended = time.monotonic()

    def saw_continuation(self) -> None:
        """The shell has asked for more: what was delivered is no whole command."""
        self._incomplete = True

    def verdict_at_prompt(self) -> Verdict:
        """What is to be said once the shell is at its prompt again."""
        if self._incomplete:
            return incomplete("the line was cleared", started=self.started)
        if self._stopped:
            return interrupted("the command was stopped (Ctrl-Z) and has not finished")
        if not self._ran or self._code is None:
            return could_not_parse()
        if self._interrupted and self._code != INTERRUPTED_BY_PERSON:
            return by_exit_code(
                INTERRUPTED_BY_PERSON, "Ctrl-C ended one line of the command; the shell went on with the next"
            )
        return by_exit_code(self._code)

    def verdict_if_not_cleared(self) -> Verdict:
        """What is to be said when an incomplete line would not go."""
        return incomplete("the line could not be cleared", started=self.started)

    def verdict_at_end(self, end: ShellEnd) -> Verdict:
        """What is to be said of a shell that ended with the delivery in it."""
        if self.ended or self._incomplete:
            return self.verdict_at_prompt()
        if end.on_request:
            return interrupted("the session was closed while the command ran")
        if not self.started:
            return interrupted("the shell ended after it took the command; whether it started is not known")
        if end.code < 0:
            return interrupted(f"the shell was killed by signal {-end.code} while the command ran")
        if end.program is None:
            return interrupted("the shell ended while the command ran; whether it was replaced is not known")
        if end.program != end.shell:
            return interrupted(f"the shell was replaced by {end.program} (exec), which ended with {end.code}")
        return by_exit_code(end.code, "the command ended the shell")

    def outcome(self, verdict: Verdict, own_output: re.Pattern[bytes] | None = None) -> Outcome:
        """``own_output`` is what the shell itself prints around the command's output; it is cut off."""
        if own_output and self.ended:
            self._output[:] = own_output.sub(b"", self._output)
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


class TypedDelivery(Delivery):
    """Into a shell that can only be typed to: it tells of the next prompt, and of ``$?`` there, but not of a
    start. Whether all of the line ran, or any, cannot be seen."""

    def __init__(self, key: str, typed: TypedLine, answer: Future[HandOver]) -> None:
        super().__init__(key, typed, answer)
        self._echo = _echo_of(typed.line)
        self.acknowledged = True  # what is typed at an empty prompt is what the next marks are about

    def verdict_at_prompt(self) -> Verdict:
        if self._incomplete:
            return incomplete("the line was cleared", started=False)
        if self._code in STOPPED:
            return interrupted("the command was stopped (Ctrl-Z) and has not finished")
        if self._code == INTERRUPTED_BY_PERSON and self.person_interrupts:
            return by_exit_code(INTERRUPTED_BY_PERSON)
        return unobserved(f"this shell reports no start of a command; at its next prompt $? was {self._code}")

    def verdict_at_end(self, end: ShellEnd) -> Verdict:
        self._started = self._started or time.monotonic()
        return super().verdict_at_end(end)

    def outcome(self, verdict: Verdict, own_output: re.Pattern[bytes] | None = None) -> Outcome:
        if echo := self._echo.search(self._output):
            del self._output[: echo.end()]
        return super().outcome(verdict, own_output)


def _echo_of(line: str) -> re.Pattern[bytes]:
    """What a terminal or a plain line editor shows of a line while it is typed, wrapped where it must be."""
    characters = (re.escape(char.encode()) if char.isascii() else _ANY_CHARACTER for char in line)
    return re.compile(rb"[\r\n]*".join(characters) + rb"\r*\n")

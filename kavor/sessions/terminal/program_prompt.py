"""Whether a program with a screen of its own waits for a prompt, as far as stillness and its notices tell."""

from __future__ import annotations

import itertools
import re
import time

from kavor.sessions.session import Program, Question, WaitingFor
from kavor.sessions.terminal.private_modes import PrivateModes
from kavor.sessions.terminal.prompt_delivery import STILL_SECONDS

_BRACKETED_PASTE = 2004
_WENT_ON_SECONDS = 2.0
"""So long after a person's answer, a screen that moves by itself shows that the program works on."""
_DECIDES = re.compile(rb"[\x20-\x7e\r\x03]|\x1b\Z")
"""What may answer a question: a letter, a digit, Enter, Escape."""
_MOVES = re.compile(rb"\x1b(?:\[[0-9;]*[A-IOZ~]|O[A-D]|\[<(?:[3-9]\d|\d{3,});[0-9;]*[Mm])")
"""What does not: cursor and function keys, the ends of a paste, a window that is entered or left, the mouse
as it moves and its wheel."""

_question_numbers = itertools.count(1)


def decides(typed: bytes) -> bool:
    """Whether these keys may answer a question, or break work off."""
    return bool(_DECIDES.search(_MOVES.sub(b"", typed)))


class ProgramPrompt:
    """Times are on the monotonic clock, in seconds."""

    def __init__(self, program: Program) -> None:
        self._takes_pastes = program.takes_pastes
        self._modes = PrivateModes()
        self._started = False
        self._not_ready_at = -1
        """How much output there was when the screen was last seen without the mark of readiness."""
        self._answered_at: float | None = None
        self.quiet = program.quiet_ms / 1000
        """How long its screen is still when it waits for a prompt."""
        self.stirred_at = time.monotonic()
        """When anything moved, or somebody typed."""
        self.works_unasked = False
        """It has told of the beginning of a turn that a person asked for, and not of its end."""
        self.question: Question | None = None
        """What it asks, until it is seen to go on."""

    # --- what is seen of it

    def stir(self) -> None:
        self.stirred_at = time.monotonic()

    def shown(self, output: bytes) -> None:
        self.stir()
        if self._answered_at is not None and self.stirred_at - self._answered_at > _WENT_ON_SECONDS:
            self.went_on()
        self._modes.feed(output)

    def typed(self, data: bytes) -> None:
        """By a person."""
        self.stir()
        if self.asks and decides(data):
            self._answered_at = self.stirred_at

    def ask(self, text: str, key: str | None) -> None:
        """It asks this, about the delivery under ``key``."""
        self._answered_at = None
        self.question = Question(f"s{next(_question_numbers)}", key, text) if text else None

    def went_on(self) -> None:
        self._answered_at = self.question = None

    def not_ready(self, length: int) -> None:
        """After so much output its screen does not show the mark of readiness."""
        self._not_ready_at = length

    def consider(self, length: int) -> None:
        """What stillness says now; ``length`` is how much output there is."""
        if not self._started and self.still >= self.quiet and self._takes_text and length:
            self._started = True
        if self.works_unasked and self.still >= STILL_SECONDS:
            self.works_unasked = False

    # --- what follows

    @property
    def still(self) -> float:
        """For how many seconds nothing has moved, and nobody has typed."""
        return time.monotonic() - self.stirred_at

    @property
    def asks(self) -> bool:
        """It waits for a person's answer, and nobody has typed one."""
        return self.question is not None and self._answered_at is None

    @property
    def is_paste_bracketed(self) -> bool:
        return self._modes.is_on(_BRACKETED_PASTE)

    @property
    def _takes_text(self) -> bool:
        return not self._takes_pastes or self.is_paste_bracketed

    def waiting_for(self, length: int, *, at_work: bool, begun: bool) -> WaitingFor | None:
        """Why no prompt may be given now, after so much output; None means that one may. ``at_work``: one
        was delivered that is not over; ``begun``: a person has begun to type one."""
        if not self._started:
            return WaitingFor.STARTING
        if self.question is not None:
            return WaitingFor.ANSWER
        if at_work or self.works_unasked:
            return WaitingFor.BUSY
        if begun:
            return WaitingFor.UNFINISHED_INPUT
        moves = self.still < self.quiet or self._not_ready_at == length
        return WaitingFor.BUSY if moves or not self._takes_text else None

    @property
    def next_looks(self) -> list[float]:
        """When stillness may say something."""
        looks = [self.stirred_at + self.quiet]
        if self.works_unasked:
            looks.append(self.stirred_at + STILL_SECONDS)
        return looks

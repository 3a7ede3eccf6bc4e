"""One program with a screen of its own on one PTY, as an agent's: when it takes a prompt, what came of one.

Its line editor cannot be asked, and its screen is not read for success. What is known is which bytes a person
typed, whether the screen moves, and what the program tells by notices. As with a shell, what is decided is
acted on without giving the loop up in between.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from kavor.domain.errors import KavorError, Refused
from kavor.domain.payload import check_payload
from kavor.sessions.session import HandOver, Outcome, Program, Question, SessionSpec, SessionState, WaitingFor
from kavor.sessions.terminal import processes
from kavor.sessions.terminal.delivery import KEPT_OUTPUT, Verdict, interrupted, now
from kavor.sessions.terminal.emulation.private_modes import PrivateModes
from kavor.sessions.terminal.feed import Feed
from kavor.sessions.terminal.notices import Notice, TerminalNotices
from kavor.sessions.terminal.one_look import screen_text
from kavor.sessions.terminal.output import Output
from kavor.sessions.terminal.program_input import ProgramInput
from kavor.sessions.terminal.prompt_delivery import STILL_SECONDS, STOPPED, PromptDelivery
from kavor.sessions.terminal.recording import Recording
from kavor.sessions.terminal.session import KILL_SECONDS, MOST_UNREAD_INPUT
from kavor.sessions.terminal.session_folder import empty_folder
from kavor.sessions.terminal.shell_start import start_program

_BRACKETED_PASTE = 2004
_WENT_ON_SECONDS = 2.0
"""So long after a person's answer, a screen that moves by itself shows that the program works on."""
_STILL_ENOUGH_SECONDS = 0.2
"""How long its screen must be still, after a notice of the end, to show what has become of the turn…"""
_MOST_CHANGES = 10
"""… and how often it is waited for."""
_CTRL_C, _ESCAPE = b"\x03", b"\x1b"
_DECIDES = re.compile(rb"[\x20-\x7e\r\x03]|\x1b\Z")
"""What may answer a question: a letter, a digit, Enter, Escape; not a cursor key."""

_question_numbers = itertools.count(1)


class ProgramSession:
    """A session from its start on; it stays known after its end.

    ``changed`` is told of every change of state, ``observed`` of every outcome, which comes before the state
    that has the session free again or gone. Raises BadInput or Refused when the program or the directory will
    not do, and StorageFailed when the session's files cannot be made; then nothing was started.
    """

    def __init__(
        self,
        spec: SessionSpec,
        program: Program,
        sessions: Path,
        changed: Callable[[SessionState], None],
        observed: Callable[[Outcome], None],
    ) -> None:
        self.id = spec.id
        self._program = program
        self._environment = dict(spec.environment)
        self._changed = changed
        self._observed = observed
        self._loop = asyncio.get_running_loop()
        started = start_program(spec, program, sessions, self._arrived, self._noticed)
        self._terminal, self._folder, self._hooks = started.terminal, started.folder, started.hooks
        self._notices = TerminalNotices(self._noticed)
        self._modes = PrivateModes()
        size = (spec.columns, spec.rows)
        self._output = Output(
            started.terminal,
            secrets.token_hex(16),  # so that it can set no marks
            size,
            self._shown,
            lambda mark: None,
            self._is_asked,
            self._terminal.write,
        )
        self._stirred_at = time.monotonic()
        self._quiet = self._program.quiet_ms / 1000
        self._input = ProgramInput(self._terminal, self._program.clear_key.encode(), lambda: self._stirred_at)
        self._started = False
        self._works_unasked = False
        """It has told of the beginning of a turn that a person asked for, and not of its end."""
        self._not_ready_at = -1
        """How much output there was when the screen was last seen without the mark of readiness."""
        self._question: Question | None = None
        self._answered_at: float | None = None
        self._delivery: PromptDelivery | None = None
        self._submitting: asyncio.Task[None] | None = None
        self._settling: asyncio.Task[None] | None = None
        self._look: asyncio.TimerHandle | None = None
        self._exit_code: int | None = None
        self._diagnostic = ""
        self._closing = False
        self._over = asyncio.Event()
        self._started_at = now()
        processes.when_it_ends(self._terminal.pid, self._ended)
        self._pushed = self.state
        self._review()

    # --- what is known -----------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        return not self._over.is_set()

    @property
    def waiting_for(self) -> WaitingFor | None:
        """Why no prompt may be given now. None means that one may."""
        if not self._started:
            return WaitingFor.STARTING
        if self._question is not None:
            return WaitingFor.ANSWER
        if self._delivery is not None or self._submitting is not None or self._works_unasked:
            return WaitingFor.BUSY
        if self._input.composed.begun:
            return WaitingFor.UNFINISHED_INPUT
        moves = self._still < self._quiet or self._not_ready_at == self.recording.length
        return WaitingFor.BUSY if moves or not self._takes_text else None

    @property
    def _still(self) -> float:
        """For how many seconds nothing has moved, and nobody has typed."""
        return time.monotonic() - self._stirred_at

    @property
    def _takes_text(self) -> bool:
        return not self._program.takes_pastes or self._modes.is_on(_BRACKETED_PASTE)

    @property
    def recording(self) -> Recording:
        return self._output.recording

    @property
    def state(self) -> SessionState:
        return SessionState(
            id=self.id,
            open=self.open,
            waiting_for=self.waiting_for if self.open else None,
            pid=self._terminal.pid,
            started_at=self._started_at,
            exit_code=self._exit_code,
            diagnostic=self._diagnostic,
            environment=self._environment,
            question=self._question,
            provider=self._program.provider,
            own_screen=True,
        )

    # --- what comes in -----------------------------------------------------------------------------

    async def deliver(self, key: str, text: str) -> HandOver:
        """Give the text to the program if this moment is safe. Raises BadInput for a text that is no payload,
        and for one of several lines where the program takes no pastes."""
        text = check_payload(text)
        if self.waiting_for is None and self._program.ready_mark:
            await self._look_for_mark()
        waiting = self.waiting_for
        if not self.open or self._closing:
            return HandOver(False, closed=True)
        if waiting is not None:
            self._review()
            return HandOver(False, waiting)
        self._input.begin_prompt(text, as_paste=self._modes.is_on(_BRACKETED_PASTE))
        meanings = self._program.signs.values()
        self._delivery = PromptDelivery(
            key,
            observable="ended" in meanings,
            tells_begin="began" in meanings,
            limit=self._program.turn_limit_ms / 1000,
        )
        self._submitting = self._loop.create_task(self._submit(self._delivery))
        self._review()
        return HandOver(True, None, self._delivery.delivered_at)

    async def _look_for_mark(self) -> None:
        """What has changed when the look is over makes this moment unsafe by itself."""
        seen_until, stirred_at = self.recording.length, self._stirred_at
        with contextlib.suppress(KavorError):
            screen = await screen_text(*self.recording.replay())
            if not re.search(self._program.ready_mark, screen, re.MULTILINE):
                self._not_ready_at = seen_until
        if self._stirred_at != stirred_at:
            self._stirred_at = time.monotonic()

    async def _submit(self, delivery: PromptDelivery) -> None:
        read = await self._input.submit(delivery.submitted)
        self._submitting = None
        if self._delivery is delivery:
            if not read:
                self._settle(interrupted("the program did not read all of the prompt"))
            elif delivery.stop_wanted:
                self._press_stop_key()  # not sooner: there was nothing to stop
        self._review()

    def type(self, data: bytes) -> None:
        """Bytes as if typed by a person. Raises Refused when the program leaves too many of them unread."""
        if self._input.unread + len(data) > MOST_UNREAD_INPUT:
            raise Refused("the program in this terminal does not read its input", "wait, or end that program")
        self._stirred_at = time.monotonic()
        asks = self._question is not None and self._answered_at is None
        if asks and _DECIDES.search(data):
            self._answered_at = self._stirred_at
        if self._delivery is not None and (asks or data.endswith((_CTRL_C, _ESCAPE))):
            self._delivery.touched = self._delivery.touched or bool(_DECIDES.search(data))
        self._input.type(data, composes=not asks)
        self._review()

    def cancel(self) -> None:
        """Have the turn of a delivery stopped; its outcome follows."""
        self._stop(STOPPED)
        self._review()

    def _stop(self, reason: str) -> None:
        if self._delivery is not None and self._delivery.stop(reason) and self._submitting is None:
            self._press_stop_key()

    def _press_stop_key(self) -> None:
        self._stirred_at = time.monotonic()
        self._terminal.write(self._program.stop_key.encode())

    def resize(self, columns: int, rows: int) -> None:
        self._terminal.resize(columns, rows)
        self.recording.resized(columns, rows)

    def feed(self, writer: asyncio.StreamWriter, engine: int) -> Feed:
        """What an engine that draws this session is fed by; ``engine`` is its process."""
        return self._output.feed(writer, engine)

    async def close(self) -> SessionState:
        """End the program as the closing of a terminal does, by force if need be."""
        if self.open:
            self._closing = True
            self._terminal.hang_up()
            try:
                await asyncio.wait_for(self._over.wait(), KILL_SECONDS)
            except TimeoutError:
                self._terminal.kill()
                await self._over.wait()
        return self.state

    # --- what it shows and tells -------------------------------------------------------------------

    def _arrived(self, data: bytes) -> None:
        self._output.arrived(data)
        self._review()

    def _shown(self, data: bytes) -> None:
        self._stirred_at = time.monotonic()
        if self._answered_at is not None and self._stirred_at - self._answered_at > _WENT_ON_SECONDS:
            self._ask(None)
        self._modes.feed(data)
        self._notices.feed(data)

    def _is_asked(self) -> bool:
        return self._terminal.character_at_a_time

    def _noticed(self, notice: Notice) -> None:
        meanings = self._program.signs.items()
        meaning = next((meaning for pattern, meaning in meanings if re.match(pattern, notice.about)), None)
        delivery = self._delivery
        match meaning:
            case "began":
                self._ask(None)
                if delivery is None:
                    self._works_unasked = True
                else:
                    delivery.told_begun()
            case "asks" if self._question is None or self._answered_at is not None:
                self._ask(notice.text or notice.about)
            case "went on":
                self._ask(None)
            case "ended":
                self._ask(None)
                self._works_unasked = False
                verdict = delivery.verdict_when_told_ended() if delivery is not None else None
                if verdict is not None:
                    self._settle(verdict, notice.last_message)
            case "failed":
                self._ask(None)
                self._works_unasked = False
                if delivery is not None:
                    reason = notice.last_message or notice.text
                    self._settle(delivery.verdict_when_told_failed(reason), notice.last_message)
        self._review()

    def _ask(self, text: str | None) -> None:
        self._answered_at = None
        key = self._delivery.key if self._delivery is not None else None
        self._question = Question(f"s{next(_question_numbers)}", key, text) if text else None

    # --- what comes of it --------------------------------------------------------------------------

    def _review(self) -> None:
        """See what stillness says, tell of a changed state, and look again when either may change."""
        if not self.open:
            return
        if not self._started and self._still >= self._quiet and self._takes_text and self.recording.length:
            self._started = True
        if self._works_unasked and self._still >= STILL_SECONDS:
            self._works_unasked = False
        self._judge_delivery()
        state = self.state
        if state != self._pushed:
            self._pushed = state
            self._changed(state)
        self._look_again()

    def _judge_delivery(self) -> None:
        delivery = self._delivery
        if delivery is None or self._settling is not None or self._submitting is not None:
            return
        if reason := delivery.is_over_time():
            self._stop(reason)
        asks = self._question is not None and self._answered_at is None
        verdict = delivery.verdict_of_stillness(self._still, self._quiet, asks=asks)
        if verdict is not None:
            self._settle(verdict)

    def _look_again(self) -> None:
        moment = time.monotonic()
        looks = [self._stirred_at + self._quiet]
        if self._works_unasked:
            looks.append(self._stirred_at + STILL_SECONDS)
        if self._delivery is not None and self._settling is None:
            looks.append(self._delivery.next_look(self._stirred_at, self._quiet))
        coming = [look for look in looks if look > moment]
        if not coming:
            return
        in_seconds = min(coming) - moment
        at = self._loop.time() + in_seconds
        if self._look is not None:
            if self._loop.time() < self._look.when() <= at:
                return  # that one comes first, and looks further
            self._look.cancel()
        self._look = self._loop.call_later(in_seconds, self._looked)

    def _looked(self) -> None:
        self._look = None
        self._review()

    def _settle(self, verdict: Verdict, last_message: str = "") -> None:
        """``last_message`` is the agent's, where it tells it; else its screen shows what became of it."""
        if self._delivery is not None and self._settling is None:
            self._ask(None)
            self._settling = self._loop.create_task(self._conclude(self._delivery, verdict, last_message))

    async def _conclude(self, delivery: PromptDelivery, verdict: Verdict, last_message: str) -> None:
        output, truncated = last_message, False
        if not last_message:
            await self._last_changes()
            try:
                output, truncated = await screen_text(*self.recording.replay()), True
            except KavorError:
                output, truncated = self._raw_output(), True
        self._settled(delivery.outcome(verdict, output, truncated=truncated))
        self._review()

    async def _last_changes(self) -> None:
        """Of its screen, which a notice may run ahead of."""
        for _ in range(_MOST_CHANGES):
            if self._still >= _STILL_ENOUGH_SECONDS:
                return
            await asyncio.sleep(_STILL_ENOUGH_SECONDS - self._still)

    def _raw_output(self) -> str:
        return self.recording.tail(KEPT_OUTPUT).decode(errors="replace")

    def _settled(self, outcome: Outcome) -> None:
        self._delivery = self._settling = None
        self._observed(outcome)

    def _ended(self) -> None:
        _, status = os.waitpid(self._terminal.pid, 0)
        self._exit_code = os.waitstatus_to_exitcode(status)
        self._terminal.drain()
        self._output.rest()
        self._diagnostic = self._how_it_ended(self._exit_code)
        for task in (self._submitting, self._settling):
            if task is not None:
                task.cancel()
        if self._look is not None:
            self._look.cancel()
        self._question = None
        if self._delivery is not None:
            during = (
                "its session was closed during the turn"
                if self._closing
                else f"{self._diagnostic} during the turn"
            )
            self._settled(self._delivery.outcome(interrupted(during), self._raw_output(), truncated=True))
        self._over.set()
        self._output.ended(self._diagnostic)
        self._hooks.close()
        self._terminal.close()
        empty_folder(self._folder)
        self._changed(self.state)

    def _how_it_ended(self, code: int) -> str:
        if self._closing:
            return "its session is closed"
        return f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}"

"""One program with a screen of its own on one PTY, as an agent's: when it takes a prompt, what came of one.

Its line editor cannot be asked, and its screen is not read for success. What is known is which bytes a person
typed, whether the screen moves, and what the program tells by notices. As with a shell, what is decided is
acted on without giving the loop up in between.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from kavor.domain.errors import KavorError
from kavor.domain.payload import check_payload
from kavor.sessions.session import HandOver, Outcome, Program, SessionSpec, SessionState, WaitingFor
from kavor.sessions.terminal.delivery import KEPT_OUTPUT, Verdict, interrupted
from kavor.sessions.terminal.held_process import HeldProcess
from kavor.sessions.terminal.notices import Notice, TerminalNotices
from kavor.sessions.terminal.one_look import screen_text
from kavor.sessions.terminal.output import Output
from kavor.sessions.terminal.program_input import ProgramInput
from kavor.sessions.terminal.program_prompt import ProgramPrompt, decides
from kavor.sessions.terminal.prompt_delivery import STOPPED, PromptDelivery
from kavor.sessions.terminal.shell_start import start_program

_STILL_ENOUGH_SECONDS = 0.2
"""How long its screen must be still, after a notice of the end, to show what has become of the turn…"""
_MOST_CHANGES = 10
"""… and how often it is waited for."""
_CTRL_C, _ESCAPE = b"\x03", b"\x1b"


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
        self._changed = changed
        self._observed = observed
        self._loop = asyncio.get_running_loop()
        started = start_program(spec, program, sessions, self._arrived, self._noticed)
        self._terminal, self._hooks = started.terminal, started.hooks
        self._notices = TerminalNotices(self._noticed)
        self._output = Output(
            started.terminal,
            secrets.token_hex(16),  # so that it can set no marks
            (spec.columns, spec.rows),
            self._shown,
            lambda mark: None,
            self._is_asked,
            self._terminal.write,
        )
        self._prompt = ProgramPrompt(program)
        self._input = ProgramInput(
            self._terminal, program.clear_key.encode(), lambda: self._prompt.stirred_at
        )
        self._delivery: PromptDelivery | None = None
        self._submitting: asyncio.Task[None] | None = None
        self._settling: asyncio.Task[None] | None = None
        self._look: asyncio.TimerHandle | None = None
        self._diagnostic = ""
        self.held = HeldProcess(spec, started.terminal, started.folder, self._output, self._ended, self._tell)
        self._pushed = self.state
        self._review()

    # --- what is known -----------------------------------------------------------------------------

    @property
    def waiting_for(self) -> WaitingFor | None:
        """Why no prompt may be given now. None means that one may."""
        return self._prompt.waiting_for(
            self.held.recording.length,
            at_work=self._delivery is not None or self._submitting is not None,
            begun=self._input.composed.begun,
        )

    @property
    def state(self) -> SessionState:
        return replace(
            self.held.state(self.waiting_for, self._diagnostic),
            question=self._prompt.question,
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
        if not self.held.open or self.held.closing:
            return HandOver(False, closed=True)
        if waiting is not None:
            self._review()
            return HandOver(False, waiting)
        self._input.begin_prompt(text, as_paste=self._prompt.is_paste_bracketed)
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
        seen_until, stirred_at = self.held.recording.length, self._prompt.stirred_at
        with contextlib.suppress(KavorError):
            screen = await screen_text(*self.held.recording.replay())
            if not re.search(self._program.ready_mark, screen, re.MULTILINE):
                self._prompt.not_ready(seen_until)
        if self._prompt.stirred_at != stirred_at:
            self._prompt.stir()

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
        self.held.check_room(self._input.held + len(data))
        asks = self._prompt.asks
        self._prompt.typed(data)
        if self._delivery is not None and (asks or data.endswith((_CTRL_C, _ESCAPE))):
            self._delivery.touched = self._delivery.touched or decides(data)
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
        self._prompt.stir()
        self._terminal.write(self._program.stop_key.encode())

    # --- what it shows and tells -------------------------------------------------------------------

    def _arrived(self, data: bytes) -> None:
        self._output.arrived(data)
        self._review()

    def _shown(self, data: bytes) -> None:
        self._prompt.shown(data)
        self._notices.feed(data)

    def _is_asked(self) -> bool:
        return self._terminal.character_at_a_time

    def _noticed(self, notice: Notice) -> None:
        meanings = self._program.signs.items()
        meaning = next((meaning for pattern, meaning in meanings if re.match(pattern, notice.about)), None)
        delivery = self._delivery
        match meaning:
            case "began":
                self._prompt.went_on()
                if delivery is None:
                    self._prompt.works_unasked = True
                else:
                    delivery.told_begun()
            case "asks" if not self._prompt.asks:
                key = delivery.key if delivery is not None else None
                self._prompt.ask(notice.text or notice.about, key)
            case "went on":
                self._prompt.went_on()
            case "ended":
                self._prompt.went_on()
                self._prompt.works_unasked = False
                verdict = delivery.verdict_when_told_ended() if delivery is not None else None
                if verdict is not None:
                    self._settle(verdict, notice.last_message)
            case "failed":
                self._prompt.went_on()
                self._prompt.works_unasked = False
                if delivery is not None:
                    reason = notice.last_message or notice.text
                    self._settle(delivery.verdict_when_told_failed(reason), notice.last_message)
        self._review()

    # --- what comes of it --------------------------------------------------------------------------

    def _review(self) -> None:
        """See what stillness says, tell of a changed state, and look again when either may change."""
        if not self.held.open:
            return
        self._prompt.consider(self.held.recording.length)
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
        prompt = self._prompt
        verdict = delivery.verdict_of_stillness(prompt.still, prompt.quiet, asks=prompt.asks)
        if verdict is not None:
            self._settle(verdict)

    def _look_again(self) -> None:
        moment = time.monotonic()
        looks = self._prompt.next_looks
        if self._delivery is not None and self._settling is None:
            looks.append(self._delivery.next_look(self._prompt.stirred_at, self._prompt.quiet))
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
            self._prompt.went_on()
            self._settling = self._loop.create_task(self._conclude(self._delivery, verdict, last_message))

    async def _conclude(self, delivery: PromptDelivery, verdict: Verdict, last_message: str) -> None:
        output, truncated = last_message, False
        if not last_message:
            await self._last_changes()
            try:
                output, truncated = await screen_text(*self.held.recording.replay()), True
            except KavorError:
                output, truncated = self._raw_output(), True
        self._settled(delivery.outcome(verdict, output, truncated=truncated))
        self._review()

    async def _last_changes(self) -> None:
        """Of its screen, which a notice may run ahead of."""
        for _ in range(_MOST_CHANGES):
            if self._prompt.still >= _STILL_ENOUGH_SECONDS:
                return
            await asyncio.sleep(_STILL_ENOUGH_SECONDS - self._prompt.still)

    def _raw_output(self) -> str:
        return self.held.recording.tail(KEPT_OUTPUT).decode(errors="replace")

    def _settled(self, outcome: Outcome) -> None:
        self._delivery = self._settling = None
        self._observed(outcome)

    def _ended(self, code: int, _: str | None) -> str:
        self._diagnostic = self._how_it_ended(code)
        for task in (self._submitting, self._settling):
            if task is not None:
                task.cancel()
        if self._look is not None:
            self._look.cancel()
        self._prompt.went_on()
        if self._delivery is not None:
            during = (
                "its session was closed during the turn"
                if self.held.closing
                else f"{self._diagnostic} during the turn"
            )
            self._settled(self._delivery.outcome(interrupted(during), self._raw_output(), truncated=True))
        self._hooks.close()
        return self._diagnostic

    def _how_it_ended(self, code: int) -> str:
        if self.held.closing:
            return "its session is closed"
        return f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}"

    def _tell(self) -> None:
        self._changed(self.state)

"""One shell on one PTY: what it is doing, whether a delivery is safe now, and what came of one.

Everything here happens on the host's event loop, and a decision is taken and acted on without giving the
loop up in between: that is what makes "the line is empty, then deliver" atomic with the bytes a person
types, since those pass through here too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kavor.domain.payload import check_payload
from kavor.sessions.session import HandOver, Outcome, SessionSpec, SessionState, WaitingFor
from kavor.sessions.terminal.backoff import Backoff
from kavor.sessions.terminal.deliverer import Deliverer
from kavor.sessions.terminal.delivery import unobserved
from kavor.sessions.terminal.dropped_marks import DroppedMarks
from kavor.sessions.terminal.held_process import HeldProcess
from kavor.sessions.terminal.line_editor import LineEditor
from kavor.sessions.terminal.lost_editor import LostEditor
from kavor.sessions.terminal.marks import Mark
from kavor.sessions.terminal.output import Output
from kavor.sessions.terminal.phase import Phase
from kavor.sessions.terminal.shell_process import ShellProcess
from kavor.sessions.terminal.shell_reading import ReadsKeys, ReadsLines, ShellReading
from kavor.sessions.terminal.shell_start import start_shell
from kavor.sessions.terminal.typed_input import Line, PersonsInput, TypedInput
from kavor.sessions.terminal.unasked_input import UnaskedInput

QUIET_SECONDS = 0.4
"""How long a person must have been still before the line editor is asked about the line."""
_MOMENTS = (0.005, 0.02, 0.05, 0.1)
"""Seconds a shell at its prompt is given, one after the other, to finish what it does there."""
_SHORTLY = 0.1
_CTRL_C = b"\x03"
_BEGINS = 0.1
"""Seconds that a command is given to become what it is."""
_NOT_READ_YET = 64 * 1024
"""Bytes of output that are read before a command is interrupted."""


class TerminalSession:
    """A session from its start on; it stays known after its end.

    ``changed`` is told of every change of state, ``observed`` of every outcome. Raises BadInput or
    Refused when the shell or the directory will not do; then nothing was started.
    """

    def __init__(
        self,
        spec: SessionSpec,
        sessions: Path,
        inherited: Mapping[str, str],
        changed: Callable[[SessionState], None],
        observed: Callable[[Outcome], None],
    ) -> None:
        shell = start_shell(spec, sessions, inherited, self._arrived)
        self.id = spec.id
        self._kind = shell.kind
        self._terminal = shell.terminal
        self._folder = shell.folder
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._output = Output(
            shell.terminal,
            shell.nonce,
            (spec.columns, spec.rows),
            self._shown,
            self._marked,
            self._is_asked,
            self._answer,
        )
        self._keys = self._kind.keys
        self._typed: PersonsInput = (
            TypedInput() if self._keys else UnaskedInput(lambda: self._terminal.keys_send_signals)
        )
        self._reading: ShellReading = ReadsKeys(self._terminal) if self._keys else ReadsLines(self._terminal)
        self._phase = Phase.STARTING
        self._command_number = ""
        self._commands = 0
        """How many have run, as far as could be seen."""
        self._runs_since = 0.0
        self._diagnostic = self._kind.limits
        self._hesitates = False
        self._dropped = DroppedMarks(self._terminal, self._reading)
        self._last_sign = time.monotonic()
        self._looks = Backoff(self._look)
        self._editor = LineEditor(self._terminal.write, self._pass_on)
        self._process = ShellProcess(self._terminal.pid)
        self._deliverer = Deliverer(
            shell, self._process, self._reading, self._editor, observed, self._hesitate, self._review
        )
        self._lost_editor = LostEditor(
            self._process, self._reading, self._editor, lambda: self._phase, self._review
        )
        self.held = HeldProcess(
            spec, shell.terminal, shell.folder, self._output, self._shell_ended, self._tell
        )
        self._pushed = self.state

    # --- what is known -----------------------------------------------------------------------------

    @property
    def waiting_for(self) -> WaitingFor | None:
        """Why no delivery is safe now. None means that one is."""
        if self._phase is Phase.STARTING:
            return WaitingFor.STARTING
        if self._phase is Phase.CONTINUATION:
            return WaitingFor.UNFINISHED_INPUT
        if self._phase is not Phase.PROMPT:
            return WaitingFor.ALTERNATE_SCREEN if self._output.on_alternate_screen else WaitingFor.BUSY
        if self._deliverer.current is not None or self._editor.is_silent:
            return WaitingFor.BUSY
        if self._typed.line is not Line.EMPTY:
            return WaitingFor.UNFINISHED_INPUT
        if self._editor.owes_an_answer or self._hesitates or not self._reading.has_terminal:
            return WaitingFor.BUSY
        return None

    @property
    def state(self) -> SessionState:
        diagnostic = self._lost_editor.diagnostic or self._diagnostic
        running = self.running if self.held.open else None
        return replace(self.held.state(self.waiting_for, diagnostic), running=running)

    # --- what comes in -----------------------------------------------------------------------------

    async def deliver(self, key: str, text: str) -> HandOver:
        """Hand the text over if this moment is safe. Raises BadInput for a text that is no payload and
        StorageFailed when it cannot be written down; then nothing was delivered."""
        text = check_payload(text)
        for pause in _MOMENTS:
            if not self.held.open or self.held.closing:
                return HandOver(False, closed=True)
            waiting = self.waiting_for
            if waiting is not None:
                self._review()
                return HandOver(False, waiting)
            if self._reading.waits:
                return await self._hand_over(key, text)
            await asyncio.sleep(pause)
        self._hesitates = True
        self._review()
        return HandOver(False, WaitingFor.BUSY)

    def _hand_over(self, key: str, text: str) -> asyncio.Future[HandOver]:
        answer = self._deliverer.offer(key, text)
        if not self._keys:
            self._runs()  # nothing else will say so
        self._review()
        return answer

    def type(self, data: bytes) -> None:
        """Bytes as if typed by a person. Raises Refused when a program leaves too many of them unread."""
        self.held.check_room(self._editor.held + len(data))
        self._editor.type(data)
        self._review()

    def _pass_on(self, data: bytes) -> None:
        self._last_sign = time.monotonic()
        self._dropped.typed(data)
        self._lost_editor.something_typed()
        if self._deliverer.current is not None and _CTRL_C in data:
            self._deliverer.current.person_interrupts = True
        self._typed.typed(data, at_prompt=self._phase in (Phase.PROMPT, Phase.CONTINUATION))
        if self._typed.line_sent and self._phase in (Phase.PROMPT, Phase.CONTINUATION):
            self._runs()
        self._terminal.write(data)

    @property
    def running(self) -> str | None:
        """What runs in the shell, by an id that nothing else has; of a delivery, its key."""
        if self._phase is not Phase.RUNNING:
            return None
        delivery = self._deliverer.running
        return delivery.key if delivery is not None else f"{self.held.started_at}-{self._commands}"

    async def interrupt(self, running: str) -> bool:
        """Ctrl-C for what runs under this id, if it still does: not for the next command, nor at a prompt.

        A key is typed only where the shell has had the terminal for a while: it has it too before a program
        begins, and after that has ended and the shell has not told of it. A program that has only just begun
        is given a moment: until it is what the shell started, the shell's own child swallows the signal.
        """
        for pause in (0, *_MOMENTS):
            await asyncio.sleep(pause)
            self._terminal.drain(_NOT_READ_YET)  # the end of it may be there, and not read yet
            if not self.held.open or self.running != running:
                return False
            if self._deliverer.current is not None:
                self._deliverer.current.person_interrupts = True
            if time.monotonic() - self._runs_since >= _BEGINS and self._terminal.interrupt():
                return True
        self._pass_on(_CTRL_C)
        return True

    def _runs(self) -> None:
        if self._phase is not Phase.RUNNING:
            self._commands += 1
            self._runs_since = time.monotonic()
        self._phase = Phase.RUNNING

    def _replied(self, verb: str, arguments: Sequence[str]) -> None:
        """The line editor's answer to a private key, or the shell's own word at its start."""
        match verb, *arguments:
            case "unable", reason:
                self._diagnostic = f"nothing can be delivered to this shell: {reason}"
                return
            case "accepted", token:
                self._deliverer.accepted(token)
            case "unparsed", token, why:
                self._deliverer.unparsed(token, why)
            case "unfinished", token:
                if self._deliverer.unfinished(token):
                    self._typed.told(empty=False)
            case "late" | "absent", *_:
                self._deliverer.not_run()
            case "line", *filled if self._editor.expects_an_answer:
                self._typed.told(empty=filled == ["0", "0"])
        self._last_sign = time.monotonic()
        self._editor.answered()

    def _hesitate(self) -> None:
        self._hesitates = True
        self._looks.seldom()

    # --- the shell's output ------------------------------------------------------------------------

    def _arrived(self, data: bytes) -> None:
        self._output.arrived(data)
        self._review()

    def _shown(self, data: bytes) -> None:
        if self._phase is Phase.RUNNING and (delivery := self._deliverer.running) is not None:
            delivery.saw_output(data)

    def _is_asked(self) -> bool:
        """Only a program that reads single characters waits for an answer; to others it would be typing. At
        the prompt it is one that a key has started."""
        if not self._terminal.character_at_a_time:
            return False
        return self._phase in (Phase.RUNNING, Phase.STARTING) or self._terminal.shell_has_lent_it

    def _answer(self, answer: bytes) -> None:
        self._typed.answered_a_query()
        self._terminal.write(answer)

    def _marked(self, mark: Mark) -> None:
        match mark.kind:
            case "B":
                self._prompt_shown()
            case "C":
                self._command_started(*mark.arguments)
            case "D":
                self._command_ended(*mark.arguments)
            case "P":
                self._more_wanted()
            case verb:
                self._replied(verb, mark.arguments)

    def _command_started(self, status_before: str) -> None:
        delivery = self._deliverer.running
        self._typed.line_taken(by_delivery=delivery is not None)
        self._editor.give_up_on_late_answer()
        self._dropped.possible = False
        self._runs()
        if delivery is not None:
            delivery.saw_start(int(status_before))

    def _command_ended(self, status: str, number: str, *notes: str) -> None:
        self._editor.give_up_on_late_answer()
        ran = number != self._command_number
        if not ran and not self._keys:
            return  # the prompt is only drawn again
        self._command_number = number
        self._typed.vi = "vi" in notes
        delivery = self._deliverer.running
        if not ran and self._phase in (Phase.PROMPT, Phase.CONTINUATION):
            self._typed.line_taken(by_delivery=delivery is not None)
        # A command that the hang-up cut short did not end by itself, whatever code is left of it.
        if delivery is not None and not self.held.closing:
            delivery.saw_end(int(status), ran=ran, stopped="stopped" in notes)
        if self._phase is not Phase.STARTING:
            self._phase = Phase.BETWEEN

    def _prompt_shown(self) -> None:
        if self._phase is Phase.PROMPT or (self._phase is Phase.RUNNING and not self._keys):
            return  # only drawn again
        if self._phase is Phase.RUNNING:
            self._loop.call_later(_SHORTLY, self._prompt_without_end)
            return
        if self._phase is Phase.STARTING:
            self._kind.started(self._folder)
            self._process.remember()
        self._at_prompt()
        delivery = self._deliverer.running
        if delivery is not None and delivery.ended:
            self._deliverer.settle(delivery.verdict_at_prompt())

    def _prompt_without_end(self) -> None:
        if self.held.open and self._phase is Phase.RUNNING and self._reading.has_terminal:
            self._at_prompt()
            if self._deliverer.running is not None:
                self._deliverer.settle(
                    unobserved("the prompt came back without an exit code: the shell's hooks are gone")
                )
            self._review()

    def _at_prompt(self) -> None:
        self._phase = Phase.PROMPT
        self._typed.prompt_shown()
        self._last_sign = time.monotonic()

    def _more_wanted(self) -> None:
        delivery = self._deliverer.running
        self._typed.line_taken(by_delivery=delivery is not None)
        self._phase = Phase.CONTINUATION
        if delivery is not None:
            self._deliverer.more_wanted(delivery)

    # --- what sends no sign ------------------------------------------------------------------------

    def _review(self) -> None:
        """Tell of a changed state, and see to it that the next change will be noticed."""
        if not self.held.open:
            return
        self._lost_editor.consider(self.waiting_for)
        state = self.state
        if state != self._pushed:
            self._pushed = state
            self._changed(state)
        if not self._may_ask:
            if self._perhaps_unseen or self._editor.owes_an_answer:
                self._looks.look_later()
            return
        if self._typed.line is Line.ASK:
            self._looks.look_later(at_least=self._last_sign + QUIET_SECONDS - time.monotonic())
        elif state.waiting_for is WaitingFor.BUSY:
            self._looks.look_later()
        else:
            self._looks.soon()

    @property
    def _may_ask(self) -> bool:
        return (
            self._phase is Phase.PROMPT
            and self._deliverer.current is None
            and not self._editor.owes_an_answer
            and not self._editor.is_silent
        )

    @property
    def _perhaps_unseen(self) -> bool:
        """Whether the shell may be at a prompt whose mark was dropped."""
        away = self._phase in (Phase.RUNNING, Phase.BETWEEN, Phase.CONTINUATION)
        return self._dropped.possible and away and self._deliverer.current is None

    def _take_up_what_was_dropped(self) -> None:
        self._editor.give_up_on_lost_key()
        if self._perhaps_unseen:
            self._typed.typed(b"", at_prompt=False)  # nobody has told what is in the line
            self._at_prompt()

    def _look(self) -> None:
        if (self._perhaps_unseen or self._editor.owes_an_answer) and self._dropped.shell_waits:
            self._take_up_what_was_dropped()
        if self._may_ask and self._reading.waits:
            self._hesitates = False
            self._looks.soon()
            quiet = time.monotonic() - self._last_sign >= QUIET_SECONDS
            if quiet and self._typed.line is Line.ASK:
                self._find_out()
        self._review()

    def _find_out(self) -> None:
        """Whether the line is empty."""
        if self._keys:
            self._editor.send(self._keys.ask, lambda: None)
        elif self._reading.has_read_everything:
            self._typed.told(empty=True)
        else:
            self._looks.seldom()

    # --- ends --------------------------------------------------------------------------------------

    def _shell_ended(self, code: int, program: str | None) -> str:
        end = self._deliverer.shell_ended(code, program, on_request=self.held.closing)
        self._diagnostic = str(end)
        self._looks.stop()
        self._lost_editor.stop()
        self._lost_editor.diagnostic = ""
        self._editor.close()
        return self._diagnostic

    def _tell(self) -> None:
        self._changed(self.state)

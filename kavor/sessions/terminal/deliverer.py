"""Hands commands over to one shell, one at a time, and concludes what came of each.

The session decides when; here is how: the offer, the line editor's answer to it, and the outcome.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kavor.sessions.session import HandOver, Outcome, WaitingFor
from kavor.sessions.terminal.delivery import (
    Delivery,
    ShellEnd,
    TypedDelivery,
    Verdict,
    could_not_parse,
    incomplete,
    interrupted,
)
from kavor.sessions.terminal.delivery_watch import DeliveryWatch
from kavor.sessions.terminal.handover import Offer, TypedLine
from kavor.sessions.terminal.line_editor import LineEditor
from kavor.sessions.terminal.shell_process import ShellProcess
from kavor.sessions.terminal.shell_reading import ShellReading
from kavor.sessions.terminal.shell_start import StartedShell

_TRIES_TO_CLEAR = 20
_SECONDS_BETWEEN_TRIES = 0.1
_CTRL_C = b"\x03"


class Deliverer:
    """``observed`` is told of every outcome; ``declined`` when the shell would not take a text that was safe
    to offer; ``changed`` after what comes without a sign of the shell."""

    def __init__(
        self,
        shell: StartedShell,
        process: ShellProcess,
        reading: ShellReading,
        editor: LineEditor,
        observed: Callable[[Outcome], None],
        declined: Callable[[], None],
        changed: Callable[[], None],
    ) -> None:
        self._kind = shell.kind
        self._folder = shell.folder
        self._terminal = shell.terminal
        self._editor = editor
        self._observed = observed
        self._declined = declined
        self._changed = changed
        self._withdrawn: Offer | TypedLine | None = None
        self._reading = reading
        self._process = process
        self._watch = DeliveryWatch(process, reading, self._conclude)
        self.current: Delivery | None = None
        """The one that is offered or in the shell."""

    @property
    def running(self) -> Delivery | None:
        """The delivery that the shell's marks are about."""
        return self.current if self.current is not None and self.current.acknowledged else None

    def offer(self, key: str, text: str) -> asyncio.Future[HandOver]:
        """Raises StorageFailed when the text cannot be written down; then nothing was delivered."""
        answer: asyncio.Future[HandOver] = asyncio.get_running_loop().create_future()
        if self._kind.keys:
            self.current = Delivery(key, Offer(self._folder, text), answer)
            self._editor.send(self._kind.keys.deliver, self._no_answer)
        else:
            typed = TypedLine(self._folder, text)
            self.current = delivery = TypedDelivery(key, typed, answer)
            self._terminal.write(f"{typed.line}\n".encode())
            self._take(delivery)
        return answer

    def _no_answer(self) -> None:
        """The line editor is silent: take the offer back, unless it was claimed."""
        delivery = self.current
        if delivery is not None and not delivery.taken:
            if delivery.offer.withdraw():
                self._withdrawn = delivery.offer
                self._refuse(delivery, WaitingFor.BUSY)
            else:
                self._take(delivery)
        asyncio.get_running_loop().call_soon(self._changed)

    def _refuse(self, delivery: Delivery, waiting: WaitingFor | None) -> None:
        """Nothing was delivered; None says that the session has ended."""
        self.current = None
        delivery.answer_with(HandOver(False, waiting, closed=waiting is None))

    def _take(self, delivery: Delivery) -> None:
        if not delivery.taken:
            delivery.take()
            self._watch.start(delivery)

    # --- the line editor's answers -----------------------------------------------------------------

    def accepted(self, token: str) -> None:
        if ours := self._named(token):
            ours.acknowledged = True
            ours.offer.forget()
            self._take(ours)

    def unparsed(self, token: str, why: str) -> None:
        """It was taken, and given up before it ran: the shell cannot parse it, or wants more."""
        if ours := self._named(token):
            self._take(ours)
            if why == "incomplete":
                self.settle(incomplete("the line was cleared", started=False))
            else:
                self.settle(could_not_parse())

    def unfinished(self, token: str) -> bool:
        """The line is not empty. Whether that is the answer to what is offered now."""
        ours = self._named(token)
        if ours is None or not ours.offer.withdraw():
            return False
        ours.offer.forget()
        self._refuse(ours, WaitingFor.UNFINISHED_INPUT)
        return True

    def not_run(self) -> None:
        """The line editor found no text, or could not claim it, and says that it will not run it."""
        delivery = self.current
        if self._withdrawn is not None:
            self._withdrawn.forget()
            self._withdrawn = None
        elif delivery is not None and not delivery.acknowledged:
            if delivery.taken:
                self.settle(interrupted("the shell could not take the command; it did not run"))
            else:
                delivery.offer.withdraw()
                self._refuse(delivery, WaitingFor.BUSY)
                self._declined()

    def _named(self, token: str) -> Delivery | None:
        return self.current if self.current is not None and self.current.offer.token == token else None

    # --- a line that is incomplete -----------------------------------------------------------------

    def more_wanted(self, delivery: Delivery) -> None:
        """The shell asks for more: give the line up. Until it is gone nobody can type into it."""
        delivery.saw_continuation()
        self._editor.hold()
        asyncio.get_running_loop().call_soon(self._clear_line, delivery, _TRIES_TO_CLEAR)

    def _clear_line(self, delivery: Delivery, tries: int) -> None:
        if self.current is delivery and tries:
            if self._reading.waits:
                self._terminal.write(_CTRL_C)
            loop = asyncio.get_running_loop()
            loop.call_later(_SECONDS_BETWEEN_TRIES, self._clear_line, delivery, tries - 1)
            return
        if self.current is delivery:
            self.settle(delivery.verdict_if_not_cleared())
        self._editor.release()
        self._changed()

    # --- ends --------------------------------------------------------------------------------------

    def settle(self, verdict: Verdict) -> None:
        delivery, self.current = self.current, None
        if delivery is not None:
            self._watch.stop()
            delivery.offer.forget()
            self._observed(delivery.outcome(verdict, self._kind.own_output))

    def _conclude(self, verdict: Verdict) -> None:
        """Settle what no mark has settled."""
        self.settle(verdict)
        self._changed()

    def shell_ended(self, code: int, program: str | None, *, on_request: bool) -> ShellEnd:
        """``program`` is the short name of what ended in the shell's process, None where not known."""
        end = ShellEnd(code, on_request, self._process.name, program)
        delivery = self.current
        if delivery is not None:
            if not delivery.taken and delivery.offer.withdraw():
                self._refuse(delivery, None)
            else:
                delivery.take()
                self.settle(delivery.verdict_at_end(end))
        return end

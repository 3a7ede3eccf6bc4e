"""Simulated targets behind the seam of the real ones: they take deliveries, and end them when told to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kavor.domain.attempts import AttemptState
from kavor.domain.graph import NodeKind
from kavor.runtime.clock import Clock
from kavor.sessions.session import (
    AgentSpec,
    Entry,
    HandOver,
    Listener,
    Outcome,
    Question,
    SessionSpec,
    SessionState,
    ToolCall,
    WaitingFor,
)

CLOSED_ON_PURPOSE = "its session is closed"
CLOSED_MEANWHILE = "its session was closed during the delivery"
DIED = "the process behind its session died"
IDLE_WITHOUT_RESULT = "the target became idle without telling how it ended"
STOPPED = "stopped by a person"
ASKS = "it asks for permission, and waits for a person"


@dataclass
class SimulatedTarget:
    """A CodingAgent or a Terminal, as the world outside the runtime has it."""

    id: str
    kind: NodeKind
    open: bool
    busy: bool = False
    """At work on something that no attempt delivered."""
    shell: WaitingFor | None = None
    """Of a Terminal that is not at its prompt: why."""
    line: str = ""
    """What a person has typed and not entered."""
    at_work: str | None = None
    """The key of the delivery under way."""
    asking: bool = False
    diagnostic: str = ""
    submitted: list[str] = field(default_factory=list)
    bytes_written: int = 0

    def state(self) -> SessionState:
        waiting = None
        if self.asking and self.kind is NodeKind.CODING_AGENT:
            waiting = WaitingFor.ANSWER
        elif self.busy or self.at_work is not None:
            waiting = WaitingFor.BUSY
        elif self.shell is not None:
            waiting = self.shell
        elif self.line:
            waiting = WaitingFor.UNFINISHED_INPUT
        return SessionState(
            id=self.id,
            open=self.open,
            waiting_for=waiting if self.open else None,
            diagnostic="" if self.open else self.diagnostic,
            question=self.question() if waiting is WaitingFor.ANSWER else None,
        )

    def question(self) -> Question:
        return Question("question", self.at_work, ASKS)

    def shown(self) -> dict[str, Any]:
        return {
            "deliveries": len(self.submitted),
            "bytes_written": self.bytes_written,
            "line": self.line,
            "submitted": list(self.submitted),
        }


class SimulatedTargets:
    """Implements AgentSessions. The targets outlive a runtime that is killed, as shells do in their PTY host.

    What a Terminal does is observed even while no runtime is there, and told to the next one. What a
    CodingAgent did for a runtime that is gone is observed by nobody (decision 15).
    """

    def __init__(self, clock: Clock, targets: Sequence[SimulatedTarget]) -> None:
        self.by_id = {target.id: target for target in targets}
        self._clock = clock
        self._listener: Listener | None = None
        self._accepted: dict[str, str] = {}
        """Key → target id, of every delivery whose end was observed or still can be."""
        self._untold: dict[str, Outcome] = {}
        self._completes_after_ms: int | None = None

    # --- What a scenario makes them do

    def become_busy(self, target: SimulatedTarget) -> None:
        target.busy = True
        self._tell_state(target)

    def become_idle(self, target: SimulatedTarget) -> None:
        """A delivery under way must not hang on it (K+14): its end was not observed, so it is Fired."""
        self.end(target, AttemptState.FIRED, diagnostic=IDLE_WITHOUT_RESULT)

    def end(
        self,
        target: SimulatedTarget,
        state: AttemptState,
        *,
        exit_code: int | None = None,
        diagnostic: str = "",
    ) -> None:
        """The target is free again; the delivery under way, if there is one, ended so."""
        target.busy = target.asking = False
        self._end_delivery(target, state, exit_code=exit_code, diagnostic=diagnostic)
        self._tell_state(target)

    def ask(self, target: SimulatedTarget) -> None:
        """It waits for a person, whether over a delivery or over work of its own."""
        target.asking = True
        if target.at_work is None:
            target.busy = True
        elif self._listener is not None:
            self._listener.attention_needed(target.at_work, target.question())
        self._tell_state(target)

    def die(self, target: SimulatedTarget) -> None:
        self._end_session(target, DIED, DIED)

    def type_line(self, target: SimulatedTarget, text: str, *, enter: bool) -> None:
        """A person types; with Enter the line is run, and the prompt is there again at once."""
        target.line = "" if enter else target.line + text
        self._tell_state(target)

    def clear_line(self, target: SimulatedTarget) -> None:
        target.line = ""
        self._tell_state(target)

    def complete_deliveries_after(self, milliseconds: int | None) -> None:
        """From now on every delivery completes by itself after so long; None: when told to."""
        self._completes_after_ms = milliseconds
        if milliseconds is not None:
            for target in self.by_id.values():
                if target.at_work is not None and not target.asking:
                    self._complete_later(target, target.at_work, milliseconds)

    def runtime_is_gone(self) -> None:
        """It was killed, or it let go. Agents were its children; their work has nobody to tell."""
        self._listener = None
        for target in self.by_id.values():
            if target.kind is NodeKind.CODING_AGENT and target.at_work is not None:
                del self._accepted[target.at_work]
                target.at_work, target.asking = None, False

    # --- Sessions

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        self._listener = listener
        for outcome in self._untold.values():
            listener.outcome_observed(outcome)
        return [target.state() for target in self.by_id.values() if target.open]

    async def stop(self, *, end_sessions: bool) -> None:
        self.runtime_is_gone()

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        target = self.by_id[spec.id]
        if not target.open:
            target.open, target.shell, target.line = True, None, ""
        return target.state()

    async def close(self, session_id: str) -> SessionState:
        target = self.by_id[session_id]
        self._end_session(target, CLOSED_MEANWHILE, CLOSED_ON_PURPOSE)
        return target.state()

    async def deliver(self, session_id: str, key: str, text: str) -> HandOver:
        target = self.by_id[session_id]
        state = target.state()
        if key in self._accepted:
            return HandOver(accepted=True)
        if not state.ready:
            return HandOver(accepted=False, waiting_for=state.waiting_for, closed=not state.open)
        self._accepted[key] = target.id
        target.at_work = key
        target.submitted.append(text)
        target.bytes_written += len(text.encode())
        self._tell_state(target)
        if self._completes_after_ms is not None:
            self._complete_later(target, key, self._completes_after_ms)
        return HandOver(accepted=True, delivered_at=self._clock.now())

    async def known(self, keys: Sequence[str]) -> Mapping[str, bool]:
        return {key: key in self._accepted for key in keys}

    async def acknowledge(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._untold.pop(key, None)

    async def survivors(self, session_id: str) -> Sequence[tuple[int, str]]:
        return []

    async def type(self, session_id: str, data: bytes) -> None:
        text = data.decode()
        self.type_line(self.by_id[session_id], text.removesuffix("\r"), enter=text.endswith("\r"))

    async def tail(self, session_id: str, max_bytes: int) -> bytes:
        return b""

    async def screen(self, session_id: str, *, whole: bool = False) -> str:
        return ""

    def holds(self, session_id: str) -> bool:
        target = self.by_id.get(session_id)
        return target is not None and target.kind is NodeKind.CODING_AGENT

    async def answer(self, session_id: str, question_id: str, option_id: str | None) -> None:
        target = self.by_id[session_id]
        target.asking = False
        if target.at_work is not None and self._listener is not None:
            self._listener.attention_settled(target.at_work)
        self._tell_state(target)

    async def cancel(self, session_id: str) -> None:
        self.end(self.by_id[session_id], AttemptState.INTERRUPTED, diagnostic=STOPPED)

    async def interrupt(self, session_id: str, running: str) -> bool:
        return False

    def tools_listed(self, session_id: str) -> None: ...

    def note_call(self, session_id: str, key: str | None, call: ToolCall) -> int:
        return 0

    def change_call(self, session_id: str, entry: int, call: ToolCall) -> None: ...

    def transcript(self, session_id: str, after_version: int = 0) -> tuple[Sequence[Entry], int]:
        return [], 0

    # --- Inside

    def _end_session(self, target: SimulatedTarget, during_delivery: str, diagnostic: str) -> None:
        self._end_delivery(target, AttemptState.INTERRUPTED, diagnostic=during_delivery)
        target.open, target.diagnostic = False, diagnostic
        target.busy = target.asking = False
        target.line = ""
        self._tell_state(target)

    def _end_delivery(
        self,
        target: SimulatedTarget,
        state: AttemptState,
        *,
        exit_code: int | None = None,
        diagnostic: str = "",
    ) -> None:
        key, target.at_work = target.at_work, None
        if key is None:
            return
        outcome = Outcome(
            key, state, exit_code=exit_code, diagnostic=diagnostic, finished_at=self._clock.now()
        )
        self._untold[key] = outcome
        if self._listener is not None:
            self._listener.outcome_observed(outcome)

    def _complete_later(self, target: SimulatedTarget, key: str, milliseconds: int) -> None:
        def complete() -> None:
            if target.at_work == key and not target.asking:
                self.complete(target)

        asyncio.get_running_loop().call_later(milliseconds / 1000, complete)

    def complete(self, target: SimulatedTarget) -> None:
        """A shell tells of success by its exit code, an agent by the end of its turn."""
        exit_code = 0 if target.kind is NodeKind.TERMINAL else None
        self.end(target, AttemptState.COMPLETED, exit_code=exit_code)

    def _tell_state(self, target: SimulatedTarget) -> None:
        if self._listener is not None:
            self._listener.session_changed(target.state())

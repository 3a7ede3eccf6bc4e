"""The session of one CodingAgent: one turn at a time, its questions, and exactly one outcome for each."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, KavorError, NotFound
from kavor.domain.instant import Instant
from kavor.sessions.agent.harness import Call, Gone, Harness, TurnEnd
from kavor.sessions.agent.providers import Provider
from kavor.sessions.agent.transcript import MOST_ENTRIES, Kind, Transcript
from kavor.sessions.agent.turn import Turn
from kavor.sessions.session import (
    AgentSpec,
    HandOver,
    Listener,
    Option,
    Outcome,
    Question,
    SessionState,
    WaitingFor,
)

log = logging.getLogger(__name__)

STOP_SECONDS = 10.0
"""How long an agent may take to stop its turn when it is asked to; then its process is ended."""
STOP_TRIES = 3
"""How often it is asked within that time: one that has only begun the turn may not have heard."""

MOST_QUESTIONS = 100
"""Of one agent that may be open at once; a further one is left without an answer."""

CLOSED = "its session is closed"
CLOSED_MEANWHILE = "its session was closed during the turn"
STOPPED = "it was stopped by a person"


class AgentSession:
    """From its opening to its end; opened again, it is another one. Is the Observer of its harness.

    The order of what is told: an outcome before the state that has the session free again or gone.
    """

    def __init__(
        self,
        spec: AgentSpec,
        provider: Provider,
        transcript: Transcript,
        listener: Listener,
        ended: Callable[[Outcome], None],
        now: Callable[[], Instant],
    ) -> None:
        self.spec = spec
        self.transcript = transcript
        self._provider = provider
        self._listener = listener
        self._ended = ended
        self._now = now
        self._started_at = now()
        self._harness: Harness | None = None
        self._starting: asyncio.Task[None] | None = None
        self._working: asyncio.Task[None] | None = None
        self._tools_listed = asyncio.Event()
        self._open = True
        self._ready = False
        self._conversation = spec.conversation
        self._turn: Turn | None = None
        self._questions: dict[str, tuple[Question, asyncio.Future[str | None], int]] = {}
        """By id, oldest first: the question, its answer to come, its entry in the transcript."""
        self._exit_code: int | None = None
        self._diagnostic = ""
        self._growing: tuple[Kind, int] | None = None
        """The entry that what is said or thought next belongs to."""
        self._entries: dict[str, int] = {}
        """Of this turn's tool calls by id, and of its plan under an empty id: their entries."""

    # --- What is known of it

    @property
    def is_open(self) -> bool:
        return self._open

    @property
    def state(self) -> SessionState:
        harness = self._harness
        return SessionState(
            id=self.spec.id,
            open=self._open,
            waiting_for=self._waiting_for() if self._open else None,
            pid=harness.pid if harness is not None and self._open else None,
            started_at=self._started_at,
            exit_code=self._exit_code,
            diagnostic=self._diagnostic,
            environment=self.spec.environment,
            conversation=self._conversation,
            question=self._oldest_question(),
            provider=self.spec.provider,
        )

    @property
    def harness(self) -> Harness | None:
        return self._harness

    def _waiting_for(self) -> WaitingFor | None:
        if not self._ready:
            return WaitingFor.STARTING
        if self._questions:
            return WaitingFor.ANSWER
        return WaitingFor.BUSY if self._turn is not None else None

    def _oldest_question(self) -> Question | None:
        return next((question for question, _, _ in self._questions.values()), None)

    def _tell_state(self) -> None:
        self._listener.session_changed(self.state)

    # --- Open and close

    async def open(self, hold: Callable[[AgentSession], Awaitable[Harness]]) -> None:
        """Have it held; it starts in the background. Raises KavorError, and then it is not open."""
        try:
            self._harness = await hold(self)
        except BaseException:
            self._open = False
            raise
        self._starting = asyncio.create_task(self._start(self._harness), name=f"start {self.spec.id}")
        self._tell_state()

    async def _start(self, harness: Harness) -> None:
        try:
            self._conversation = await harness.start()
            self._tell_state()
            if self.spec.tools is not None and self._provider.wait_for_tools_s:
                await self._until_tools_are_listed()
        except Gone as gone:
            self.gone(str(gone))
        except KavorError as error:
            await self._end(f"{error.message}; {error.hint}" if error.hint else error.message)
        except Exception as error:
            log.exception("the agent %s could not be started", self.spec.id)
            await self._end(f"it could not be started: {error}")
        else:
            self._ready = True
            self._tell_state()

    async def _until_tools_are_listed(self) -> None:
        try:
            async with asyncio.timeout(self._provider.wait_for_tools_s):
                await self._tools_listed.wait()
        except TimeoutError:
            self.noticed("it has not asked for Kavor's tools; it may begin without them")

    def tools_listed(self) -> None:
        self._tools_listed.set()

    async def close(self) -> None:
        if self._turn is not None:
            self._turn.stop(CLOSED_MEANWHILE)
        await self._end(CLOSED)

    async def _end(self, diagnostic: str) -> None:
        """End the agent, if it lives; what it worked on ends with it."""
        if self._open:
            self._open, self._diagnostic = False, diagnostic
            starting = self._starting
            if starting is not None and starting is not asyncio.current_task():
                starting.cancel()
            if self._harness is not None:
                await self._harness.close()
            if self._working is not None:
                await asyncio.wait([self._working])
            self._tell_state()

    def gone(self, diagnostic: str, exit_code: int | None = None) -> None:
        """The agent ended by itself. A turn under way hears of it too, and settles first."""
        if self._open:
            self._open, self._diagnostic, self._exit_code = False, diagnostic, exit_code
            self._add("notice", diagnostic)
            if self._working is None:
                self._tell_state()

    # --- Turns

    def deliver(self, key: str, text: str) -> HandOver:
        state = self.state
        if not state.ready:
            return HandOver(False, waiting_for=state.waiting_for, closed=not state.open)
        turn = self._turn = Turn(key, text, self._now())
        self._entries.clear()
        self._growing = None
        self.transcript.add("prompt", text, key=key)
        self._working = asyncio.create_task(self._work(turn), name=f"turn {self.spec.id}")
        self._tell_state()
        return HandOver(True, delivered_at=turn.delivered_at)

    def cancel(self) -> None:
        """The turn under way ends soon: by itself, or with the agent."""
        if self._turn is not None:
            self._turn.stop(STOPPED)

    async def _work(self, turn: Turn) -> None:
        assert self._harness is not None
        answering = asyncio.create_task(self._harness.prompt(turn.key, turn.text))
        stop = asyncio.create_task(turn.stop_wanted.wait())
        limit = self.spec.turn_limit_ms / 1000
        await asyncio.wait([answering, stop], timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if not answering.done():
            turn.stop(f"it was stopped: it took longer than {_in_words(limit)}")
            await self._stop(self._harness, answering)
        self._settle(turn, await self._end_of(answering))

    async def _stop(self, harness: Harness, answering: asyncio.Task[TurnEnd]) -> None:
        for _ in range(STOP_TRIES):
            await harness.cancel()
            await asyncio.wait([answering], timeout=STOP_SECONDS / STOP_TRIES)
            if answering.done():
                break
        else:
            self.gone(f"its turn could not be stopped within {STOP_SECONDS:g} s, so the agent was ended")
            await harness.close()

    async def _end_of(self, answering: asyncio.Task[TurnEnd]) -> TurnEnd:
        try:
            return await answering
        except Gone as gone:
            return TurnEnd(AttemptState.INTERRUPTED, str(gone))
        except Exception as error:
            log.exception("a turn of the agent %s ended in an error of Kavor's", self.spec.id)
            return TurnEnd(AttemptState.INTERRUPTED, f"its end could not be observed: {error}")

    def _settle(self, turn: Turn, end: TurnEnd) -> None:
        outcome = turn.outcome(end, self._now())
        if outcome.diagnostic not in ("", self._diagnostic):  # that the agent is gone was told already
            self._add("notice", outcome.diagnostic)
        for _, answer, _ in self._questions.values():
            answer.cancel()
        self._turn, self._working, self._growing = None, None, None
        self._ended(outcome)
        self._tell_state()

    # --- What the agent does (Observer)

    def prompted(self, text: str) -> None:
        self._grow("prompt", text)

    def said(self, text: str, message: str | None = None) -> None:
        another = self._turn.said(text, message) if self._turn is not None else False
        self._grow("text", text, another=another)

    def thought(self, text: str) -> None:
        self._message_ends()
        self._grow("thought", text)

    def called(self, call: Call) -> None:
        self._message_ends()
        self._growing = None
        if self._turn is not None:
            self._turn.called(call)
        told: dict[str, Any] = {"kind": call.kind, "status": call.status, **call.data}
        told = {name: value for name, value in told.items() if value is not None}
        entry = self._entries.get(call.id)
        if entry is None:
            first = {"id": call.id, "kind": "other", "status": "pending", **told}
            self._entries[call.id] = self._add("tool", call.title or "", first)
            if len(self._entries) > MOST_ENTRIES:  # that of the oldest is in no transcript any more
                del self._entries[next(iter(self._entries))]
        else:
            self.transcript.change(entry, call.title, told)

    def planned(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self._message_ends()
        self._growing = None
        text = "\n".join(str(entry.get("content", "")) for entry in entries)
        data = {"entries": list(entries)}
        if "" in self._entries:
            self.transcript.change(self._entries[""], text, data)
        else:
            self._entries[""] = self._add("plan", text, data)

    def noticed(self, text: str) -> None:
        self._growing = None
        self._add("notice", text)

    def model_failed(self, reason: str) -> None:
        if self._turn is not None:
            self._growing = None
            self._turn.model_failed(reason)

    async def asked(self, text: str, options: Sequence[Option]) -> str | None:
        turn = self._turn
        if not self._open or (turn is not None and turn.stop_wanted.is_set()):
            return None
        if len(self._questions) >= MOST_QUESTIONS:
            return None
        self._message_ends()
        self._growing = None
        key = turn.key if turn is not None else None
        # No number: a next runtime must not give it to another question.
        question = Question(secrets.token_hex(8), key, text, tuple(options))
        shown = {"id": question.id, "options": [(option.id, option.label, option.kind) for option in options]}
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._questions[question.id] = (question, answer, self._add("question", text, shown))
        self._tell_question()
        chosen: str | None = None
        try:
            chosen = await answer
        finally:
            self._answered(question, chosen)
        return chosen

    def answer(self, question_id: str, option_id: str | None) -> None:
        """Raises NotFound, BadInput."""
        question, answer, _ = self._questions.get(question_id, (None, None, 0))
        if question is None or answer is None or answer.done():
            raise NotFound("this question is not open", "it was answered, or its turn has ended")
        if option_id is not None and option_id not in [option.id for option in question.options]:
            labels = ", ".join(f"{option.id} ({option.label})" for option in question.options)
            raise BadInput(f"{option_id!r} is no answer to it", f"one of: {labels}")
        answer.set_result(option_id)
        self._answered(question, option_id)  # at once: whoever asks next is told of the state after it

    def _tell_question(self) -> None:
        """Of several, the oldest is told first, and the next once that has its answer."""
        question = self._oldest_question()
        if question is not None and len(self._questions) == 1 and question.key is not None:
            self._listener.attention_needed(question.key, question)
        self._tell_state()

    def _answered(self, question: Question, chosen: str | None) -> None:
        if question.id not in self._questions:
            return
        _, _, entry = self._questions.pop(question.id)
        label = next((option.label for option in question.options if option.id == chosen), "no answer")
        self.transcript.change(entry, data={"answer": chosen, "answer_label": label})
        if not self._open:
            return
        turn, following = self._turn, self._oldest_question()
        if turn is not None and question.key == turn.key:
            if following is None:
                self._listener.attention_settled(turn.key)
            else:
                self._listener.attention_needed(turn.key, following)
        self._tell_state()

    # --- The transcript

    def _message_ends(self) -> None:
        if self._turn is not None:
            self._turn.message_ends()

    def _grow(self, kind: Kind, text: str, *, another: bool = False) -> None:
        if self._growing is not None and self._growing[0] == kind and not another:
            self.transcript.append(self._growing[1], text)
        elif text:
            self._growing = (kind, self._add(kind, text))

    def _add(self, kind: Kind, text: str, data: Mapping[str, Any] | None = None) -> int:
        key = self._turn.key if self._turn is not None else None
        return self.transcript.add(kind, text, data, key)


def _in_words(seconds: float) -> str:
    if seconds >= 120 and seconds % 60 == 0:
        return f"{seconds / 60:g} minutes"
    return f"{seconds:g} s"

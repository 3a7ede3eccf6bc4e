"""One turn of an agent: what was delivered, what was seen of it, and what became of it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace

from kavor.domain.attempts import AttemptState
from kavor.domain.instant import Instant
from kavor.sessions.agent.harness import Call, TurnEnd
from kavor.sessions.session import MOST_TOOL_CALLS, Evidence, Outcome, ToolCall

MOST_OUTPUT_BYTES = 64 * 1024
LONGEST_REASON = 300
MOST_PIECES = 1_000
"""Of a message, before they are put together and only its end is kept."""

SUSPECT = (
    "suspect: the turn ended with nothing said and no tool called, as it does with some agents when their "
    "model failed"
)


@dataclass
class Turn:
    """From its delivery to its outcome."""

    key: str
    text: str
    delivered_at: Instant
    began: float = field(default_factory=time.monotonic)
    stop_wanted: asyncio.Event = field(default_factory=asyncio.Event)
    stopped_because: str = ""
    model_failure: str = ""
    _message: list[str] = field(default_factory=list)
    _message_id: str | None = None
    _message_goes_on: bool = False
    _unkept: bool = False
    """Whether the message is longer than what is kept of it."""
    _calls: dict[str, ToolCall] = field(default_factory=dict)
    _spoke: bool = False

    def stop(self, reason: str) -> None:
        """The first reason is the one that counts."""
        self.stopped_because = self.stopped_because or reason
        self.stop_wanted.set()

    def model_failed(self, reason: str) -> None:
        """What is said from here on is why."""
        self.model_failure = reason
        self._message.clear()
        self.message_ends()

    def said(self, text: str, message: str | None) -> bool:
        """Whether it is the beginning of another message."""
        another = not self._message_goes_on or message != self._message_id
        if another:
            self._message.clear()
            self._unkept = False
        self._message_id, self._message_goes_on = message, True
        self._message.append(text)
        if len(self._message) > MOST_PIECES:
            self._keep_end()
        self._spoke = self._spoke or bool(text.strip())
        return another

    def _keep_end(self) -> None:
        whole = "".join(self._message)
        self._unkept = self._unkept or len(whole) > MOST_OUTPUT_BYTES
        self._message[:] = [whole[-MOST_OUTPUT_BYTES:]]

    def message_ends(self) -> None:
        """What is said next is another one; this one is kept until then, since it may be the last."""
        self._message_goes_on = False

    def called(self, call: Call) -> None:
        known = self._calls.get(call.id, ToolCall("", "other", "pending"))
        self._calls[call.id] = replace(
            known,
            title=call.title or known.title,
            kind=call.kind or known.kind,
            status=call.status or known.status,
        )
        if len(self._calls) > MOST_TOOL_CALLS:
            del self._calls[list(self._calls)[MOST_TOOL_CALLS // 2]]  # the first and the last are kept

    def outcome(self, end: TurnEnd, finished_at: Instant) -> Outcome:
        state, diagnostic = self._judged(end)
        output = "".join(self._message).strip().encode(errors="replace")
        return Outcome(
            key=self.key,
            state=state,
            diagnostic=diagnostic,
            evidence=Evidence(
                output=output[-MOST_OUTPUT_BYTES:].decode(errors="ignore"),
                truncated=self._unkept or len(output) > MOST_OUTPUT_BYTES,
                duration_ms=round((time.monotonic() - self.began) * 1000),
                tool_calls=tuple(self._calls.values()),
            ),
            delivered_at=self.delivered_at,
            finished_at=finished_at,
        )

    def _judged(self, end: TurnEnd) -> tuple[AttemptState, str]:
        """The end of a turn is not yet success: it may have been stopped, or the model failed behind it."""
        if self.stopped_because:
            return AttemptState.INTERRUPTED, self.stopped_because
        if end.state is AttemptState.COMPLETED and self.model_failure:
            said = " ".join("".join(self._message).split())[:LONGEST_REASON]
            return AttemptState.FAILED, f"{self.model_failure}: {said}" if said else self.model_failure
        if end.state is AttemptState.COMPLETED and not self._spoke and not self._calls:
            return AttemptState.COMPLETED, SUSPECT
        return end.state, end.diagnostic

"""Messages to a CodingAgent: what is said to it by a person or by another agent, and what becomes of it.

They wait in the agent's inbox in the order in which they were accepted, beside the attempt in its slot,
and are delivered once. Their states are those of an attempt, in lower case, and queued for Pending.
"""

from __future__ import annotations

from enum import StrEnum

from kavor.domain.attempts import AttemptState, ImpossibleTransition
from kavor.domain.errors import BadInput, Refused

MOST_QUEUED = 1_000
"""Messages that may wait before one agent."""


DEFAULT_HOPS = 16
"""How many messages may follow from one another, from agent to agent, once a person or a Schedule began."""

LONGEST_KEY = 200
"""Characters of an idempotency key."""


class MessageState(StrEnum):
    QUEUED = "queued"
    DELIVERING = "delivering"
    NEEDS_ATTENTION = "needs attention"
    COMPLETED = "completed"
    FIRED = "fired"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    BLOCKED = "blocked"


class SenderKind(StrEnum):
    PERSON = "person"
    AGENT = "agent"


S = MessageState

AT_WORK = frozenset({S.DELIVERING, S.NEEDS_ATTENTION})
"""States in which the agent works on the message, or waits for an answer to what it asked."""

_OBSERVED = frozenset({S.COMPLETED, S.FIRED, S.FAILED, S.INTERRUPTED})

TRANSITIONS: dict[MessageState, frozenset[MessageState]] = {
    S.QUEUED: frozenset({S.DELIVERING, S.BLOCKED}),
    # Queued: the agent turned busy, or its session closed, before it was given anything.
    S.DELIVERING: _OBSERVED | {S.NEEDS_ATTENTION, S.QUEUED},
    S.NEEDS_ATTENTION: _OBSERVED | {S.DELIVERING},
}


def check_transition(old: MessageState, new: MessageState) -> None:
    """Raises ImpossibleTransition unless a message may go from ``old`` to ``new``."""
    if new not in TRANSITIONS.get(old, frozenset()):
        raise ImpossibleTransition(f"a message cannot go from {old} to {new}")


def ended_as(outcome: AttemptState) -> MessageState:
    """The state of a message whose delivery ended so."""
    return MessageState(outcome.lower())


def check_hops(hops: int) -> int:
    """How far a message goes that would be so many hops from a person or a Schedule. Raises Refused, naming
    the rule, past the limit: else two agents could write to each other for ever."""
    if hops > DEFAULT_HOPS:
        raise Refused(
            f"the limit of hops forbids it: {DEFAULT_HOPS} messages have gone from agent to agent since a "
            "person or a Schedule began this",
            "leave the result where a person sees it; what a person or a Schedule sends begins anew",
        )
    return hops


def check_key(key: str) -> str:
    """Raises BadInput for what cannot be an idempotency key."""
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadInput(
            f"{key[:20]!r} is no idempotency key",
            f"send 1 to {LONGEST_KEY} printable ASCII characters, another key for each message",
        )
    return key


def as_delivered(text: str, sender: SenderKind, sender_name: str) -> str:
    """The prompt that an agent is given: a person's words as they are, an agent's with who says them."""
    if sender is SenderKind.PERSON:
        return text
    return f"Message from the agent {sender_name!r}:\n\n{text}"

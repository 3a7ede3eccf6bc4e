"""Attempts: the ten states a recorded attempt can be in, and the ways between them.

A planned time is no proof of a run. Every nominal instant that passes while a Schedule is Running
becomes an attempt (or is counted on the one Missed row), and the attempt's state says only what was
observed.
"""

from __future__ import annotations

from enum import StrEnum


class AttemptState(StrEnum):
    """Exactly the ten words of the contract (K51–K59)."""

    PENDING = "Pending"
    DELIVERING = "Delivering"
    COMPLETED = "Completed"
    NEEDS_ATTENTION = "Needs attention"
    FIRED = "Fired"
    FAILED = "Failed"
    INTERRUPTED = "Interrupted"
    BLOCKED = "Blocked"
    MISSED = "Missed"
    COALESCED = "Coalesced"


class Trigger(StrEnum):
    """What caused an attempt."""

    SCHEDULED = "scheduled"
    MANUAL = "manual"
    FOLLOW_UP = "follow-up"
    SWARM = "swarm"


S = AttemptState

FINAL = frozenset({S.COMPLETED, S.FIRED, S.FAILED, S.INTERRUPTED, S.BLOCKED, S.MISSED, S.COALESCED})
"""States nothing follows."""

AT_WORK = frozenset({S.DELIVERING, S.NEEDS_ATTENTION})
"""States in which the target works on the attempt, or waits for an answer to it."""

OPEN = AT_WORK | {S.PENDING}
"""States of an attempt that is not over."""

FIRST = frozenset({S.PENDING, S.DELIVERING, S.BLOCKED, S.MISSED, S.COALESCED})
"""States an attempt may be recorded in."""

_OBSERVED = frozenset({S.COMPLETED, S.FIRED, S.FAILED, S.INTERRUPTED})

TRANSITIONS: dict[AttemptState, frozenset[AttemptState]] = {
    # Coalesced: replaced in the slot by a newer occurrence, under overlap "replace".
    S.PENDING: frozenset({S.DELIVERING, S.BLOCKED, S.COALESCED}),
    # Pending: the target turned busy before a byte was written, so the attempt takes the slot again.
    # Coalesced and Blocked likewise: nothing was written, and the slot or the target has gone.
    S.DELIVERING: _OBSERVED | {S.NEEDS_ATTENTION, S.PENDING, S.BLOCKED, S.COALESCED},
    S.NEEDS_ATTENTION: _OBSERVED | {S.DELIVERING},
}


class ImpossibleTransition(RuntimeError):
    """A transition the contract does not know: a defect, never a user's mistake."""


def check_transition(old: AttemptState, new: AttemptState) -> None:
    """Raises ImpossibleTransition unless an attempt may go from ``old`` to ``new``."""
    if new not in TRANSITIONS.get(old, frozenset()):
        raise ImpossibleTransition(f"an attempt cannot go from {old} to {new}")

"""One line of work per target: what becomes of a Trigger attempt that arrives at it.

While a target works (or waits for an answer), one further attempt may wait in its slot; every later
one is Coalesced and names the attempt that holds the slot (decision 1).
"""

from __future__ import annotations

from dataclasses import dataclass

from kavor.domain.attempts import AttemptState
from kavor.domain.schedule import Overlap


@dataclass
class Waiting:
    """The attempt in a target's slot."""

    attempt_id: int
    schedule_id: str


@dataclass
class Line:
    """What a target has before it: the attempt it works on, the one in its slot, and messages."""

    at_work: int | None = None
    waiting: Waiting | None = None
    messages: bool = False
    """Of an agent: it works on a message, or some wait in its inbox."""


@dataclass(frozen=True)
class Placement:
    """Where an arriving attempt goes."""

    state: AttemptState
    holder: int | None = None
    """Coalesced: the attempt that holds the slot."""
    replaces: int | None = None
    """Pending: the waiting attempt that this one puts out of the slot."""


_AT_ONCE = Placement(AttemptState.DELIVERING)
_WAITING = Placement(AttemptState.PENDING)


def place(line: Line, *, ready: bool, attempt_id: int, schedule_id: str, overlap: Overlap) -> Placement:
    """Place an arriving attempt and note it in ``line``. ``ready``: the target takes a delivery now.

    Messages that were accepted before it go first, so it waits for them in the slot (K50).
    """
    if line.at_work is None and line.waiting is None and not line.messages and ready:
        line.at_work = attempt_id
        return _AT_ONCE
    held = line.waiting
    if held is None:
        line.waiting = Waiting(attempt_id, schedule_id)
        return _WAITING
    if overlap is Overlap.REPLACE and held.schedule_id == schedule_id:
        line.waiting = Waiting(attempt_id, schedule_id)
        return Placement(AttemptState.PENDING, replaces=held.attempt_id)
    return Placement(AttemptState.COALESCED, holder=held.attempt_id)

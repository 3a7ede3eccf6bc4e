"""What is observed of targets, as the arbiter is told it: in groups, in the order in which it was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kavor.runtime.turn import Work
from kavor.sessions.session import Entry, HandOver, Outcome, SessionState


@dataclass(frozen=True)
class HandedOver:
    """A target's answer to a delivery."""

    work: Work
    answer: HandOver


@dataclass(frozen=True)
class Asked:
    """The target of a delivery waits for a person's answer."""

    work: Work
    question: str


@dataclass(frozen=True)
class AskedIdle:
    """A target waits for a person's answer while it works on no delivery."""

    target_id: str


@dataclass(frozen=True)
class Answered:
    """It has its answer, and works on."""

    work: Work


@dataclass(frozen=True)
class Ended:
    """A delivery has ended."""

    work: Work
    outcome: Outcome
    entries: Sequence[Entry] | None = None
    """The transcript of this delivery; None where its target is no agent."""


@dataclass(frozen=True)
class Seen:
    """A session is in this state now."""

    session: SessionState


@dataclass(frozen=True)
class Poke:
    """Look at this target again: an offer was declined though it seemed ready."""

    target_id: str


Observation = HandedOver | Asked | AskedIdle | Answered | Ended | Seen | Poke

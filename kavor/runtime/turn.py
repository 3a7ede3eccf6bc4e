"""What one committed turn of the runtime asks to be done: deliveries to hand over, changes to tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from kavor.runtime.events import Change


class WorkKind(StrEnum):
    ATTEMPT = "attempt"
    MESSAGE = "message"


class Work(NamedTuple):
    """What a target is given to do: an attempt of the ledger, or a message of an agent's inbox."""

    kind: WorkKind
    id: int

    @classmethod
    def attempt(cls, attempt_id: int) -> Work:
        return cls(WorkKind.ATTEMPT, attempt_id)

    @classmethod
    def message(cls, message_id: int) -> Work:
        return cls(WorkKind.MESSAGE, message_id)


class Delivery(NamedTuple):
    """An attempt that is recorded as Delivering and has still to reach its target."""

    attempt_id: int
    target_id: str
    payload: str

    @property
    def work(self) -> Work:
        return Work.attempt(self.attempt_id)


class MessageDelivery(NamedTuple):
    """A message that is recorded as delivering and has still to reach its agent."""

    message_id: int
    target_id: str
    payload: str

    @property
    def work(self) -> Work:
        return Work.message(self.message_id)


@dataclass
class Turn:
    deliveries: list[Delivery | MessageDelivery] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    """Targets before which something waits for what nobody will report: to be looked at again soon."""

    directories: dict[str, bool | None] = field(default_factory=dict, compare=False)
    """What was seen of Workspaces' directories, each of which is looked at once in a turn."""

    def add(self, other: Turn) -> None:
        self.deliveries += other.deliveries
        self.changes += other.changes
        self.stuck += other.stuck

    def attempt_changed(self, attempt_id: int, schedule_id: str) -> None:
        """An attempt is different, and with it what its Schedule shows as the last one."""
        self.changes.append(Change("attempt", str(attempt_id)))
        self.changes.append(Change("schedule", schedule_id))

    def needs_attention(self, work: Work) -> None:
        """A person is to be told."""
        self.changes.append(Change("notice", f"{work.kind}-{work.id}", "created"))

    def session_needs_attention(self, target_id: str) -> None:
        """As `needs_attention`, of a target that works on nothing that was delivered."""
        self.changes.append(Change("notice", f"session-{target_id}", "created"))

    def message_changed(self, message_id: int) -> None:
        self.changes.append(Change("message", str(message_id)))

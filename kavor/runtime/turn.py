"""What one committed turn of the runtime asks to be done: deliveries to hand over, changes to tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from kavor.runtime.events import Change


class Delivery(NamedTuple):
    """An attempt that is recorded as Delivering and has still to reach its target."""

    attempt_id: int
    target_id: str
    payload: str


@dataclass
class Turn:
    deliveries: list[Delivery] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def add(self, other: Turn) -> None:
        self.deliveries += other.deliveries
        self.changes += other.changes

    def attempt_changed(self, attempt_id: int, schedule_id: str) -> None:
        """An attempt is different, and with it what its Schedule shows as the last one."""
        self.changes.append(Change("attempt", str(attempt_id)))
        self.changes.append(Change("schedule", schedule_id))

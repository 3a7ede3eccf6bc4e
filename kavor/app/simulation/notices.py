"""What the person would have been told: each thing once, in the order it came about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kavor.domain.attempts import AttemptState
from kavor.runtime.notices import attempt_in_words
from kavor.runtime.views import AttemptView, ScheduleView

NOTEWORTHY = (
    AttemptState.NEEDS_ATTENTION,
    AttemptState.FAILED,
    AttemptState.INTERRUPTED,
    AttemptState.BLOCKED,
    AttemptState.MISSED,
)
"""States that a person is told of; the others ask nothing of anybody."""


class Notices:
    def __init__(self) -> None:
        self.told: list[str] = []
        self._attempts: dict[int, str] = {}
        self._pauses: dict[str, str] = {}
        self._zones: dict[str, str] = {}

    def know_already(self, schedules: Iterable[ScheduleView]) -> None:
        """What holds at the start was told before."""
        for schedule in schedules:
            self._zones[schedule["id"]] = _other_zone(schedule)

    def of_attempts(self, attempts: Sequence[AttemptView]) -> None:
        """``attempts`` are all that are in a noteworthy state now, oldest first."""
        present = {attempt["id"] for attempt in attempts}
        for attempt_id, state in list(self._attempts.items()):
            if attempt_id not in present:
                if state == AttemptState.MISSED:
                    self.told.append(f"attempt {attempt_id}: no longer Missed, the clock was set back")
                del self._attempts[attempt_id]
        for attempt in attempts:
            if self._attempts.get(attempt["id"]) != attempt["state"]:
                self._attempts[attempt["id"]] = attempt["state"]
                self.told.append(attempt_in_words(attempt))

    def of_schedules(self, schedules: Iterable[ScheduleView]) -> None:
        """A Schedule that was paused with a reason, or whose zone is not the machine's (X8)."""
        for schedule in schedules:
            name, reason = schedule["name"], schedule["pause_reason"]
            if reason and self._pauses.get(schedule["id"]) != reason:
                self.told.append(f"{name}: paused, {reason}")
            self._pauses[schedule["id"]] = reason or ""
            other = _other_zone(schedule)
            if other and self._zones.get(schedule["id"]) != other:
                self.told.append(
                    f"{name}: its zone is {schedule['zone']}, this machine's is {other}, "
                    "which the next save will store"
                )
            self._zones[schedule["id"]] = other

    def of_save(self, answer: ScheduleView) -> None:
        """A save that moved the next time says so (decision 3)."""
        before, after = answer["next_due_before"], answer["next_due_after"]
        if before is not None and after is not None and before != after:
            self.told.append(f"{answer['name']}: the next time moved from {before} to {after}")


def _other_zone(schedule: ScheduleView) -> str:
    """The host's zone where it is not the Schedule's."""
    return schedule["host_zone"] if schedule["zone_mismatch"] else ""

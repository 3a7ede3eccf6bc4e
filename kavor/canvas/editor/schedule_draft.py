"""A whole Schedule as it is being typed, and what of it a save would change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from kavor.canvas.editor.recurrence_draft import RecurrenceDraft
from kavor.canvas.things import Schedule
from kavor.domain.errors import BadInput
from kavor.domain.payload import check_payload
from kavor.domain.recurrence import parse_recurrence


@dataclass(frozen=True)
class ScheduleDraft:
    """Immutable. Durations in seconds, as in the API."""

    name: str
    payload: str
    when: RecurrenceDraft
    overlap: str
    catchup: str
    misfire_grace_s: float
    pending_limit_s: float | None

    @classmethod
    def of(cls, name: str, schedule: Schedule, suggested: datetime) -> ScheduleDraft:
        """What is saved now. ``suggested``: see RecurrenceDraft."""
        recurrence = parse_recurrence(schedule.recurrence, may_be_empty=True)
        return cls(
            name=name,
            payload=schedule.payload,
            when=RecurrenceDraft.of(recurrence, suggested),
            overlap=schedule.overlap,
            catchup=schedule.catchup,
            misfire_grace_s=schedule.misfire_grace_s,
            pending_limit_s=schedule.pending_limit_s,
        )

    def changes_from(self, saved: ScheduleDraft) -> dict[str, object]:
        """The fields that differ, as a save sends them. Raises BadInput for what must not be saved."""
        found: dict[str, object] = {
            name: getattr(self, name)
            for name in ("name", "overlap", "catchup", "misfire_grace_s", "pending_limit_s")
            if getattr(self, name) != getattr(saved, name)
        }
        if not self.name.strip():
            raise BadInput("a Schedule needs a name", "write what it is for")
        if self.payload != saved.payload:
            found["payload"] = check_payload(self.payload)
        wanted = self.when.document()
        if wanted != _document_or_none(saved.when):
            found["recurrence"] = wanted
        return found

    def fields(self, names: Iterable[str]) -> dict[str, object]:
        """Those of the API, as they are here."""
        return {name: self.when.document() if name == "recurrence" else getattr(self, name) for name in names}

    def is_changed_from(self, saved: ScheduleDraft) -> bool:
        """Whether anything would be lost without a save, valid or not. How a recurrence is looked at is not
        part of it."""
        if replace(self, when=saved.when) != saved:
            return True
        return _document_or_none(self.when) != _document_or_none(saved.when)


def _document_or_none(when: RecurrenceDraft) -> dict[str, object] | None:
    try:
        return when.document()
    except BadInput:
        return None

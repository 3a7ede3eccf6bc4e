"""What a Schedule's form saved, as a step that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kavor.api.client import Client
from kavor.canvas.commands.change import Change, Done, Failed
from kavor.canvas.commands.identities import Identities
from kavor.canvas.commands.nodes import Tell
from kavor.canvas.edits import Edits
from kavor.canvas.qt import translate

Fields = Mapping[str, object]


@dataclass(frozen=True)
class Saved:
    """The fields that were saved, as they were and as they are; ``revision`` is the one this save made."""

    schedule_id: str
    before: Fields
    after: Fields
    revision: int


class EditSchedule(Change):
    """The form has saved already: applying it for the first time asks nothing more. Only the fields of this
    save go back and forth, over whatever else was saved since."""

    def __init__(
        self,
        edits: Edits,
        identities: Identities,
        saved: Saved,
        tell: Tell,
    ) -> None:
        self._edits = edits
        self._identities = identities
        self._schedule_id = saved.schedule_id
        self._before, self._after = saved.before, saved.after
        self._tell = tell
        self._saved_by_form = True
        self._revision = saved.revision

    def apply(self, done: Done, failed: Failed) -> None:
        if self._saved_by_form:
            self._saved_by_form = False
            done()
        else:
            self._save(self._after, done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        fields = dict(self._before)
        had_none = fields.get("payload") == ""
        if had_none:
            del fields["payload"]

        def reverted() -> None:
            done()
            if had_none:
                words = translate("Undo", "Its text stays: a Schedule cannot be saved without one.")
                self._tell(self._identities.current(self._schedule_id), words)

        self._save(fields, reverted, failed)

    def _save(self, fields: Fields, done: Done, failed: Failed) -> None:
        schedule_id = self._identities.current(self._schedule_id)
        path = f"/api/schedules/{schedule_id}"

        def save(client: Client) -> None:
            client.patch(path, fields, revision=client.get(path)["revision"])

        self._edits.change(save, schedule_id, lambda _: done(), failed)

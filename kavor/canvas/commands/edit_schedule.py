"""What a Schedule's form saved, as a step that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping

from kavor.canvas.commands.change import Change, Done, Failed
from kavor.canvas.commands.identities import Identities
from kavor.canvas.commands.nodes import Tell
from kavor.canvas.edits import Document, Edits
from kavor.canvas.model import Model
from kavor.canvas.qt import translate

Fields = Mapping[str, object]


class EditSchedule(Change):
    """The form has saved already: applying it for the first time asks nothing more. Only the fields of this
    save go back and forth, over whatever else was saved since."""

    def __init__(
        self,
        edits: Edits,
        model: Model,
        identities: Identities,
        schedule_id: str,
        before: Fields,
        after: Fields,
        tell: Tell,
    ) -> None:
        self._edits = edits
        self._model = model
        self._identities = identities
        self._schedule_id = schedule_id
        self._before, self._after = dict(before), dict(after)
        self._tell = tell
        self._saved_by_form = True
        self._revision = 0

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
                words = translate("Undo", "The command stays: a Schedule cannot be saved without one.")
                self._tell(self._identities.current(self._schedule_id), words)

        self._save(fields, reverted, failed)

    def _save(self, fields: Fields, done: Done, failed: Failed) -> None:
        schedule_id = self._identities.current(self._schedule_id)
        known = self._model.schedules.get(schedule_id)
        # The answer to the step before may be here earlier than the event that tells of it.
        revision = max(self._revision, known.revision if known is not None else 0)

        def saved(answer: Document) -> None:
            self._revision = answer["revision"]
            done()

        path = f"/api/schedules/{schedule_id}"
        self._edits.change(
            lambda client: client.patch(path, fields, revision=revision), schedule_id, saved, failed
        )

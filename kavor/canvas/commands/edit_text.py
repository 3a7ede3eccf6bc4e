"""A text that was saved, as a step that can be taken back."""

from __future__ import annotations

from dataclasses import dataclass

from kavor.api.client import Client
from kavor.canvas.commands.change import Change, Done, Failed
from kavor.canvas.commands.identities import Identities
from kavor.canvas.edits import Edits
from kavor.canvas.qt import translate
from kavor.domain.errors import Conflict


@dataclass(frozen=True)
class SavedText:
    """Of a Sticky Note, a File or a Specification: as it was, and as it is."""

    node_id: str
    before: str
    after: str


class EditText(Change):
    """It was saved already: applying it for the first time asks nothing more. A step goes only over the text
    that it left, so that nothing that was written since is lost."""

    def __init__(self, edits: Edits, identities: Identities, saved: SavedText) -> None:
        self._edits = edits
        self._identities = identities
        self._saved = saved
        self._is_saved = True

    def apply(self, done: Done, failed: Failed) -> None:
        if self._is_saved:
            self._is_saved = False
            done()
        else:
            self._replace(self._saved.before, self._saved.after, done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._replace(self._saved.after, self._saved.before, done, failed)

    def _replace(self, expected: str, text: str, done: Done, failed: Failed) -> None:
        node_id = self._identities.current(self._saved.node_id)
        path = f"/api/nodes/{node_id}/text"
        words = translate("Undo", "The text was edited since")
        hint = translate("Undo", "undo would lose that; edit it by hand")

        def replace(client: Client) -> None:
            present = client.get(path)
            if present["text"] != expected:
                raise Conflict(words, hint)
            client.put(path, {"text": text}, version=present["version"])

        self._edits.change(replace, node_id, lambda _: done(), failed)

"""What a Node is set to: its colour, its state, a switch of it, as a step that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kavor.canvas.commands.change import Change, Done, Failed
from kavor.canvas.commands.identities import Identities
from kavor.canvas.edits import Edits

Fields = Mapping[str, object]


@dataclass(frozen=True)
class SavedFields:
    """What a form has set of a Node: the same fields as they were and as they are."""

    node_id: str
    before: Fields
    after: Fields


class ChangeNode(Change):
    """The last one to set a field wins. ``is_set``: a form has set it already, and applying it for the first
    time asks nothing more."""

    def __init__(
        self, edits: Edits, identities: Identities, saved: SavedFields, *, is_set: bool = False
    ) -> None:
        self._edits = edits
        self._identities = identities
        self._node_id = saved.node_id
        self._before, self._after = saved.before, saved.after
        self._is_set = is_set

    def apply(self, done: Done, failed: Failed) -> None:
        if self._is_set:
            self._is_set = False
            done()
        else:
            self._set(self._after, done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._set(self._before, done, failed)

    def _set(self, fields: Fields, done: Done, failed: Failed) -> None:
        node_id = self._identities.current(self._node_id)
        self._edits.set_fields(node_id, fields, lambda _: done(), failed)

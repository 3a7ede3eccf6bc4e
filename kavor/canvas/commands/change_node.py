"""What a Node is set to: its colour, its state, a switch of it, as a step that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping

from kavor.canvas.commands.change import Change, Done, Failed
from kavor.canvas.commands.identities import Identities
from kavor.canvas.edits import Edits

Fields = Mapping[str, object]


class ChangeNode(Change):
    """``before`` and ``after`` have the same fields. The last one to set a field wins."""

    def __init__(
        self, edits: Edits, identities: Identities, node_id: str, before: Fields, after: Fields
    ) -> None:
        self._edits = edits
        self._identities = identities
        self._node_id = node_id
        self._before, self._after = before, after

    def apply(self, done: Done, failed: Failed) -> None:
        self._set(self._after, done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._set(self._before, done, failed)

    def _set(self, fields: Fields, done: Done, failed: Failed) -> None:
        node_id = self._identities.current(self._node_id)
        self._edits.set_fields(node_id, fields, lambda _: done(), failed)

"""Changes of Nodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from kavor.canvas.commands.change import Change, Done, Failed
from kavor.canvas.commands.identities import Identities
from kavor.canvas.commands.kept import Kept, PutBack, put_back, take
from kavor.canvas.edits import Document, Edits
from kavor.canvas.model import Model
from kavor.canvas.qt import QPointF, translate
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind

ONE_BURST_S = 1.0
"""Moves of the same Nodes by keys, no further apart than this, are one step."""

Tell = Callable[[str, str], None]
"""Takes the id of a Node (or none) and a sentence about it for the person."""


class RemoveNodes(Change):
    """With what joins them. ``tell`` says what undo could not bring back."""

    def __init__(
        self, edits: Edits, model: Model, identities: Identities, node_ids: Sequence[str], tell: Tell
    ) -> None:
        self._edits = edits
        self._model = model
        self._identities = identities
        self._node_ids = tuple(node_ids)
        self._tell = tell
        self._kept = Kept()

    def apply(self, done: Done, failed: Failed) -> None:
        now = [self._identities.current(node_id) for node_id in self._node_ids]
        joined = {each.id: each for node_id in now for each in self._model.connections_of(node_id)}

        def taken(kept: Kept) -> None:
            self._kept = kept
            done()
            if kept.stopped is not None:  # those that are left are on the canvas still
                self._edits.refused.emit("", kept.stopped)

        self._edits.change(lambda client: take(client, now, list(joined.values())), now[0], taken, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        kept = self._kept
        ends = {end for connection in kept.connections for end in (connection.a, connection.b)}
        others = {end: self._identities.current(end) for end in ends}

        def back(answer: PutBack) -> None:
            for earlier, later in answer.made.items():
                self._identities.replace(earlier, later)
            self._say_what_is_lost(answer.made)
            if answer.stopped is not None:
                self._kept = answer.rest  # to be tried again
                failed(answer.stopped)
                hint = translate("Undo", "Not all of it is back yet. Undo again for the rest.")
                self._edits.refused.emit("", KavorError(answer.stopped.message, hint))
                return
            done()
            for error in answer.refused[:1]:
                self._edits.refused.emit("", error)

        self._edits.change(lambda client: put_back(client, kept, others), "", back, failed)

    def removed_by_apply(self) -> Sequence[str]:
        return [self._identities.current(node_id) for node_id in self._node_ids]

    def _say_what_is_lost(self, made: Mapping[str, str]) -> None:
        for earlier, later in made.items():
            name = self._kept.nodes[earlier]["name"]
            words = ""
            if earlier in self._kept.had_session:
                words = translate(
                    "Undo", "“{name}” is back with a new shell. What ran in the old one has ended."
                )
                if self._kept.nodes[earlier]["kind"] == NodeKind.CODING_AGENT:
                    words = translate("Undo", "“{name}” is back with a new session, and without its past.")
            elif earlier in self._kept.had_history:
                words = translate("Undo", "“{name}” is back, Paused, with a history that begins anew.")
            elif earlier in self._kept.was_running:
                words = translate("Undo", "“{name}” is back, Paused. Resume it when you are ready.")
            if words:
                self._tell(later, words.format(name=name))


class AddNode(Change):
    """``added`` is given its id as soon as there is one. Undone, it is kept as it had become, for redo."""

    def __init__(
        self,
        edits: Edits,
        model: Model,
        identities: Identities,
        workspace_id: str,
        kind: str,
        fields: Mapping[str, object],
        added: Callable[[str], None],
        tell: Tell,
    ) -> None:
        self._edits = edits
        self._identities = identities
        self._workspace_id = workspace_id
        self._kind = kind
        self._fields = fields
        self._added = added
        self.node_id = identities.coming()
        """It stands for the Node's id, which ``Identities`` know once it is there."""
        self._removal = RemoveNodes(edits, model, identities, [self.node_id], tell)
        self._was_there = False

    def apply(self, done: Done, failed: Failed) -> None:
        if self._was_there:
            self._removal.revert(done, failed)
            return

        def added(document: Document) -> None:
            self._was_there = True
            self._identities.replace(self._identities.current(self.node_id), document["id"])
            self._added(document["id"])
            done()

        self._edits.add_node(self._workspace_id, self._kind, self._fields, added, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._removal.apply(done, failed)

    def removed_by_revert(self) -> Sequence[str]:
        return self._removal.removed_by_apply()


class RenameNode(Change):
    def __init__(self, edits: Edits, identities: Identities, node_id: str, before: str, after: str) -> None:
        self._edits = edits
        self._identities = identities
        self._node_id = node_id
        self._before, self._after = before, after

    def apply(self, done: Done, failed: Failed) -> None:
        self._rename(self._after, done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._rename(self._before, done, failed)

    def _rename(self, name: str, done: Done, failed: Failed) -> None:
        self._edits.rename(self._identities.current(self._node_id), name, lambda _: done(), failed)


class MoveNodes(Change):
    """Top left corners by Node id. ``by_keys``: moves that follow soon are the same step."""

    def __init__(
        self,
        edits: Edits,
        identities: Identities,
        before: Mapping[str, QPointF],
        after: Mapping[str, QPointF],
        *,
        by_keys: bool = False,
    ) -> None:
        self._edits = edits
        self._identities = identities
        self._before, self._after = dict(before), dict(after)
        self._by_keys = by_keys
        self._last = time.monotonic()

    def apply(self, done: Done, failed: Failed) -> None:
        self._move(self._after, self._before, done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._move(self._before, self._after, done, failed)

    def absorb(self, later: Change) -> bool:
        if not isinstance(later, MoveNodes) or not (self._by_keys and later._by_keys):
            return False
        if later._after.keys() != self._after.keys() or later._last - self._last > ONE_BURST_S:
            return False
        self._after, self._last = later._after, later._last
        return True

    def _move(
        self, to: Mapping[str, QPointF], back: Mapping[str, QPointF], done: Done, failed: Failed
    ) -> None:
        def refused(error: KavorError) -> None:
            self._edits.show(self._now(back))
            failed(error)

        self._edits.move(self._now(to), done, refused)

    def _now(self, places: Mapping[str, QPointF]) -> dict[str, QPointF]:
        return {self._identities.current(node_id): place for node_id, place in places.items()}

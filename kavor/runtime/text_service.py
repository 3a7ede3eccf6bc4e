"""What may be asked of the texts that Nodes hold: Sticky Notes, Files and Specifications."""

from __future__ import annotations

from functools import partial

from sqlalchemy.engine import Connection
from typing_extensions import TypedDict

from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import BadInput, Conflict
from kavor.domain.graph import NodeKind
from kavor.runtime.events import Change
from kavor.runtime.find import find_node
from kavor.runtime.nodes import change_node
from kavor.runtime.runtime import Runtime
from kavor.runtime.text_files import read_text_file, replace_text_file
from kavor.runtime.turn import Turn
from kavor.store import documents
from kavor.store.workspaces import NodeRow


class TextView(TypedDict):
    node: str
    kind: str
    name: str
    path: str | None
    """Of a File or a Specification."""
    text: str
    version: str
    """What a save has to name: a Sticky Note's is its Node's revision, a file's is of its very bytes."""


class TextService:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def get(self, ref: str) -> TextView:
        """A Specification that is not written yet is empty, of the version "absent".

        Raises BadInput for a Node without a text, and for a file that is no text in UTF-8 or is too long;
        Refused for one that cannot be read.
        """
        row, path = await self._runtime.read(lambda view: _find(view, ref))
        if path is None:
            return await self._runtime.read(lambda view: _note(view, find_node(view, row.id)))
        is_specification = row.kind is NodeKind.SPECIFICATION
        read = partial(read_text_file, path, may_be_absent=is_specification)
        found = await self._runtime.files.work(path, read)
        return _view(row, path, found.text, found.version)

    async def save(self, ref: str, text: str, *, version: str) -> TextView:
        """Write it anew, all or nothing. Raises Conflict, with nothing changed, where it is not at this
        ``version`` any more; BadInput for a text that cannot be kept; Refused for a file that cannot be
        written."""
        row, path = await self._runtime.read(lambda view: _find(view, ref))
        if path is None:
            return await self._save_note(row, text, version)
        write = partial(replace_text_file, path, text, version=version)
        written = await self._runtime.files.work(path, write, writes=True)

        def tell(turn: Turn, tx: Connection) -> None:
            turn.changes.append(Change("node", row.id))

        await self._runtime.change(tell)
        return _view(row, path, written.text, written.version)

    async def _save_note(self, row: NodeRow, text: str, version: str) -> TextView:
        def save(turn: Turn, tx: Connection) -> TextView:
            present = find_node(tx, row.id)
            if version != str(present.revision):
                raise Conflict(
                    f"{present.name!r} was edited meanwhile", "look at the present text and save again"
                )
            change_node(tx, turn, present, {"text": text}, revision=present.revision)
            return _note(tx, find_node(tx, row.id))

        return await self._runtime.change(save)


def _find(view: Connection, ref: str) -> tuple[NodeRow, str | None]:
    """The Node, and its path where its text is a file. Raises BadInput for one without a text."""
    row = find_node(view, ref)
    if row.kind is NodeKind.STICKY_NOTE:
        return row, None
    if row.kind not in NAMED_KINDS:
        raise BadInput(f"a {row.kind.label} has no text", "name a Sticky Note, a File or a Specification")
    return row, documents.paths(view, [row.id])[row.id]


def _note(view: Connection, row: NodeRow) -> TextView:
    note = documents.sticky_note(view, row.id)
    assert note is not None, "a Sticky Note Node has its row"
    return _view(row, None, note.text, str(row.revision))


def _view(row: NodeRow, path: str | None, text: str, version: str) -> TextView:
    return {
        "node": row.id,
        "kind": row.kind,
        "name": row.name,
        "path": path,
        "text": text,
        "version": version,
    }

"""Texts that an agent reads and writes: Sticky Notes, Files and Specifications."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy.engine import Connection

from kavor.domain.graph import NodeKind
from kavor.domain.specification import parse_state
from kavor.domain.sticky_note import appended
from kavor.runtime.agent_access.same_file import check_file_change, identities
from kavor.runtime.agent_access.sight import Sight, look
from kavor.runtime.events import Change
from kavor.runtime.nodes import change_node
from kavor.runtime.runtime import Runtime
from kavor.runtime.text_files import read_text_file, replace_text_file
from kavor.runtime.turn import Turn
from kavor.store import documents
from kavor.store.workspaces import NodeRow


class Papers:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    # --- Sticky Notes

    async def read_note(self, agent_id: str, ref: str) -> dict[str, Any]:
        return await self._runtime.read(
            lambda view: _note(view, look(view, agent_id).find(ref, NodeKind.STICKY_NOTE))
        )

    async def append_to_note(self, agent_id: str, ref: str, text: str) -> dict[str, Any]:
        """What others wrote stays, so it needs no revision."""

        def save(turn: Turn, tx: Connection) -> dict[str, Any]:
            row = look(tx, agent_id).find_to_change(ref, NodeKind.STICKY_NOTE)
            present = documents.sticky_note(tx, row.id)
            assert present is not None, "a Sticky Note Node has its row"
            change_node(tx, turn, row, {"text": appended(present.text, text)}, revision=row.revision)
            return _revision_of(look(tx, agent_id).nodes[row.id])

        return await self._runtime.change(save)

    async def replace_note(self, agent_id: str, ref: str, text: str, revision: int) -> dict[str, Any]:
        """Raises Conflict with nothing changed over a stale revision."""

        def save(turn: Turn, tx: Connection) -> dict[str, Any]:
            row = look(tx, agent_id).find_to_change(ref, NodeKind.STICKY_NOTE)
            change_node(tx, turn, row, {"text": text}, revision=revision)
            return _revision_of(look(tx, agent_id).nodes[row.id])

        return await self._runtime.change(save)

    # --- Files and Specifications

    async def read_file(self, agent_id: str, ref: str, offset: int, limit: int) -> dict[str, Any]:
        """A piece of it, in characters; ``next_offset`` is None at its end."""
        row, path = await self._path(agent_id, ref, NodeKind.FILE)
        found = await self._runtime.files.work(path, partial(read_text_file, path))
        end = offset + limit
        return {
            **_named(row),
            "path": path,
            "version": found.version,
            "text": found.text[offset:end],
            "offset": offset,
            "next_offset": end if end < len(found.text) else None,
            "characters": len(found.text),
        }

    async def read_specification(self, agent_id: str, ref: str) -> dict[str, Any]:
        """Its file need not be there yet."""
        row, path = await self._path(agent_id, ref, NodeKind.SPECIFICATION)
        states = await self._runtime.read(lambda view: documents.specification_states(view, [row.id]))
        read = partial(read_text_file, path, may_be_absent=True)
        found = await self._runtime.files.work(path, read)
        return {
            **_named(row),
            "path": path,
            "state": states.get(row.id),
            "version": found.version,
            "text": found.text,
        }

    async def replace_text(
        self, agent_id: str, ref: str, kind: NodeKind, text: str, version: str
    ) -> dict[str, Any]:
        """Write a File or a Specification anew. Raises Conflict with nothing changed over a stale version."""
        row, path = await self._path(agent_id, ref, kind, to_change=True)
        write = partial(replace_text_file, path, text, version=version)
        written = await self._runtime.files.work(path, write, writes=True)

        def tell(turn: Turn, tx: Connection) -> None:
            turn.changes.append(Change("node", row.id))

        await self._runtime.change(tell)
        return {**_named(row), "path": path, "version": written.version}

    async def set_specification_state(self, agent_id: str, ref: str, state: str) -> dict[str, Any]:
        def save(turn: Turn, tx: Connection) -> dict[str, Any]:
            row = look(tx, agent_id).find_to_change(ref, NodeKind.SPECIFICATION)
            wanted = parse_state(state)
            change_node(tx, turn, row, {"state": wanted}, revision=row.revision)
            return {**_named(row), "state": wanted}

        return await self._runtime.change(save)

    async def _path(
        self, agent_id: str, ref: str, kind: NodeKind, *, to_change: bool = False
    ) -> tuple[NodeRow, str]:
        def ask(view: Connection) -> tuple[Sight, NodeRow, str, dict[str, str]]:
            sight = look(view, agent_id)
            row = sight.find_to_change(ref, kind) if to_change else sight.find(ref, kind)
            protected = documents.paths(view, sight.guardrails) if to_change else {}
            return sight, row, documents.paths(view, [row.id])[row.id], protected

        sight, row, path, protected = await self._runtime.read(ask)
        if protected:
            known = await identities(self._runtime.files, {path, *protected.values()})
            check_file_change(sight, path, protected, known)
        return row, path


def _named(row: NodeRow) -> dict[str, Any]:
    return {"node": row.id, "name": row.name}


def _revision_of(row: NodeRow) -> dict[str, Any]:
    return {**_named(row), "revision": row.revision}


def _note(view: Connection, row: NodeRow) -> dict[str, Any]:
    note = documents.sticky_note(view, row.id)
    assert note is not None, "a Sticky Note Node has its row"
    return {**_revision_of(row), "colour": note.colour, "text": note.text}

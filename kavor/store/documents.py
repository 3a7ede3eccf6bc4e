"""Queries about Nodes that hold a text: the paths of Files and Specifications, and Sticky Notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from kavor.domain.graph import NodeKind
from kavor.domain.specification import SpecificationState
from kavor.domain.sticky_note import Colour
from kavor.store.tables import files, specifications, sticky_notes

# --- Files and Specifications

_NAMED_PATHS = {NodeKind.FILE: files, NodeKind.SPECIFICATION: specifications}


def add_path(tx: Connection, kind: NodeKind, node_id: str, path: str) -> None:
    """The path of a new File or Specification."""
    tx.execute(_NAMED_PATHS[kind].insert().values(node_id=node_id, path=path))


def change_path(tx: Connection, kind: NodeKind, node_id: str, path: str) -> None:
    table = _NAMED_PATHS[kind]
    tx.execute(table.update().where(table.c.node_id == node_id).values(path=path))


def paths(tx: Connection, ids: Iterable[str] | None = None) -> dict[str, str]:
    """The path of each File and Specification, by its Node's id; of all where no ``ids`` are given."""
    found: dict[str, str] = {}
    wanted = None if ids is None else list(ids)
    for table in _NAMED_PATHS.values():
        query = sa.select(table.c.node_id, table.c.path)
        if wanted is not None:
            query = query.where(table.c.node_id.in_(wanted))
        found.update((node_id, path) for node_id, path in tx.execute(query))
    return found


def specification_states(tx: Connection, ids: Iterable[str] | None = None) -> dict[str, SpecificationState]:
    """The state of each Specification, by its Node's id; of all where no ``ids`` are given."""
    query = sa.select(specifications.c.node_id, specifications.c.state)
    if ids is not None:
        query = query.where(specifications.c.node_id.in_(list(ids)))
    return {node_id: SpecificationState(state) for node_id, state in tx.execute(query)}


def change_specification_state(tx: Connection, node_id: str, state: SpecificationState) -> None:
    query = specifications.update().where(specifications.c.node_id == node_id)
    tx.execute(query.values(state=state))


# --- Sticky Notes


@dataclass(frozen=True)
class StickyNoteRow:
    node_id: str
    text: str
    colour: Colour


def sticky_note(tx: Connection, node_id: str) -> StickyNoteRow | None:
    return sticky_notes_by_id(tx, [node_id]).get(node_id)


def sticky_notes_by_id(tx: Connection, ids: Iterable[str] | None = None) -> dict[str, StickyNoteRow]:
    """By its Node's id; all where no ``ids`` are given."""
    query = sa.select(sticky_notes)
    if ids is not None:
        query = query.where(sticky_notes.c.node_id.in_(list(ids)))
    return {
        node_id: StickyNoteRow(node_id, text, Colour(colour)) for node_id, text, colour in tx.execute(query)
    }


def add_sticky_note(tx: Connection, row: StickyNoteRow) -> None:
    tx.execute(sticky_notes.insert().values(**vars(row)))


def change_sticky_note(tx: Connection, node_id: str, values: Mapping[str, Any]) -> None:
    if values:
        tx.execute(sticky_notes.update().where(sticky_notes.c.node_id == node_id).values(**values))

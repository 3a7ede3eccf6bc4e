"""Where the paths in a batch lead: asked of the file system before the batch is carried out, since that may
take its time and the database's one thread has none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import BadInput, KavorError
from kavor.domain.graph import TARGET_KINDS, NodeKind
from kavor.runtime.agent_access.same_file import Identities, identities
from kavor.runtime.file_access import FileAccess, NotAnswering
from kavor.runtime.node_kinds import NO_PATHS, FoundPaths, NodeFields, find_paths
from kavor.runtime.nodes import new_name


@dataclass(frozen=True)
class NewPaths:
    """Where the paths of a Node that a batch makes lead."""

    found: FoundPaths = NO_PATHS
    file: str | None = None
    """Where its file is, or would be."""
    is_inside: bool = True
    """Whether that is inside the Workspace's directory."""
    refusal: KavorError | None = None
    """Why there can be no such Node."""


async def follow(
    files: FileAccess, workspace: str, made: Sequence[tuple[NodeKind, NodeFields]], held: Iterable[str]
) -> tuple[list[NewPaths], Identities]:
    """For each Node that is made, from the Workspace's directory; and what tells their files apart from each
    other and from the ``held`` ones."""
    followed = [await _follow(files, workspace, kind, fields) for kind, fields in made]
    own = {each.file for each in followed if each.file is not None}
    return followed, await identities(files, own.union(held)) if own else {}


async def _follow(files: FileAccess, workspace: str, kind: NodeKind, fields: NodeFields) -> NewPaths:
    if kind not in TARGET_KINDS | NAMED_KINDS:
        return NewPaths()
    path = str(Path(workspace, fields.get("path") or ""))
    try:
        return await files.follow(path, partial(_look, workspace, kind, fields))
    except NotAnswering as silence:
        return NewPaths(refusal=silence)


def _look(workspace: str, kind: NodeKind, fields: NodeFields) -> NewPaths:
    try:
        found = find_paths(workspace, kind, new_name(kind, fields), fields, at_first=True)
    except BadInput as error:
        given = fields.get("path")
        # Where it leads all the same: of what an agent may not have it is not said whether it is there.
        path = None if given is None else _resolved(workspace, given)
        return NewPaths(file=path, is_inside=_is_inside(workspace, path), refusal=error)
    return NewPaths(found, found.file, _is_inside(workspace, found.file))


def _is_inside(workspace: str, path: str | None) -> bool:
    return path is None or Path(path).is_relative_to(Path(workspace).resolve())


def _resolved(workspace: str, path: str) -> str | None:
    """None for what leads nowhere."""
    try:
        return str(Path(workspace, Path(path).expanduser()).resolve())
    except (OSError, RuntimeError, ValueError):
        return None

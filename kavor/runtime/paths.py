"""Directories and files as a person names them, made canonical: absolute, links followed.

That asks the file system, which may not answer: see :mod:`kavor.runtime.file_access`.
"""

from __future__ import annotations

import os
from pathlib import Path

from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import BadInput
from kavor.domain.graph import NodeKind


def workspace_directory(given: str) -> Path:
    """Raises BadInput for a path that is not absolute, or leads to no directory."""
    directory = _expanded(given)
    if not directory.is_absolute():
        raise BadInput(f"{given!r} is not an absolute path", "give the whole path of the directory")
    if not _is_directory(directory):
        raise BadInput(f"there is no directory {directory}", "make it first: mkdir -p DIR")
    return directory.resolve()


def working_directory(workspace: str, given: str | None) -> str:
    """Where a Terminal or a CodingAgent works, from what was given relative to its Workspace's directory;
    without that this directory. Raises BadInput."""
    directory = Path(workspace, _expanded(given)) if given else Path(workspace)
    if not _is_directory(directory):
        raise BadInput(f"there is no directory {directory}", "make it first, or give another --directory")
    return str(directory.resolve())


def path_of(workspace: str, kind: NodeKind, name: str, given: str | None) -> str:
    """The canonical path of a File, which must be there, or of a Specification's text, which need not be
    there yet. What is given is relative to the Workspace's directory. Raises BadInput.

    A Specification without a path is a Markdown file in the Workspace, named after the Node.
    """
    if kind not in NAMED_KINDS:
        raise BadInput(f"a {kind.label} has no path", "only a File or a Specification has")
    if kind is NodeKind.SPECIFICATION and not given:
        given = f"{name.replace('/', '-').lstrip('.')}.md"
    if not given:
        raise BadInput("a File needs a path", "give it with --path")
    if "\0" in given:
        raise BadInput("a path cannot have a NUL character", "remove it")
    path = Path(workspace, given)
    try:
        path = Path(workspace, Path(given).expanduser())
        if kind is NodeKind.FILE and not path.exists():
            raise BadInput(f"there is no file {path}", "make it first, or give another --path")
        resolved = path.resolve()
        is_directory = resolved.is_dir()
    except (OSError, RuntimeError) as error:
        raise BadInput(f"{path} cannot be followed: {error}", "give another --path") from error
    if is_directory:
        raise BadInput(f"{resolved} is a directory", "name a file")
    return str(resolved)


def _expanded(given: str) -> Path:
    """With ``~`` as the home it stands for. Raises BadInput."""
    try:
        return Path(given).expanduser()
    except RuntimeError:
        raise BadInput(f"there is no home for {given!r}", "give the whole path") from None


def _is_directory(path: Path) -> bool:
    # Path.is_dir raises where the path cannot even be looked at.
    return os.path.isdir(path)  # noqa: PTH112

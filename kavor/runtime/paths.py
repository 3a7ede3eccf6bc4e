"""Directories and files as a person names them, made canonical: absolute, links followed."""

from __future__ import annotations

from pathlib import Path

from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import BadInput
from kavor.domain.graph import NodeKind
from kavor.runtime.targets import is_available
from kavor.store.workspaces import WorkspaceRow


def workspace_directory(given: str) -> Path:
    """Raises BadInput for a path that is not absolute, or leads to no directory."""
    directory = _expanded(given)
    if not directory.is_absolute():
        raise BadInput(f"{given!r} is not an absolute path", "give the whole path of the directory")
    if not is_available(str(directory)):
        raise BadInput(f"there is no directory {directory}", "make it first: mkdir -p DIR")
    return directory.resolve()


def working_directory(place: WorkspaceRow, given: str | None) -> str:
    """Where a Terminal or a CodingAgent works, from what was given relative to its Workspace; without that
    the Workspace's own. Raises BadInput."""
    directory = Path(place.directory, _expanded(given)) if given else Path(place.directory)
    if not is_available(str(directory)):
        raise BadInput(f"there is no directory {directory}", "make it first, or give another --directory")
    return str(directory.resolve())


def path_of(place: WorkspaceRow, kind: NodeKind, name: str, given: str | None) -> str:
    """The canonical path of a File, which must be there, or of a Specification's text, which need not be
    there yet. What is given is relative to the Workspace. Raises BadInput.

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
    path = Path(place.directory, given)
    try:
        path = Path(place.directory, Path(given).expanduser())
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

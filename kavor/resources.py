"""Where the files of ``resources/`` are, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_path(*parts: str) -> Path:
    """The path of one resource, e.g. ``resource_path("shell", "kavor.bash")``.

    A wheel carries the folder as ``kavor/_resources``; a checkout has it beside the package. Raises
    FileNotFoundError when it is in neither.
    """
    for root in (_PACKAGE / "_resources", _PACKAGE.parent / "resources"):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"resource {'/'.join(parts)} is missing from this installation")

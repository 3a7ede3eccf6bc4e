"""How the files of Files and Specifications are shown: what stands at their paths at this moment."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from typing_extensions import TypedDict

from kavor.domain.instant import Instant, format_instant
from kavor.runtime.file_access import FileAccess
from kavor.runtime.folders import open_folder


class FileView(TypedDict):
    """What stands at the path of a File or a Specification."""

    exists: bool | None
    """None where its file system does not answer just now."""
    size: int | None
    """In bytes."""
    modified_at: str | None
    """None for a file that is there where its time is in no calendar."""


_NOTHING: FileView = {"exists": False, "size": None, "modified_at": None}
_NO_ANSWER: FileView = {"exists": None, "size": None, "modified_at": None}


async def look_at_files(files: FileAccess, paths: Iterable[str]) -> dict[str, FileView]:
    """By path. What cannot be looked at is not there. No link is followed, as no text is read through one."""
    wanted = list(paths)
    found = await files.look(wanted, _look_in)
    return {path: found.get(path, _NO_ANSWER) for path in wanted}


def _look_in(folder: str, paths: Sequence[str]) -> dict[str, FileView]:
    try:
        with open_folder(folder) as descriptor:
            return {path: _look_at(Path(path).name, descriptor) for path in paths}
    except OSError:
        return dict.fromkeys(paths, _NOTHING)


def _look_at(name: str, folder: int) -> FileView:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return _NOTHING
    return file_view(found) if stat.S_ISREG(found.st_mode) else _NOTHING


def file_view(found: os.stat_result) -> FileView:
    return {
        "exists": True,
        "size": found.st_size,
        "modified_at": _instant_or_none(found.st_mtime_ns // 1_000_000),
    }


def _instant_or_none(milliseconds: int) -> str | None:
    """None for a time that is in no calendar: any program can give one to a file."""
    try:
        return format_instant(Instant(milliseconds))
    except OverflowError:
        return None

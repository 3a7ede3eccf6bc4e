"""Reaching a folder by its canonical path, with no link followed on the way."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_INTO = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""Linux asks for no right to list what is in a folder that is only passed through."""


@contextmanager
def open_folder(path: str) -> Iterator[int]:
    """A descriptor of the folder that a canonical path leads to.

    Raises OSError; with ELOOP where a link has taken the place of a folder since the path was made canonical,
    which might lead anywhere.
    """
    root, *names = Path(path).parts
    descriptor = os.open(root, _INTO)
    try:
        for name in names:
            outer, descriptor = descriptor, _into(descriptor, name)
            os.close(outer)
        yield descriptor
    finally:
        os.close(descriptor)


def _into(folder: int, name: str) -> int:
    try:
        return os.open(name, _INTO, dir_fd=folder)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, "a folder on the way is a link now", name) from None
        raise

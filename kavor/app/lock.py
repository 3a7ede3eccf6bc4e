"""One runtime for each home: whoever holds the lock is the one."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from kavor.domain.errors import AlreadyRunning, HomeUnusable
from kavor.home import Home

log = logging.getLogger(__name__)


@contextmanager
def home_lock(home: Home) -> Iterator[None]:
    """Hold the one lock of this home. Raises AlreadyRunning; children started by exec do not inherit it."""
    try:
        fd = os.open(home.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise HomeUnusable(
            f"the lock {home.lock} cannot be made: {error.strerror}", "free some space, or check the folder"
        ) from error
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            holder = os.pread(fd, 20, 0).decode(errors="replace").strip() or "unknown"
            raise AlreadyRunning(
                f"a runtime already serves {home.data} (process {holder})",
                "use it, or stop it first: kavor runtime stop",
            ) from error
        _write_pid(fd)
        yield
    finally:
        os.close(fd)


def _write_pid(fd: int) -> None:
    # Unbuffered: on a full disk a buffer would fail once more when the file is closed.
    try:
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
    except OSError as error:  # only a remark for people; the lock holds without it
        log.info("the lock file has no process id: %s", error)

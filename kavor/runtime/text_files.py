"""Text files as agents and editors read and write them: whole, against the version that was read.

A path was made canonical when its Node was given it, and no link is followed since: neither at its end nor on
the way, so that a folder that is exchanged for a link leads nowhere else.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from kavor.domain.errors import BadInput, Conflict, Refused
from kavor.runtime.folders import open_folder

MAX_BYTES = 1024 * 1024
"""The longest text that is read or written."""

ABSENT = "absent"
"""The version of a file that is not there."""


@dataclass(frozen=True)
class TextFile:
    text: str
    version: str
    """Of these very bytes; ABSENT for a file that is not there."""


def read_text_file(path: str, *, may_be_absent: bool = False) -> TextFile:
    """Raises BadInput for what is no text in UTF-8 or too long, Refused where it cannot be read."""
    found = _read(path)
    if found is None and may_be_absent:
        return TextFile("", ABSENT)
    if found is None:
        raise Refused(f"there is no file {path} any more", "it was moved or removed")
    try:
        return TextFile(found.decode(), _version(found))
    except UnicodeDecodeError:
        raise BadInput(f"{path} is no text in UTF-8", "use a program that knows its format") from None


def replace_text_file(path: str, text: str, *, version: str) -> TextFile:
    """Write it anew, all or nothing, keeping its permissions. A folder that is missing is not made.

    Raises Conflict, with nothing changed, where it is not at this ``version`` any more; BadInput for a text
    that is too long; Refused where it cannot be written. Of two that write over the same version the second
    finds another one only where they do so one after the other, as :class:`FileAccess` has them.
    """
    data = text.encode()
    if len(data) > MAX_BYTES:
        raise BadInput(
            f"the text is {len(data):,} bytes long; at most {MAX_BYTES:,} are written", "shorten it"
        )
    present = _read(path)
    if version != (ABSENT if present is None else _version(present)):
        raise Conflict(f"{path} was changed meanwhile", "read it again, then write what you want to keep")
    try:
        _write(Path(path), data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(f"{path} cannot be written: {reason}", "look at its permissions") from error
    return TextFile(text, _version(data))


def _read(path: str) -> bytes | None:
    """None where there is no such file."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with open_folder(str(Path(path).parent)) as folder:
            descriptor = os.open(Path(path).name, flags, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        is_link = error.errno == errno.ELOOP
        what = "it is a link now, or one of its folders is" if is_link else error.strerror or str(error)
        raise Refused(f"{path} cannot be read: {what}", "look at it in a Terminal") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused(f"{path} is not a file any more", "look at it in a Terminal")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadInput(f"{path} is longer than {MAX_BYTES:,} bytes", "look at parts of it in a Terminal")
    return data


def _write(path: Path, data: bytes) -> None:
    with open_folder(str(path.parent)) as folder:
        try:
            mode = stat.S_IMODE(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            mode = None
        fresh = f".kavor-{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        # A file that was not there gets what the user's umask leaves, another what it had.
        descriptor = os.open(fresh, flags, 0o666 if mode is None else 0o600, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                if mode is not None:
                    os.fchmod(descriptor, mode)
                os.fsync(descriptor)
            os.replace(fresh, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(fresh, dir_fd=folder)
            raise


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]

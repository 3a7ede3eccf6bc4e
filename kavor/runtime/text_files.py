"""Text files as agents and editors read and write them: whole, against the version that was read."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from kavor.domain.errors import BadInput, Conflict, Refused

MAX_BYTES = 1024 * 1024
"""The longest text that is read or written."""

ABSENT = "absent"
"""The version of a file that is not there."""


_one_at_a_time = threading.Lock()
"""Of two that write over the same version, the second finds another one."""


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
    that is too long; Refused where it cannot be written.
    """
    data = text.encode()
    if len(data) > MAX_BYTES:
        raise BadInput(
            f"the text is {len(data):,} bytes long; at most {MAX_BYTES:,} are written", "shorten it"
        )
    with _one_at_a_time:
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
    """None where there is no such file. A link is not followed: the path was canonical when it was chosen."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        what = "it is a link now" if error.errno == errno.ELOOP else error.strerror or str(error)
        raise Refused(f"{path} cannot be read: {what}", "look at it in a Terminal") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused(f"{path} is not a file any more", "look at it in a Terminal")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadInput(f"{path} is longer than {MAX_BYTES:,} bytes", "look at parts of it in a Terminal")
    return data


def _write(path: Path, data: bytes) -> None:
    try:
        mode = stat.S_IMODE(path.lstat().st_mode)
    except FileNotFoundError:
        mode = 0o666 & ~_umask()
    descriptor, name = tempfile.mkstemp(prefix=".kavor-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]

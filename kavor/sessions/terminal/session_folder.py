"""The private folder of one session: what its shell reads, hand-overs, and who its shell is.

The record outlives a host that is killed, so that what is left of its sessions can still be named.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from kavor.domain.errors import BadInput
from kavor.sessions.terminal.shells import write_private

_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_RECORD = "session.json"


@dataclass(frozen=True)
class ShellRecord:
    """Who a session's shell is, and what all its processes carry in their environment.

    ``started`` is in clock ticks since boot, 0 where that is not known; with the pid it names one process
    for good. ``mark`` is the value of KAVOR_SESSION_MARK, another for each start of a session.
    """

    pid: int
    started: int
    shell: str
    mark: str


def folder_of(sessions: Path, session_id: str) -> Path:
    """Raises BadInput for an id that is no plain name."""
    if not _SAFE_NAME.fullmatch(session_id):
        raise BadInput(
            f"{session_id!r} cannot be the id of a session", "use letters, digits, '-', '_' and '.'"
        )
    return sessions / session_id


def make_folder(folder: Path) -> None:
    """An empty folder for the user alone, in place of what an earlier session left there."""
    remove_folder(folder)
    folder.mkdir(mode=0o700, parents=True)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def empty_folder(folder: Path) -> None:
    """Remove all but the record of a session that has ended."""
    for path in folder.glob("*"):
        if path.name != _RECORD:
            path.unlink(missing_ok=True)


def write_record(folder: Path, record: ShellRecord) -> None:
    write_private(folder / _RECORD, json.dumps(asdict(record)).encode())


def read_record(folder: Path) -> ShellRecord | None:
    """None where there is none, or none that can be read."""
    try:
        return ShellRecord(**json.loads((folder / _RECORD).read_text()))
    except (OSError, ValueError, TypeError):
        return None

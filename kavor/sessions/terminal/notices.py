"""What a program tells beside what it shows: notices of the terminal (OSC 9), and lines of its hooks.

Neither is text on its screen: an agent's program lets nothing through that its tools print.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

FIFO = "signs"
"""In a session's private folder: where hooks write one line of JSON for each event."""

_LONGEST = 4096
_NOTICE = re.compile(rb"\x1b\](?:9|777;notify);(?P<text>[^\x00-\x1f\x7f]{1,%d})(?:\x07|\x1b\\)" % _LONGEST)
_PROGRESS = re.compile(r"\d+(?:;|\Z)")
"""The same sequence shows how far something has come (ConEmu's), which is no notice."""


class Notice(NamedTuple):
    """``about`` is what it says in short, by which its meaning is found; ``text`` what a person may read."""

    about: str
    text: str
    last_message: str = ""
    """Of the agent, whole; empty where that is not told."""


class TerminalNotices:
    """Finds them in output that is fed in any pieces."""

    def __init__(self, told: Callable[[Notice], None]) -> None:
        self._told = told
        self._begun = b""

    def feed(self, data: bytes) -> None:
        if b"\x1b" not in data and not self._begun:
            return
        data = self._begun + data
        behind = 0
        for found in _NOTICE.finditer(data):
            behind = found.end()
            text = found["text"].decode("utf-8", "replace")
            if not _PROGRESS.match(text):
                self._told(Notice(text, text))
        self._begun = data[_begun_at(data, behind) :]


def _begun_at(data: bytes, behind: int) -> int:
    """Where behind a place a sequence begins that is not whole yet; else the end of the data."""
    begins = data.rfind(b"\x1b]", behind)
    is_whole = begins < 0 or data.find(b"\x07", begins) >= 0 or data.find(b"\x1b\\", begins) >= 0
    if not is_whole:
        return begins if len(data) - begins <= _LONGEST else len(data)
    return len(data) - 1 if data.endswith(b"\x1b") else len(data)


class HookNotices:
    """Reads the lines of hooks until `close`. Raises OSError where the folder takes no FIFO."""

    def __init__(self, folder: Path, told: Callable[[Notice], None]) -> None:
        self._told = told
        self._begun = b""
        self._loop = asyncio.get_running_loop()
        path = folder / FIFO
        os.mkfifo(path, 0o600)
        # Open for writing too: so it never ends, and no hook waits for somebody to read.
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._loop.add_reader(self._descriptor, self._readable)

    def _readable(self) -> None:
        try:
            data = os.read(self._descriptor, 64 * 1024)
        except BlockingIOError:
            return
        *lines, self._begun = (self._begun + data)[-64 * 1024 :].split(b"\n")
        for line in lines:
            self._read(line)

    def _read(self, line: bytes) -> None:
        try:
            said = json.loads(line)
            notice = Notice(*(str(said.get(field, "")) for field in Notice._fields))
        except (ValueError, AttributeError):
            return  # whoever wrote this was no hook of ours
        self._told(notice)

    def close(self) -> None:
        if self._descriptor >= 0:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

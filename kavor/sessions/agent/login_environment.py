"""The environment that the user's login shell reports: where nvm, a venv or a key puts what an agent needs.

A runtime that a desktop or a service manager started has little of it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from kavor.domain.errors import BadInput
from kavor.sessions.terminal.shell_kinds import find_shell

log = logging.getLogger(__name__)

SECONDS = 10.0
"""How long a login shell may take to start."""
KEPT_SECONDS = 300.0
"""How long what it said is taken to be true."""
KEPT_WHERE_MISSED_SECONDS = 10.0
"""How long, where something was not found by it."""

_MOST_BYTES = 4 * 1024 * 1024
_KNOWN_SHELLS = frozenset({"bash", "zsh", "fish", "sh", "dash", "ash", "ksh"})


class LoginEnvironment:
    """Asked by many, read once in a while."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._read_at: float | None = None
        self._reading = asyncio.Lock()

    async def get(self, *, anew: bool = False) -> dict[str, str]:
        """The runtime's own environment where no shell tells. ``anew``: what was missed in it may be there by
        now, so it is taken to be true for a moment only."""
        kept_s = min(KEPT_SECONDS, KEPT_WHERE_MISSED_SECONDS) if anew else KEPT_SECONDS
        async with self._reading:
            if self._read_at is None or time.monotonic() - self._read_at > kept_s:
                self._known = await asyncio.to_thread(read_login_environment)
                self._read_at = time.monotonic()
            return dict(self._known)


def read_login_environment() -> dict[str, str]:
    """Start the login shell, interactive too, since that is where many set their PATH. Blocks."""
    own = dict(os.environ)
    try:
        shell = find_shell(None)
    except BadInput:
        return own
    if Path(shell).name not in _KNOWN_SHELLS:
        return own
    mark = secrets.token_hex(16)
    # What its start-up files print stands outside the marks.
    script = f"echo {mark}; command env -0; echo {mark}"
    output = _output_of([shell, "-l", "-i", "-c", script], own)
    parts = output.split(mark.encode())
    if len(parts) < 3:
        log.warning("the login shell %s did not tell its environment; Kavor's own is taken", shell)
        return own
    lines = parts[1].removeprefix(b"\n").split(b"\0")
    pairs = [os.fsdecode(line).split("=", 1) for line in lines if b"=" in line]
    return dict(pairs) or own


def _output_of(command: list[str], environment: dict[str, str]) -> bytes:
    """What it printed; nothing where it did not end within SECONDS. A file takes it: what start-up files
    leave running in the background would keep a pipe open."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd="/",
            start_new_session=True,
        )
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return b""
        output.seek(0)
        return output.read(_MOST_BYTES)

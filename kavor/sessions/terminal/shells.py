"""The seam every kind of shell is behind: how it is started to mark its prompts, and what it can do."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

STOPPED = frozenset(
    128 + number for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
)
"""The statuses a shell gives a command that was stopped and may go on."""


@dataclass(frozen=True)
class Start:
    """How to start one shell: arguments, ``argv[0]`` first, and the whole environment."""

    arguments: Sequence[str]
    environment: Mapping[str, str]


class PrivateKeys(NamedTuple):
    """Key sequences that no keyboard has, bound in a line editor."""

    deliver: bytes
    """Look for a hand-over and run it, if the line is empty."""
    ask: bytes
    """Say whether the line is empty."""


KEYS = PrivateKeys(deliver=b"\x1b[7707~", ask=b"\x1b[7708~")


class ShellKind(Protocol):
    """One kind of shell, as far as the host must know it."""

    @property
    def keys(self) -> PrivateKeys | None:
        """None for a shell without a line editor that knows them: commands are typed, like a person's."""
        ...

    @property
    def limits(self) -> str:
        """What this kind of shell cannot do, for a person to read; empty where it can do everything."""
        ...

    @property
    def own_output(self) -> re.Pattern[bytes] | None:
        """What the shell itself prints between its marks, in front of a command's output and behind it."""
        ...

    def prepare(self, folder: Path, nonce: str, environment: Mapping[str, str]) -> Start:
        """Write what the shell reads at its start into the session's private folder."""
        ...

    def started(self, folder: Path) -> None:
        """The first prompt has been shown: remove what holds the nonce."""
        ...


def write_private(path: Path, content: bytes) -> None:
    """A new file for the user alone, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    unfinished.replace(path)

"""One seam per shell: how it is started so that it marks its prompts, and what it can do.

Each shell Kavor knows is one `ShellKind`. A shell that is not known is refused when a session is opened.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kavor.domain.errors import BadInput, Refused
from kavor.resources import resource_path

STOPPED = frozenset(
    128 + number for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
)
"""The statuses a shell gives a command that was stopped and may go on."""


@dataclass(frozen=True)
class Start:
    """How to start one shell: arguments, ``argv[0]`` first, and the whole environment."""

    arguments: Sequence[str]
    environment: Mapping[str, str]


class ShellKind(Protocol):
    """One kind of shell, as far as the host must know it."""

    deliver_key: bytes
    """The private key that makes the line editor look for a hand-over and run it."""
    ask_key: bytes
    """The private key that makes the line editor say whether its line is empty."""

    def prepare(self, folder: Path, nonce: str, environment: Mapping[str, str]) -> Start:
        """Write what the shell reads at its start into the session's private folder."""
        ...

    def started(self, folder: Path) -> None:
        """The first prompt has been shown: remove what holds the nonce."""
        ...


class Bash:
    """bash 4.4 and newer, as the login shell it would be in a terminal. See resources/shell/kavor.bash."""

    deliver_key = b"\x1b[7707~"
    ask_key = b"\x1b[7708~"

    def prepare(self, folder: Path, nonce: str, environment: Mapping[str, str]) -> Start:
        statuses = " ".join(str(status) for status in sorted(STOPPED))
        write_private(self._startup(folder), f"{nonce}\n {statuses} \n".encode())
        own = {
            # bash expands ENV once; what the expansion gives is taken as it is, whatever the path holds.
            "ENV": "$KAVOR_SHELL_INIT",
            "KAVOR_SHELL_INIT": str(resource_path("shell", "kavor.bash")),
            "KAVOR_SHELL_FOLDER": str(folder),
        }
        if "ENV" in environment:
            own["KAVOR_USER_ENV"] = environment["ENV"]
        return Start(["-bash", "--posix", "-i"], {**environment, **own})

    def started(self, folder: Path) -> None:
        self._startup(folder).unlink(missing_ok=True)

    def _startup(self, folder: Path) -> Path:
        return folder / "startup"


_KINDS: Mapping[str, ShellKind] = {"bash": Bash()}


def write_private(path: Path, content: bytes) -> None:
    """A new file for the user alone, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    unfinished.replace(path)


def find_shell(wanted: str | None) -> str:
    """The absolute path of a shell. None asks for the user's login shell.

    Raises BadInput when there is no such program.
    """
    name = wanted or pwd.getpwuid(os.getuid()).pw_shell or os.environ.get("SHELL") or "/bin/sh"
    found = shutil.which(name)
    if found is None:
        raise BadInput(f"there is no shell {name}", "name one that is installed, such as /bin/bash")
    return str(Path(found).absolute())


def kind_of(shell: str) -> ShellKind:
    """Raises Refused for a shell Kavor cannot deliver to."""
    kind = _KINDS.get(Path(shell).name)
    if kind is None:
        raise Refused(
            f"Kavor cannot work with the shell {shell} yet",
            f"give this Terminal one of: {', '.join(sorted(_KINDS))}",
        )
    return kind

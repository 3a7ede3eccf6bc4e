"""The shells Kavor knows. One that is not known is refused when a session is opened.

Each is started as the login shell it would be in any terminal, reads the user's own files, and then what it
finds in resources/shell, where its marks come from.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from kavor.domain.errors import BadInput, Refused
from kavor.resources import resource_path
from kavor.sessions.terminal.shells import KEYS, STOPPED, PrivateKeys, ShellKind, Start, write_private

_STATUSES = "".join(f" {status}" for status in sorted(STOPPED)) + " "


class _Shell:
    """What all have in common: a start-up file with the nonce, which goes when the first prompt is there."""

    script: str
    """The name of this shell's part in resources/shell."""
    keys: PrivateKeys | None = KEYS
    limits = ""
    own_output: re.Pattern[bytes] | None = None

    def started(self, folder: Path) -> None:
        (folder / "startup").unlink(missing_ok=True)

    def _write_startup(self, folder: Path, nonce: str, more: str = _STATUSES) -> dict[str, str]:
        """Write the start-up file; what the shell needs to find it in its environment."""
        write_private(folder / "startup", f"{nonce}\n{more}\n".encode())
        return {
            "KAVOR_SHELL_INIT": str(resource_path("shell", self.script)),
            "KAVOR_SHELL_FOLDER": str(folder),
        }


def _kept(environment: Mapping[str, str], name: str) -> dict[str, str]:
    """A variable of the user's that the start needs for itself, under the name it is given back from."""
    return {f"KAVOR_USER_{name}": environment[name]} if name in environment else {}


class Bash(_Shell):
    """bash 4.4 and newer. An older one is opened, and says that nothing can be delivered to it."""

    script = "kavor.bash"

    def prepare(self, folder: Path, nonce: str, environment: Mapping[str, str]) -> Start:
        own = self._write_startup(folder, nonce) | _kept(environment, "ENV")
        # bash expands ENV once; what the expansion gives is taken as it is, whatever the path holds.
        return Start(["-bash", "--posix", "-i"], {**environment, **own, "ENV": "$KAVOR_SHELL_INIT"})


class Zsh(_Shell):
    """zsh 5.3 and newer. An older one is opened, and says that nothing can be delivered to it."""

    script = "kavor.zsh"
    # The sign for a last line without an end (PROMPT_SP), and the blanks that bring the prompt to a new line.
    own_output = re.compile(rb"(?:\x1b\[1m\x1b\[7m[%#]\x1b\[27m\x1b\[1m\x1b\[0m)? *\r \r\Z")

    def prepare(self, folder: Path, nonce: str, environment: Mapping[str, str]) -> Start:
        own = self._write_startup(folder, nonce) | _kept(environment, "ZDOTDIR")
        write_private(folder / ".zshenv", b'builtin source "$KAVOR_SHELL_INIT"\n')
        return Start(["-zsh", "-i"], {**environment, **own, "ZDOTDIR": str(folder)})

    def started(self, folder: Path) -> None:
        super().started(folder)
        (folder / ".zshenv").unlink(missing_ok=True)


class Fish(_Shell):
    """fish 3.4 and newer. An older one is opened, and says that nothing can be delivered to it."""

    script = "kavor.fish"
    # Switches of modes, the title and the colour's reset, up to a return to the line's beginning.
    own_output = re.compile(
        rb"\A(?:\x1b\[[?>=]?[0-9;]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\(B)*\r(?!\n)"
    )

    def prepare(self, folder: Path, nonce: str, environment: Mapping[str, str]) -> Start:
        own = self._write_startup(folder, nonce)
        arguments = ["-fish", "-i", "--init-command", 'source "$KAVOR_SHELL_INIT"']
        return Start(arguments, {**environment, **own})


class Sh(_Shell):
    """A POSIX shell that can only be typed to: dash, busybox's ash, or whatever ``sh`` is."""

    script = "kavor.sh"
    keys = None
    limits = (
        "this shell has no line editor that Kavor can speak to: a command is typed in at an empty prompt, "
        "and its end is recorded as Fired, since nothing tells whether all of it ran"
    )

    def __init__(self, name: str, around_marks: str = "") -> None:
        """``around_marks``: what must stand before and behind what takes no room in a prompt."""
        self._name = name
        self._around_marks = around_marks

    def prepare(self, folder: Path, nonce: str, environment: Mapping[str, str]) -> Start:
        own = self._write_startup(folder, nonce, self._around_marks) | _kept(environment, "ENV")
        return Start([f"-{self._name}", "-i"], {**environment, **own, "ENV": "$KAVOR_SHELL_INIT"})


_KINDS: Mapping[str, ShellKind] = {
    "bash": Bash(),
    "zsh": Zsh(),
    "fish": Fish(),
    "sh": Sh("sh"),
    "dash": Sh("dash"),
    "ash": Sh("ash", around_marks=r"\[ \]"),
}


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
    if isinstance(kind, Sh) and Path(shell).resolve().name == "busybox":
        return _KINDS["ash"]
    if kind is None:
        raise Refused(
            f"Kavor cannot work with the shell {shell} yet",
            f"give this Terminal one of: {', '.join(sorted(_KINDS))}",
        )
    return kind

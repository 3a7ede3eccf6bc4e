"""How a command gets from the host to the shell.

To a line editor it gets through a private file that one side claims.
The text lies in ``handover``. Before the line editor runs it, it creates ``claim.<token>``, which only one
side can; so does the host when it takes an offer back. Whoever creates it has decided, so that at every
moment it is known whether the text may still run.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from kavor.domain.errors import StorageFailed
from kavor.sessions.terminal.shells import write_private

LONGEST_TYPED = 200
"""In bytes; POSIX lets a terminal cut a line at 255."""


class Offer:
    """One text, offered to the line editor once.

    Raises StorageFailed when it cannot be written down; then nothing was offered.
    """

    def __init__(self, folder: Path, text: str) -> None:
        self.token = secrets.token_hex(8)
        self._file = folder / "handover"
        self._claim = folder / f"claim.{self.token}"
        _write(self._file, f"{self.token}\n{text}\0".encode())

    def withdraw(self) -> bool:
        """Take the offer back. False: the line editor had claimed it first, and runs it.

        An error of the disk counts as a claim, since then nobody can tell.
        """
        try:
            os.close(os.open(self._claim, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        except OSError:
            return False
        self._file.unlink(missing_ok=True)
        return True

    def forget(self) -> None:
        """Remove its files, once the line editor is known to be done with it."""
        self._file.unlink(missing_ok=True)
        self._claim.unlink(missing_ok=True)


class TypedLine:
    """One text for a shell that can only be typed to, as the line that is typed.

    What the terminal might cut or a line editor might take for a key goes into a file that the line names.
    Raises StorageFailed when that cannot be written; then nothing was typed.
    """

    token = ""
    """No reply names it."""

    def __init__(self, folder: Path, text: str) -> None:
        self._file = folder / "command"
        if len(text.encode()) <= LONGEST_TYPED and text.isprintable():
            self.line = text
            return
        self.line = '. "$__kavor_folder/command"'
        _write(self._file, f"{text}\n".encode())

    def withdraw(self) -> bool:
        """What was typed cannot be taken back."""
        return False

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)


def _write(file: Path, content: bytes) -> None:
    try:
        write_private(file, content)
    except OSError as error:
        raise StorageFailed(
            f"the command cannot be handed over: {error.strerror or error}",
            f"look at the disk of {file.parent}",
        ) from error

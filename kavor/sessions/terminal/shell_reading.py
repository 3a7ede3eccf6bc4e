"""Whether a shell is reading commands right now, by what the system tells of it rather than by its marks.

A line editor reads single characters from a terminal that does no line editing of its own. A shell without
one reads whole lines, like any program; only the system call it waits in shows that it is the shell's own
reading, and not that of its `read`, which takes one byte at a time.
"""

from __future__ import annotations

from typing import Protocol

from kavor.sessions.terminal import processes
from kavor.sessions.terminal.pseudoterminal import Pseudoterminal


class ShellReading(Protocol):
    """Looks at one shell on its terminal."""

    @property
    def has_terminal(self) -> bool:
        """Whether the terminal is the shell's, set as the shell reads from it."""
        ...

    @property
    def waits(self) -> bool:
        """Whether it also waits for input now: not stopped, not at work."""
        ...

    @property
    def certainly_waits(self) -> bool:
        """Whether it does so for sure: where the system does not tell, it may also be at work."""
        ...

    @property
    def reads_itself(self) -> bool:
        """Whether the shell, and no program in it, waits for input in whatever way: at its prompt, with or
        without a line editor, or in a `read` of its own."""
        ...

    @property
    def has_read_everything(self) -> bool:
        """Whether it certainly waits for its next command, with no line left unread. False: not known."""
        ...


class ReadsKeys:
    """A shell with a line editor, which can be asked about the rest."""

    def __init__(self, terminal: Pseudoterminal) -> None:
        self._terminal = terminal

    @property
    def has_terminal(self) -> bool:
        return self._terminal.shell_edits_a_line

    @property
    def waits(self) -> bool:
        return self._terminal.shell_waits_for_a_key

    @property
    def certainly_waits(self) -> bool:
        return self.waits

    @property
    def reads_itself(self) -> bool:
        return self.waits or _reads_input(self._terminal)

    @property
    def has_read_everything(self) -> bool:
        return False


class ReadsLines:
    """A shell that is only typed to, whether it edits its lines itself or leaves that to the terminal."""

    def __init__(self, terminal: Pseudoterminal) -> None:
        self._terminal = terminal

    @property
    def has_terminal(self) -> bool:
        return self._terminal.foreground == self._terminal.pid

    @property
    def waits(self) -> bool:
        if self._terminal.shell_waits_for_a_key:
            return processes.reads_lines(self._terminal.pid) is not False
        return self._waits_for_a_line(unless_known=True)

    @property
    def certainly_waits(self) -> bool:
        return self.has_read_everything

    @property
    def reads_itself(self) -> bool:
        return self._terminal.shell_waits_for_a_key or _reads_input(self._terminal)

    @property
    def has_read_everything(self) -> bool:
        if self._terminal.shell_waits_for_a_key:
            return processes.reads_lines(self._terminal.pid) is not False
        return self._waits_for_a_line(unless_known=False)

    def _waits_for_a_line(self, *, unless_known: bool) -> bool:
        if not self.has_terminal or self._terminal.unwritten:
            return False
        reads = processes.reads_lines(self._terminal.pid)
        return unless_known if reads is None else reads


def _reads_input(terminal: Pseudoterminal) -> bool:
    if terminal.foreground != terminal.pid or terminal.unwritten:
        return False
    return processes.reads_lines(terminal.pid) is not None

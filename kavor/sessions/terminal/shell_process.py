"""The process a session's shell was started in, which `exec` may give to another program."""

from __future__ import annotations

from kavor.sessions.terminal import processes


class ShellProcess:
    """Knows the shell from what has taken its place, where the system tells."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._shell = processes.look_at(pid)

    def remember(self) -> None:
        """Called at the first prompt: what runs in the process now is the shell."""
        self._shell = processes.look_at(self._pid)

    @property
    def name(self) -> str | None:
        """The short name of the shell's program."""
        return self._shell.name if self._shell else None

    @property
    def replaced_by(self) -> str | None:
        """The program that has taken the shell's place, or None."""
        process = processes.look_at(self._pid)
        if process is None or self._shell is None or process.ending or process.image == self._shell.image:
            return None
        return processes.program_of(self._pid)

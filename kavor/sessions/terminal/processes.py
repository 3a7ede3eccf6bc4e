"""What the system tells of one process: its program, whether it waits, when it ended.

Linux answers from ``/proc`` and with pidfds. Elsewhere the questions about a program are answered with
None, "not known", and an end is noticed by asking four times a second.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_SECONDS_BETWEEN_LOOKS = 0.25
_NUMBER_OF_READ = {"x86_64": 0, "aarch64": 63}
_NUMBERS_OF_POLL = {
    "x86_64": frozenset(
        (7, 23, 232, 270, 271, 281)
    ),  # poll, select, epoll_wait, pselect6, ppoll, epoll_pwait
    "aarch64": frozenset((22, 72, 73)),
}


@dataclass(frozen=True)
class Process:
    """One look at a process, from Linux's ``/proc/<pid>/stat``."""

    name: str
    """The short name of its program; readable of a zombie too."""
    state: str
    """One letter: R running, S waiting, T stopped, Z ended and not yet waited for…"""
    started: int
    """When it started, in clock ticks since boot: with the pid, an identity that is never used again."""
    image: tuple[str, ...]
    """Where its program lies in memory. Every exec changes it, also one of the same program."""

    @property
    def ending(self) -> bool:
        """Whether it has let go of its memory already."""
        return self.state == "Z" or set(self.image) <= {"0"}


def look_at(pid: int) -> Process | None:
    """None where there is no such process, or no ``/proc``."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    name = text[text.index("(") + 1 : text.rindex(")")]
    fields = text[text.rindex(")") + 2 :].split()  # fields[0] is the third field of proc(5)
    return Process(name, fields[0], int(fields[19]), tuple(fields[23:26] + fields[45:49]))


def waits_for_terminal(pid: int, terminal: str) -> bool | None:
    """Of a process that waits: whether for input from its terminal, whose path is given, as far as can be
    seen, and not for a process or a pipe. None where it is at work, or the system does not tell."""
    machine = os.uname().machine
    try:
        call = Path(f"/proc/{pid}/syscall").read_text().split()
        number = int(call[0])
        if number in _NUMBERS_OF_POLL.get(machine, ()):
            return True
        if number != _NUMBER_OF_READ.get(machine):
            return False if machine in _NUMBER_OF_READ else None
        return str(Path(f"/proc/{pid}/fd/{int(call[1], 16)}").readlink()) in (terminal, "/dev/tty")
    except (OSError, ValueError, IndexError):
        return None


def reads_lines(pid: int) -> bool | None:
    """Of a process that waits in read(2) on its standard input: whether it takes more than one byte at a
    time. None where it waits for something else, is at work, or the system does not tell."""
    try:
        call = Path(f"/proc/{pid}/syscall").read_text().split()
    except OSError:
        return None
    if len(call) < 4 or call[0] != str(_NUMBER_OF_READ.get(os.uname().machine)) or int(call[1], 16) != 0:
        return None
    return int(call[3], 16) > 1


def program_of(pid: int) -> str:
    """The path of the program a living process runs, or "another program" where that is not known."""
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return "another program"


def when_it_ends(pid: int, ended: Callable[[], None]) -> None:
    """Call ``ended`` once, on the running loop, when a child has ended; it is left to be waited for."""
    loop = asyncio.get_running_loop()
    try:
        pidfd = os.pidfd_open(pid)
    except (AttributeError, OSError):
        _look_again_and_again(pid, ended)
        return

    def readable() -> None:
        loop.remove_reader(pidfd)
        os.close(pidfd)
        ended()

    loop.add_reader(pidfd, readable)


def _look_again_and_again(pid: int, ended: Callable[[], None]) -> None:
    if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        ended()
    else:
        loop = asyncio.get_running_loop()
        loop.call_later(_SECONDS_BETWEEN_LOOKS, _look_again_and_again, pid, ended)

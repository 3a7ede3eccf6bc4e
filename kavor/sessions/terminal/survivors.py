"""Processes of a session that live on after its shell: started with nohup or setsid, or deaf to hang-up."""

from __future__ import annotations

import psutil

from kavor.home import Home
from kavor.sessions.terminal import processes
from kavor.sessions.terminal.session_folder import ShellRecord, folder_of, read_record

LONGEST_COMMAND = 80


def survivors(home: Home, session_id: str) -> list[tuple[int, str]]:
    """The living processes of a session's last start as (pid, shortened command line), oldest first.

    A process is known by the mark in the environment it was started with, the shell also by its record. A
    pid that was used again is not mistaken for either. Asks the system about every process of this user,
    which takes some tens of milliseconds. Empty where no session with this id was ever started.
    """
    record = read_record(folder_of(home.sessions, session_id))
    if record is None:
        return []
    found: list[tuple[float, int, str]] = []
    for process in psutil.process_iter():
        try:
            if _belongs(process, record) and process.status() != psutil.STATUS_ZOMBIE:
                found.append((process.create_time(), process.pid, _command(process)))
        except psutil.Error:
            continue
    return [(pid, command) for _, pid, command in sorted(found)]


def _belongs(process: psutil.Process, record: ShellRecord) -> bool:
    if process.pid == record.pid and _started(process.pid) == record.started:
        return True
    return process.environ().get("KAVOR_SESSION_MARK") == record.mark


def _started(pid: int) -> int | None:
    process = processes.look_at(pid)
    return process.started if process else None


def _command(process: psutil.Process) -> str:
    command = " ".join(process.cmdline()) or process.name()
    command = "".join(char if char.isprintable() else "?" for char in command)
    return command if len(command) <= LONGEST_COMMAND else command[: LONGEST_COMMAND - 1] + "…"

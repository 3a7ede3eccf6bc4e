"""Processes of a session that live on after its shell: started with nohup or setsid, or deaf to hang-up."""

from __future__ import annotations

import psutil

from kavor.home import Home
from kavor.sessions.terminal import processes
from kavor.sessions.terminal.session_folder import folder_of, read_record

LONGEST_COMMAND = 80


def survivors(home: Home, session_id: str) -> list[tuple[int, str]]:
    """The living processes of one session as (pid, shortened command line), oldest first.

    A process is known by KAVOR_SESSION in the environment it was started with, the shell also by the
    record its host kept. A pid that was used again is not mistaken for either. Takes some tens of
    milliseconds; asks the system about every process of this user.
    """
    record = read_record(folder_of(home.sessions, session_id))
    found: list[tuple[float, int, str]] = []
    for process in psutil.process_iter():
        try:
            marked = process.environ().get("KAVOR_SESSION") == session_id
            shell = (
                record is not None and process.pid == record.pid and _started(process.pid) == record.started
            )
            if (marked or shell) and process.status() != psutil.STATUS_ZOMBIE:
                found.append((process.create_time(), process.pid, _command(process)))
        except psutil.Error:
            continue
    return [(pid, command) for _, pid, command in sorted(found)]


def _started(pid: int) -> int | None:
    process = processes.look_at(pid)
    return process.started if process else None


def _command(process: psutil.Process) -> str:
    command = " ".join(process.cmdline()) or process.name()
    command = "".join(char if char.isprintable() else "?" for char in command)
    return command if len(command) <= LONGEST_COMMAND else command[: LONGEST_COMMAND - 1] + "…"

"""Starting a session's shell, or the program in its place. Everything is checked first, and what fails leaves
nothing behind."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kavor.domain.errors import BadInput, KavorError, StorageFailed
from kavor.sessions.session import Program, SessionSpec
from kavor.sessions.terminal import processes
from kavor.sessions.terminal.environment import shell_environment
from kavor.sessions.terminal.notices import HookNotices, Notice
from kavor.sessions.terminal.pseudoterminal import Pseudoterminal
from kavor.sessions.terminal.session_folder import (
    ShellRecord,
    folder_of,
    make_folder,
    remove_folder,
    write_record,
)
from kavor.sessions.terminal.shell_kinds import find_shell, kind_of
from kavor.sessions.terminal.shells import ShellKind, Start, write_private


@dataclass(frozen=True)
class StartedShell:
    """A shell on its terminal, its private folder, and the nonce that only the two of them know."""

    kind: ShellKind
    terminal: Pseudoterminal
    folder: Path
    nonce: str


@dataclass(frozen=True)
class StartedProgram:
    """A program on its terminal, its private folder, and what reads the notices of its hooks there."""

    terminal: Pseudoterminal
    folder: Path
    hooks: HookNotices


def start_shell(
    spec: SessionSpec, sessions: Path, inherited: Mapping[str, str], arrived: Callable[[bytes], None]
) -> StartedShell:
    """Start the shell of one session; ``arrived`` is called with its output.

    Raises BadInput or Refused when the shell, the directory or the environment will not do, and
    StorageFailed when the session's files cannot be written.
    """
    shell = find_shell(spec.shell)
    kind = kind_of(shell)
    nonce = secrets.token_hex(16)
    terminal, folder = _start(
        spec, sessions, shell, inherited, lambda folder, own: kind.prepare(folder, nonce, own), arrived
    )
    return StartedShell(kind, terminal, folder, nonce)


def start_program(
    spec: SessionSpec,
    program: Program,
    sessions: Path,
    arrived: Callable[[bytes], None],
    noticed: Callable[[Notice], None],
) -> StartedProgram:
    """Start a program in a shell's place; ``noticed`` is told what its hooks write. Raises what `start_shell`
    raises."""
    hooks: list[HookNotices] = []
    with contextlib.ExitStack() as undoing:

        def prepare(folder: Path, environment: Mapping[str, str]) -> Start:
            for name, content in program.files.items():
                write_private(folder / name, content.encode())
            hooks.append(HookNotices(folder, noticed))
            undoing.callback(hooks[0].close)
            return Start(program.command, {**environment, "SHELL": find_shell(None)})

        terminal, folder = _start(spec, sessions, program.command[0], program.environment, prepare, arrived)
        undoing.pop_all()
    return StartedProgram(terminal, folder, hooks[0])


def _start(
    spec: SessionSpec,
    sessions: Path,
    program: str,
    inherited: Mapping[str, str],
    prepare: Callable[[Path, Mapping[str, str]], Start],
    arrived: Callable[[bytes], None],
) -> tuple[Pseudoterminal, Path]:
    if not Path(spec.directory).is_dir():
        raise BadInput(f"there is no directory {spec.directory}", "make it, or give another one")
    mark = secrets.token_hex(8)
    environment = shell_environment(inherited, spec.id, mark, program, spec.environment)
    folder = folder_of(sessions, spec.id)
    try:
        make_folder(folder)
        start = prepare(folder, environment)
        size = (spec.columns, spec.rows)
        terminal = Pseudoterminal(program, start.arguments, start.environment, spec.directory, size, arrived)
        _record(folder, terminal, program, mark)
    except OSError as error:
        remove_folder(folder)
        raise StorageFailed(
            f"the files of a session cannot be written: {error.strerror or error}",
            f"look at the disk of {sessions}",
        ) from error
    except KavorError:
        remove_folder(folder)
        raise
    return terminal, folder


def _record(folder: Path, terminal: Pseudoterminal, shell: str, mark: str) -> None:
    process = processes.look_at(terminal.pid)
    try:
        write_record(folder, ShellRecord(terminal.pid, process.started if process else 0, shell, mark))
    except OSError:  # a shell that could not be named after a crash is not kept
        terminal.kill()
        os.waitpid(terminal.pid, 0)
        terminal.close()
        raise

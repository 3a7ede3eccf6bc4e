"""Real shells behind the real host process, with a home of their own."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from dialects import BASH, ZSH, Dialect
from live_shell import Heard, OpenShell, Shell, until

from kavor.domain.errors import KavorError
from kavor.home import Home
from kavor.sessions.session import Outcome, SessionsLost, SessionSpec
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.session import TerminalSession


@pytest.fixture
def user_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The HOME the shells have: an empty folder, never that of whoever runs the tests."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in (
        "HISTFILE",
        "PROMPT_COMMAND",
        "ENV",
        "BASH_ENV",
        "ZDOTDIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "KAVOR_HOME",
        "KAVOR_SESSION",
    ):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def sessions(home: Home, heard: Heard, user_home: Path) -> AsyncIterator[TerminalSessions]:
    """The client of a host that is started when the first session is opened, and ended after the test."""
    sessions = TerminalSessions(home)
    await sessions.start(heard)
    try:
        yield sessions
    finally:
        with contextlib.suppress(KavorError, SessionsLost):
            await sessions.stop(end_sessions=True)


@pytest.fixture
def dialect(request: pytest.FixtureRequest, user_home: Path) -> Dialect:
    """The shell this test is about: bash, unless it is run over others."""
    dialect: Dialect = getattr(request, "param", BASH)
    startup = user_home / dialect.startup_file
    startup.parent.mkdir(parents=True, exist_ok=True)
    if dialect is ZSH:
        startup.touch()  # without one, zsh asks a new user what to put in it
    return dialect


@pytest.fixture
async def open_shell(sessions: TerminalSessions, heard: Heard, tmp_path: Path, dialect: Dialect) -> OpenShell:
    """Open a shell; its start-up file is what the test has written to ``user_home``."""
    program = dialect.program(tmp_path)

    async def open_shell(session_id: str = "node-1", *, wait: bool = True, **spec: object) -> Shell:
        options = {"directory": str(tmp_path), "shell": program, **spec}
        state = await sessions.open(SessionSpec(session_id, **options))  # type: ignore[arg-type]
        shell = Shell(sessions, heard, state)
        if wait:
            await shell.ready()
        return shell

    return open_shell


@pytest.fixture
async def shell(open_shell: OpenShell) -> Shell:
    """A shell at its prompt, with nothing in the user's start-up file."""
    return await open_shell()


@pytest.fixture
def outcomes() -> list[Outcome]:
    """What ``own_session`` has observed."""
    return []


@pytest.fixture
async def own_session(
    dialect: Dialect, user_home: Path, tmp_path: Path, outcomes: list[Outcome]
) -> AsyncIterator[TerminalSession]:
    """A shell at its prompt, held by the test's own process: its patience can be shortened, its marks kept
    from it."""
    spec = SessionSpec("node-1", str(tmp_path), shell=dialect.program(tmp_path))
    environment = dict(os.environ)
    session = TerminalSession(spec, tmp_path / "sessions", environment, lambda state: None, outcomes.append)
    await until(lambda: session.waiting_for is None, "the prompt")
    yield session
    await session.close()

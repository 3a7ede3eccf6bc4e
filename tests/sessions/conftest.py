"""Real shells behind the real host process, with a home of their own."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from dialects import BASH, Dialect
from live_shell import Heard, OpenShell, Shell, open_shell_of

from kavor.domain.errors import KavorError
from kavor.home import Home
from kavor.sessions.session import SessionsLost
from kavor.sessions.terminal.client import TerminalSessions


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
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """The shell this test is about: bash, unless it names others."""
    dialect: Dialect = getattr(request, "param", BASH)
    return dialect


@pytest.fixture
async def open_shell(
    sessions: TerminalSessions, heard: Heard, tmp_path: Path, user_home: Path, dialect: Dialect
) -> OpenShell:
    """Open a shell; its start-up file is what the test has written to ``user_home``."""
    return open_shell_of(sessions, heard, dialect.prepare(tmp_path, user_home), tmp_path)


@pytest.fixture
async def shell(open_shell: OpenShell) -> Shell:
    """A shell at its prompt, with nothing in the user's start-up file."""
    return await open_shell()

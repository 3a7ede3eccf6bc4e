"""A program with a screen of its own, in a session, as a test speaks to it."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from live_shell import Heard, Shell, until

from kavor.sessions.session import Outcome, Program, SessionSpec
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.program_session import ProgramSession

TUI = Path(__file__).with_name("tui_program.py")
SIGNS = {"Approval requested": "asks", "the model is away": "failed", "": "ended"}


class LiveProgram(Shell):
    log: Path

    def logged(self, kind: str = "prompt") -> list[str]:
        """What it was given, or answered with, so far."""
        if not self.log.exists():
            return []
        entries = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [text for told, text in entries if told == kind]

    async def got(self, *prompts: str) -> None:
        await until(
            lambda: len(self.logged()) >= len(prompts), lambda: f"{prompts}; there is {self.logged()}"
        )
        assert tuple(self.logged()) == prompts


def program(log: Path, *options: str, **changes: object) -> Program:
    command = (sys.executable, "-I", "-S", str(TUI), str(log), *options)
    made = Program("tui", command, dict(os.environ), signs=SIGNS, quiet_ms=150, clear_key="\x03")
    return replace(made, **changes)  # type: ignore[arg-type]


async def open_program(
    sessions: TerminalSessions,
    heard: Heard,
    folder: Path,
    *options: str,
    wait: bool = True,
    **changes: object,
) -> LiveProgram:
    log = folder / "log"
    spec = SessionSpec("agent-1", str(folder), program=program(log, *options, **changes))
    live = LiveProgram(sessions, heard, await sessions.open(spec))
    live.log = log
    if wait:
        await live.ready()
    return live


@contextlib.asynccontextmanager
async def own_program(folder: Path) -> AsyncIterator[tuple[ProgramSession, list[Outcome]]]:
    """A program that takes a prompt, held by the test's own process, and what it observes."""
    outcomes: list[Outcome] = []
    spec, made = SessionSpec("agent-1", str(folder)), program(folder / "log")
    session = ProgramSession(spec, made, folder / "sessions", lambda state: None, outcomes.append)
    try:
        await until(lambda: session.waiting_for is None, "its prompt")
        yield session, outcomes
    finally:
        await session.held.close()

"""Runs one test in several shells, all at the same time: they wait far more than they work."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from dialects import Dialect
from live_shell import Heard, open_shell_of, own_session_of

from kavor.sessions.session import Outcome
from kavor.sessions.terminal.client import TerminalSessions

Test = Callable[..., Awaitable[None]]

_OF_ONE_SHELL = {"dialect", "open_shell", "shell", "own_session", "outcomes", "tmp_path"}
_FOR_EVERY_TEST = {"sessions", "heard", "user_home", "tmp_path"}


def over(*dialects: Dialect) -> Callable[[Test], Test]:
    """Run a test once for each of these shells, at once. What it asks for of one shell, and ``tmp_path``,
    each has of its own; they share one host and the user's home.

    A shell that is not installed is skipped, and said to be.
    """

    def decorate(test: Test) -> Test:
        wanted = set(inspect.signature(test).parameters)

        async def in_all(**fixtures: Any) -> None:
            runs = [_in_one(test, wanted, dialect, fixtures) for dialect in dialects]
            ends = await asyncio.gather(*runs, return_exceptions=True)
            _tell(dict(zip((dialect.name for dialect in dialects), ends, strict=True)))

        in_all.__dict__.update(test.__dict__)
        in_all.__name__, in_all.__doc__, in_all.__module__ = test.__name__, test.__doc__, test.__module__
        names = sorted((wanted - _OF_ONE_SHELL) | _FOR_EVERY_TEST)
        in_all.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
        )
        return in_all

    return decorate


async def _in_one(test: Test, wanted: set[str], dialect: Dialect, fixtures: dict[str, Any]) -> None:
    sessions: TerminalSessions = fixtures["sessions"]
    heard: Heard = fixtures["heard"]
    user_home: Path = fixtures["user_home"]
    folder: Path = fixtures["tmp_path"] / dialect.name
    program = dialect.prepare(folder, user_home)
    open_shell = open_shell_of(sessions, heard, program, folder, f"{dialect.name}-")
    given = {**fixtures, "dialect": dialect, "tmp_path": folder, "open_shell": open_shell}
    if "shell" in wanted:
        given["shell"] = await open_shell()
    if "own_session" not in wanted:
        await test(**{name: given[name] for name in wanted})
        return
    outcomes: list[Outcome] = []
    async with own_session_of(program, folder, outcomes) as own_session:
        given |= {"own_session": own_session, "outcomes": outcomes}
        await test(**{name: given[name] for name in wanted})


def _tell(ends: dict[str, BaseException | None]) -> None:
    skipped = [f"{shell}: {end}" for shell, end in ends.items() if isinstance(end, pytest.skip.Exception)]
    failed = {
        shell: end
        for shell, end in ends.items()
        if end is not None and not isinstance(end, pytest.skip.Exception)
    }
    for shell, end in failed.items():
        end.add_note(f"in {shell}; failed in: {', '.join(failed)}")
    for end in failed.values():
        raise end
    if skipped:
        pytest.skip(f"{'; '.join(skipped)}; the other shells passed")

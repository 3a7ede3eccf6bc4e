"""One look at a screen, from its recording, by an engine in a process that lives for this look alone."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from kavor.domain.errors import KavorError
from kavor.sessions.terminal.recording import Checkpoint, Resize

LIMIT_SECONDS = 5.0
_IN_ORDER = ("ghostty", "avt")
_FASTEST_FIRST = ("avt", "ghostty")
"""A program waits for the answer, and where the cursor is both know."""


async def screen_text(recording: bytes, sizes: Sequence[Resize], *, whole: bool = False) -> str:
    """The screen's lines; with ``whole``, what has scrolled out of it first, as far as it is recorded.

    Raises KavorError when no engine answers in time. So do the others here.
    """
    return (await _look("everything" if whole else "screen", recording, sizes)).decode()


async def cursor_after(recording: bytes, sizes: Sequence[Resize]) -> tuple[int, int]:
    """The cursor's row and column, from 1."""
    row, column = json.loads(await _look("cursor", recording, sizes, _FASTEST_FIRST))
    return row, column


async def checkpoint_after(recording: bytes, sizes: Sequence[Resize], offset: int) -> Checkpoint:
    """A checkpoint of the screen; ``offset`` is the length of the session's output by now."""
    painted = await _look("checkpoint", recording, sizes)
    return Checkpoint(offset, sizes[-1].columns, sizes[-1].rows, painted)


async def _look(
    what: str, recording: bytes, sizes: Sequence[Resize], engines: Sequence[str] | None = None
) -> bytes:
    """The second engine is asked where the first one died or is not installed."""
    asked = json.dumps([asdict(size) for size in sizes]).encode() + b"\n" + recording
    for engine in engines or _IN_ORDER:
        seen = await _ask(engine, what, asked)
        if seen is not None:
            return seen
    raise KavorError(
        "the screen cannot be shown", "install pyghostty or pyavt; the output itself is in `tail`"
    )


async def _ask(engine: str, what: str, asked: bytes) -> bytes | None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "kavor.sessions.terminal.emulation.look",
        engine,
        what,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd="/",
    )
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            seen, _ = await process.communicate(asked)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return seen if process.returncode == 0 else None

"""A session's screen as text, from its recording, by an engine in a process of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from kavor.domain.errors import KavorError
from kavor.sessions.terminal.recording import Resize

LIMIT_SECONDS = 5.0
_IN_ORDER = ("ghostty", "avt")


async def screen_text(recording: bytes, sizes: Sequence[Resize]) -> str:
    """The screen's lines. The second engine is asked where the first one died or is not installed.

    Raises KavorError when neither answers in time.
    """
    asked = json.dumps([asdict(size) for size in sizes]).encode() + b"\n" + recording
    for engine in _IN_ORDER:
        text = await _ask(engine, asked)
        if text is not None:
            return text
    raise KavorError(
        "the screen cannot be shown", "install pyghostty or pyavt; the output itself is in `tail`"
    )


async def _ask(engine: str, asked: bytes) -> str | None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "kavor.sessions.terminal.engine",
        engine,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd="/",
    )
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            text, _ = await process.communicate(asked)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return text.decode() if process.returncode == 0 else None

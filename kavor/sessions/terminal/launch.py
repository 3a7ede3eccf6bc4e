"""Starting the PTY host, by exec and detached, so that it inherits nothing and outlives who started it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

from kavor.domain.errors import KavorError
from kavor.home import Home

READY_SECONDS = 15.0


async def launch_host(home: Home) -> None:
    """Returns once a host listens for this home, or one that was started at the same time may do so.

    Raises KavorError when it does not come up.
    """
    home.prepare()
    ready, report = os.pipe()
    try:
        process = _start(home, report)
    finally:
        os.close(report)
    try:
        async with asyncio.timeout(READY_SECONDS):
            await _end_or_word(ready)
    except TimeoutError as error:
        raise KavorError("the PTY host did not start in time", f"see {home.host_log}") from error
    finally:
        os.close(ready)
    process.wait()  # it has detached its working half, and ended, before there was anything to read


def _start(home: Home, report: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "kavor.sessions.terminal.host"]
    folders = [str(folder) for folder in (home.data, home.run, home.logs)]
    # Of the session that Kavor itself may run in: not a mark for what this host starts.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KAVOR_SESSION")}
    log = os.open(home.host_log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        return subprocess.Popen(
            [*command, *folders, "--ready-fd", str(report)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=environment,
            pass_fds=(report,),
            start_new_session=True,
        )
    finally:
        os.close(log)


async def _end_or_word(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(descriptor, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(descriptor)

"""Start the runtime on demand, as the first face that needs it does."""

from __future__ import annotations

import fcntl
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import IO

from kavor.api.connection import error_from_problem, open_socket
from kavor.domain.errors import AlreadyRunning, KavorError, Unreachable
from kavor.home import Home, find_home

START_LIMIT_S = 20.0
"""How long a runtime may take from its start until it answers."""

_LONGEST_OUTPUT_LOG = 1024 * 1024


def is_running(home: Home) -> bool:
    """Whether a runtime takes connections on this home's socket."""
    try:
        open_socket(home, timeout_s=START_LIMIT_S).close()
    except OSError:
        return False
    return True


def ensure_runtime(home: Home, environment: Mapping[str, str] = os.environ) -> None:
    """Return once a runtime of this home takes connections; start one, with this environment, if none does.

    Faces that do this at the same moment all end up with the same runtime. Raises what keeps a runtime
    from starting (StorageFailed, HomeUnusable, …), and Unreachable when it is not up within START_LIMIT_S.
    """
    home.check_socket_paths()
    deadline = time.monotonic() + START_LIMIT_S
    while not is_running(home):
        if time.monotonic() > deadline:
            raise Unreachable(
                f"the runtime was not up within {START_LIMIT_S:g} s", f"look into {output_log(home)}"
            )
        home.prepare()
        try:
            _start(home, environment, deadline)
        except AlreadyRunning:
            # Another one holds the lock: it is about to listen, or it is stopping and ours comes next.
            _wait_until_running(home, min(deadline, time.monotonic() + 1))


def output_log(home: Home) -> str:
    """The file that a runtime started on demand has as stdout and stderr."""
    return str(home.logs / "runtime.err")


def wait_until_stopped(home: Home, seconds: float) -> bool:
    """Whether no runtime of this home is left after at most so many seconds: none holds its lock."""
    deadline = time.monotonic() + seconds
    while _is_locked(home):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _is_locked(home: Home) -> bool:
    try:
        with home.lock.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _start(home: Home, environment: Mapping[str, str], deadline: float) -> None:
    """Start a runtime and wait until it is ready. Raises what it could not start for."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as word:
        try:
            with _open_output_log(home) as output:
                runtime = subprocess.Popen(
                    [sys.executable, "-m", "kavor", "runtime", "run", "--ready-fd", str(writing)],
                    cwd="/",
                    env=_environment(home, environment),
                    pass_fds=[writing],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
        finally:
            os.close(writing)
        # A face that outlives the runtime leaves no zombie; one that ends sooner is not held up.
        threading.Thread(target=runtime.wait, daemon=True).start()
        _heed(word, home, deadline)


def _heed(word: IO[bytes], home: Home, deadline: float) -> None:
    if not select.select([word], [], [], max(0.0, deadline - time.monotonic()))[0]:
        raise Unreachable(
            f"the runtime was not up within {START_LIMIT_S:g} s", f"look into {output_log(home)}"
        )
    line = word.readline()
    if not line:
        raise KavorError("the runtime ended as it started", f"its last words are in {output_log(home)}")
    said = json.loads(line)
    if not said.get("ready"):
        raise error_from_problem(said)


def _wait_until_running(home: Home, deadline: float) -> None:
    while not is_running(home) and time.monotonic() < deadline:
        time.sleep(0.02)


def _environment(home: Home, inherited: Mapping[str, str]) -> dict[str, str]:
    environment = dict(inherited)
    if environment.get("KAVOR_HOME") or find_home(environment) != home:
        environment["KAVOR_HOME"] = str(home.data)  # absolute: the runtime runs in another directory
    return environment


def _open_output_log(home: Home) -> IO[bytes]:
    log = open(  # noqa: SIM115 - handed to the caller's with; only open() takes an opener
        output_log(home), "ab", opener=lambda path, flags: os.open(path, flags, 0o600)
    )
    if log.tell() > _LONGEST_OUTPUT_LOG:
        log.truncate(0)
    return log

"""What ``kavor doctor`` looks at: each check says what it found, and what to do where that is not well.

No runtime is started and nothing is created.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from kavor import __version__
from kavor.api.client import Client
from kavor.domain.errors import KavorError, Unreachable
from kavor.domain.zones import load_zone, tzdata_version
from kavor.home import Home
from kavor.host_zone import host_zone_name

OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 35)  # the first with RETURNING
OLDEST_BASH = (4, 4)
FULL_BYTES = 20 * 1024 * 1024
LOW_BYTES = 500 * 1024 * 1024
EARLIEST_CLOCK = 1_767_225_600
"""2026-01-01 in seconds since the epoch: no clock that is right shows less."""


class Verdict(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Check:
    """One finding. ``hint`` says what to do, and is empty only where all is well."""

    name: str
    verdict: Verdict
    message: str
    hint: str = ""


def run_checks(home: Home) -> Iterator[Check]:
    """Every check, one after the other."""
    yield check_python()
    yield check_sqlite()
    yield check_home(home)
    yield check_socket_path(home)
    yield check_disk(home)
    yield check_clock(time.time())
    yield check_zone()
    yield check_bash()
    yield check_pty()
    yield from check_runtime(home)


def check_python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        return Check("python", Verdict.FAIL, version, "install Python 3.11 or newer")
    return Check("python", Verdict.OK, version)


def check_sqlite() -> Check:
    import sqlite3

    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        return Check(
            "sqlite", Verdict.FAIL, sqlite3.sqlite_version, "use a Python built with SQLite 3.35 or newer"
        )
    return Check("sqlite", Verdict.OK, sqlite3.sqlite_version)


def check_home(home: Home) -> Check:
    """Whether the folders can be written, and only by their owner."""
    for folder in dict.fromkeys((home.data, home.run, home.logs)):
        place = _nearest_existing(folder)
        if not place.is_dir():
            return Check("home", Verdict.FAIL, f"{place} is not a folder", "move it away, or set KAVOR_HOME")
        if not os.access(place, os.R_OK | os.W_OK | os.X_OK):
            return Check(
                "home", Verdict.FAIL, f"{place} is not writable", "make it writable, or set KAVOR_HOME"
            )
        mode = stat.S_IMODE(folder.stat().st_mode) if folder.exists() else 0o700
        if mode & 0o077:
            return Check(
                "home",
                Verdict.WARN,
                f"{folder} is open to others (mode {mode:04o})",
                f"chmod 700 {folder}; starting the runtime does it too",
            )
    return Check("home", Verdict.OK, str(home.data) if home.data.exists() else f"{home.data}, not made yet")


def check_socket_path(home: Home) -> Check:
    try:
        home.check_socket_paths()
    except KavorError as error:
        return Check("socket path", Verdict.FAIL, error.message, error.hint)
    return Check("socket path", Verdict.OK, str(home.socket))


def check_disk(home: Home) -> Check:
    free = shutil.disk_usage(_nearest_existing(home.data)).free
    message = f"{free / 1024 / 1024:,.0f} MB free"
    if free < FULL_BYTES:
        return Check("disk", Verdict.FAIL, message, "make room: nothing is delivered that cannot be recorded")
    if free < LOW_BYTES:
        return Check("disk", Verdict.WARN, message, "make room before it is full: then nothing is delivered")
    return Check("disk", Verdict.OK, message)


def check_clock(seconds: float) -> Check:
    """Whether ``seconds`` since the epoch can be the present."""
    shown = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(seconds))
    if seconds < EARLIEST_CLOCK:
        return Check(
            "clock", Verdict.FAIL, f"it shows {shown}, which is past", "set the clock of this machine"
        )
    return Check("clock", Verdict.OK, shown)


def check_zone() -> Check:
    try:
        zone = load_zone(host_zone_name())
    except KavorError as error:
        return Check("zone", Verdict.FAIL, error.message, error.hint)
    return Check("zone", Verdict.OK, f"{zone.key} (zone data {tzdata_version()})")


def check_bash() -> Check:
    """Whether a delivery to bash can be made and its end be seen."""
    path = shutil.which("bash")
    if path is None:
        return Check("bash", Verdict.WARN, "not found", "install bash 4.4 or newer to deliver to it")
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return Check("bash", Verdict.WARN, f"{path} does not run: {error}", "mend or install bash")
    found = re.search(r"version (\d+)\.(\d+)\S*", said)
    if found is None:
        return Check("bash", Verdict.WARN, f"{path} does not tell its version", "install bash 4.4 or newer")
    if (int(found[1]), int(found[2])) < OLDEST_BASH:
        return Check(
            "bash", Verdict.WARN, f"{found[0]} is too old", "install bash 4.4 or newer to deliver to it"
        )
    return Check("bash", Verdict.OK, f"{path}, {found[0]}")


def check_pty() -> Check:
    try:
        ends = os.openpty()
    except OSError as error:
        return Check(
            "pty", Verdict.FAIL, f"no pseudo-terminal: {error.strerror}", "mount /dev/pts, or free some"
        )
    for end in ends:
        os.close(end)
    return Check("pty", Verdict.OK, "pseudo-terminals can be opened")


def check_runtime(home: Home) -> Iterator[Check]:
    try:
        status = Client(home).get("/api/runtime")
    except Unreachable as error:
        if home.socket.exists() and not _refuses(error):
            yield Check("runtime", Verdict.FAIL, error.message, error.hint)
        else:
            yield Check("runtime", Verdict.OK, "not running; it starts when it is needed")
        return
    except KavorError as error:
        yield Check("runtime", Verdict.FAIL, error.message, error.hint)
        return
    yield _check_version(status)
    if not status["storage"]["ok"]:
        yield Check(
            "storage", Verdict.FAIL, str(status["storage"]["problem"]), "make room, then restart the runtime"
        )


def _check_version(status: dict[str, Any]) -> Check:
    message = f"process {status['pid']}, version {status['version']}, zone data {status['tzdata']}"
    if (status["version"], status["tzdata"]) != (__version__, tzdata_version()):
        return Check(
            "runtime",
            Verdict.WARN,
            f"{message}; this is version {__version__} with zone data {tzdata_version()}",
            "restart it: kavor runtime stop, kavor runtime start",
        )
    return Check("runtime", Verdict.OK, message)


def _refuses(error: Unreachable) -> bool:
    """Whether nobody listens, as opposed to somebody who does not answer."""
    return isinstance(error.__cause__, FileNotFoundError | ConnectionRefusedError)


def _nearest_existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())

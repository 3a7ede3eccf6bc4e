"""Get the real agents that the tests drive, each in a folder of its own in the user's cache.

    python packaging/real_agents.py opencode claude

They come by npm from whatever registry it is set up for, in the versions of real_agents.toml. One that
cannot be had is named with the reason, and the exit code stays 0: its tests are skipped with the same one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NODE = "node"
"""The entry for those that need a newer Node.js than the machine has."""

INSTALL_LIMIT_S = 600


@dataclass(frozen=True)
class Pin:
    """One agent in one version."""

    name: str
    package: str
    version: str
    node: int
    """The oldest major version of Node.js that it runs with."""

    @property
    def folder(self) -> Path:
        return cache_folder() / f"{self.name}-{self.version}"

    @property
    def programs(self) -> Path:
        return self.folder / "node_modules/.bin"

    @property
    def is_installed(self) -> bool:
        return self.folder.is_dir()

    @property
    def needs(self) -> Sequence[Pin]:
        """What must be installed for it, itself first."""
        return [self] if self.node <= node_version() else [self, pins()[NODE]]


class NotInstalled(Exception):
    """Why an agent cannot be had."""


@cache
def pins() -> Mapping[str, Pin]:
    file = Path(__file__).with_suffix(".toml")
    return {name: Pin(name, **entry) for name, entry in tomllib.loads(file.read_text()).items()}


def agents() -> list[str]:
    """The names of all that there are."""
    return [name for name in pins() if name != NODE]


def cache_folder() -> Path:
    """Shared by every checkout of this user."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if Path(given).is_absolute() else Path.home() / ".cache") / "kavor/agents"


@cache
def node_version() -> int:
    """The major version of the machine's Node.js; 0 where there is none."""
    try:
        told = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
        return int(told.removeprefix("v").partition(".")[0])
    except (OSError, subprocess.CalledProcessError, ValueError):
        return 0


def search_path(pin: Pin) -> list[Path]:
    """The folders that must be ahead on PATH for an agent. Raises NotInstalled."""
    for needed in pin.needs:
        if not needed.is_installed:
            how = f"`make test-agents AGENTS={pin.name}` installs it"
            raise NotInstalled(f"{needed.package} {needed.version} is not installed: {_missing_npm() or how}")
    return [needed.programs for needed in reversed(pin.needs)]


def install(pin: Pin) -> None:
    """With what it needs; what is there already is left alone. Raises NotInstalled."""
    for needed in pin.needs:
        with _only_one_at_a_time(needed):
            if not needed.is_installed:
                _install_one(needed)


def _install_one(pin: Pin) -> None:
    if missing := _missing_npm():
        raise NotInstalled(missing)
    print(f"{pin.name}: installing {pin.package} {pin.version} into {pin.folder}", flush=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{pin.name}-", suffix=".unfinished", dir=cache_folder()))
    try:
        _npm_install(pin, unfinished)
        unfinished.rename(pin.folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _npm_install(pin: Pin, folder: Path) -> None:
    command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--loglevel=error"]
    hurry = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"]
    try:
        ran = subprocess.run(
            [*command, *hurry, f"{pin.package}@{pin.version}"],
            capture_output=True,
            text=True,
            timeout=INSTALL_LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"npm was not done within {INSTALL_LIMIT_S} s") from None
    if ran.returncode != 0:
        raise NotInstalled(f"npm could not get it: {_last_words(ran.stderr)}")


def _missing_npm() -> str:
    return "" if shutil.which("npm") else "npm is not there; install Node.js with npm (nodejs.org has both)"


def _last_words(errors: str) -> str:
    """The line in which npm says what was wrong; the last one names its log."""
    lines = [line.removeprefix("npm error ").strip() for line in errors.splitlines()]
    said = [line for line in lines if line and "complete log" not in line and not line.startswith("code ")]
    return said[0] if said else "it does not say why"


@contextmanager
def _only_one_at_a_time(pin: Pin) -> Iterator[None]:
    cache_folder().mkdir(parents=True, exist_ok=True)
    with (cache_folder() / f"{pin.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(names: Sequence[str]) -> int:
    unknown = [name for name in names if name not in agents()]
    if unknown:
        print(f"there is no agent {', '.join(unknown)}; there are: {', '.join(agents())}", file=sys.stderr)
        return 2
    for pin in (pins()[name] for name in names):
        try:
            install(pin)
            print(f"{pin.name}: {pin.package} {pin.version} is installed")
        except (NotInstalled, OSError) as why:
            print(f"{pin.name}: not installed, and its tests are skipped: {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Find what Kavor needs of the system beside Python packages, and get it where that can be done.

    python3 packaging/system_packages.py run|test

Says nothing when nothing is missing. On Debian and its kin, root gets the packages by apt; anybody else
is told the one line to run, and the exit code is 1. What tests only profit from is got in the same way;
where it stays away, those tests are skipped and the set-up goes on. Elsewhere the libraries are named and
the set-up goes on, except that without ``ensurepip`` no virtual environment can be made. Standard library
only: it runs before anything is installed, and must be readable to a Python that is too old.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

OLDEST_PYTHON = (3, 11)

FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path.home() / ".local/share/fonts",
)


class Need(NamedTuple):
    """One thing the machine must have: the Debian package it is in, its own name, and how to see it."""

    package: str
    name: str
    present: Callable[[], bool]


def library(package: str, soname: str) -> Need:
    """A shared library, present when the dynamic linker finds it."""

    def loads() -> bool:
        try:
            ctypes.CDLL(soname)
        except OSError:
            return False
        return True

    return Need(package, soname, loads)


def program(package: str, name: str) -> Need:
    return Need(package, name, lambda: shutil.which(name) is not None)


def has_ensurepip() -> bool:
    importlib.invalidate_caches()
    return importlib.util.find_spec("ensurepip") is not None


def has_font() -> bool:
    fonts = (path for folder in FONT_FOLDERS for path in folder.rglob("*.[to]t[fc]"))
    return next(fonts, None) is not None


VENV = Need(f"python3.{sys.version_info.minor}-venv", "the ensurepip module", has_ensurepip)

WINDOW = (
    library("libglib2.0-0", "libglib-2.0.so.0"),
    library("libgl1", "libGL.so.1"),
    library("libegl1", "libEGL.so.1"),
    library("libfontconfig1", "libfontconfig.so.1"),
    library("libxkbcommon0", "libxkbcommon.so.0"),
    library("libdbus-1-3", "libdbus-1.so.3"),
    library("libxcb-cursor0", "libxcb-cursor.so.0"),
    library("libxcb-icccm4", "libxcb-icccm.so.4"),
    library("libxcb-keysyms1", "libxcb-keysyms.so.1"),
    library("libxcb-shape0", "libxcb-shape.so.0"),
    library("libxkbcommon-x11-0", "libxkbcommon-x11.so.0"),
    Need("fonts-dejavu-core", "a font", has_font),  # without one, every letter is a box
)
"""What Qt loads at run time on Linux, on a real screen and on none."""

VIRTUAL_SCREEN = (program("xvfb", "Xvfb"),)


SHELLS = (
    program("zsh", "zsh"),
    program("fish", "fish"),
    program("dash", "dash"),
    program("busybox", "busybox"),  # for its ash
    program("less", "less"),
    program("fzf", "fzf"),
    program("direnv", "direnv"),
    program("liquidprompt", "liquidprompt_activate"),
    Need("zsh-autosuggestions", "zsh-autosuggestions", Path("/usr/share/zsh-autosuggestions").is_dir),
    Need(
        "zsh-syntax-highlighting",
        "zsh-syntax-highlighting",
        Path("/usr/share/zsh-syntax-highlighting").is_dir,
    ),
)
"""The shells, plugins and programs that tests of terminals are about. Without one, its tests are skipped."""


def needs(purpose: str) -> tuple[Need, ...]:
    if sys.platform != "linux":
        return (VENV,)
    return (VENV, *WINDOW, *(VIRTUAL_SCREEN if purpose == "test" else ()))


def profits(purpose: str) -> tuple[Need, ...]:
    """What is good to have, and no reason to stop."""
    return SHELLS if purpose == "test" and sys.platform == "linux" else ()


def missing(wanted: Iterable[Need]) -> list[Need]:
    return [need for need in wanted if not need.present()]


def complain(error: str, hint: str) -> None:
    print(f"error: {error}\nhint: {hint}", file=sys.stderr)


def install(packages: list[str]) -> None:
    """By apt, as root, asking nothing. A failure shows as something still missing."""
    print(f"Installing {' '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", *command], env=environment, check=False)


def main(purpose: str) -> int:
    if sys.version_info < OLDEST_PYTHON:
        complain(
            f"Kavor needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}",
            "name another one: make PYTHON=python3.12 …",
        )
        return 1
    lacking = missing(needs(purpose))
    wished = missing(profits(purpose))
    has_apt = shutil.which("apt-get") is not None
    if (lacking or wished) and has_apt and os.geteuid() == 0:
        install([need.package for need in lacking + wished])
        lacking = missing(needs(purpose))
        wished = missing(profits(purpose))
    if wished:
        print(
            f"Tests of {', '.join(need.name for need in wished)} will be skipped: not installed", flush=True
        )
    if not lacking:
        return 0
    names = ", ".join(need.name for need in lacking)
    if has_apt:
        packages = " ".join(need.package for need in lacking)
        complain(f"this machine lacks {names}", f"run  sudo apt-get install -y {packages}")
        return 1
    complain(f"this machine lacks {names}", "install them with the system's package manager")
    return 1 if VENV in lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "run"))

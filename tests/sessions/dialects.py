"""The shells the tests speak to, and how the same thing is said in each of them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import Outcome


@dataclass(frozen=True)
class Dialect:
    """One shell. ``marks_starts`` is false for one that can only be typed to: what it ran is Fired."""

    name: str
    startup_file: str
    marks_starts: bool = True
    loop: str = "for i in 1 2; do\n  echo L$i\ndone"
    unfinished_loop: bytes = b"for i in 1 2; do\r"
    rest_of_loop: bytes = b"echo P$i; done\r"
    own_pid: str = "$$"
    last_status: str = "$?"
    history_file: str = ""
    stopped_job: bytes = b"kill %1\r"

    def program(self, folder: Path) -> str:
        """The program to open; skips the test where it is not installed."""
        name = "busybox" if self.name == "ash" else self.name
        found = shutil.which(name)
        if found is None:
            pytest.skip(f"{name} is not installed")
        if self.name != "ash":
            return found
        link = folder / "ash"
        link.symlink_to(found)
        return str(link)

    def prepare(self, folder: Path, user_home: Path) -> str:
        """Make a folder to work in, and what keeps the shell from asking a new user; the program to open."""
        folder.mkdir(exist_ok=True)
        startup = user_home / self.startup_file
        startup.parent.mkdir(parents=True, exist_ok=True)
        if self.name == "zsh":  # which asks what to put in it
            startup.touch()
        return self.program(folder)

    def assert_ended(self, outcome: Outcome, code: int, command: str = "") -> None:
        """That the outcome says as much about this exit code as this shell lets one know."""
        if not self.marks_starts:
            assert (outcome.state, outcome.exit_code) == (AttemptState.FIRED, None), command
            assert f"$? was {code}" in outcome.diagnostic, command
        else:
            state = AttemptState.FAILED if code else AttemptState.COMPLETED
            assert (outcome.state, outcome.exit_code) == (state, code), (command, outcome)


BASH = Dialect("bash", ".bash_profile")
ZSH = Dialect("zsh", ".zshrc")
FISH = Dialect(
    "fish",
    ".config/fish/config.fish",
    loop="for i in 1 2\n  echo L$i\nend",
    unfinished_loop=b"for i in 1 2\r",
    rest_of_loop=b"echo P$i; end\r",
    own_pid="$fish_pid",
    last_status="$status",
    stopped_job=b"kill -9 (jobs -p)\r",
)
DASH = Dialect("dash", ".profile", marks_starts=False)
ASH = Dialect("ash", ".profile", marks_starts=False)

EVERY = (BASH, ZSH, FISH, DASH, ASH)
WITH_AN_EDITOR = (BASH, ZSH, FISH)
TYPED_TO = (DASH, ASH)

"""``kavor`` as a person runs it: a subprocess on a fresh home, over the real runtime."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kavor.home import Home


@dataclass(frozen=True)
class Answer:
    """What one command printed and ended with."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        assert self.code == 0, self.err
        document = json.loads(self.out)
        assert isinstance(document, dict)
        return document


class Kavor:
    """Runs ``kavor`` with one home, in the zone Europe/Berlin unless told otherwise."""

    def __init__(self, home: Home, user_home: Path) -> None:
        self.home = home
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(user_home),
            "SHELL": shutil.which("bash") or "/bin/sh",
            "LANG": "C.UTF-8",
            "TZ": "Europe/Berlin",
            "KAVOR_HOME": str(home.data),
        }

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "kavor", *arguments]

    def __call__(self, *arguments: str, stdin: str | bytes = "", **environment: str) -> Answer:
        done = subprocess.run(
            self.command(*arguments),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env={**self.environment, **environment},
            timeout=60,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def json(self, *arguments: str, **environment: str) -> dict[str, Any]:
        """The document of a command that must succeed."""
        return self(*arguments, "--json", **environment).json

    def refused(self, code: int, *arguments: str) -> str:
        """What a command says as it refuses with this exit code."""
        answer = self(*arguments)
        assert answer.code == code, answer.out + answer.err
        assert answer.out == ""
        assert answer.err.startswith("error: ")
        assert "\nhint: " in answer.err
        return answer.err

    def until(self, condition: Callable[[], Any], seconds: float = 20) -> Any:
        """What ``condition`` answers once it is true. Fails when it never is."""
        deadline = time.monotonic() + seconds
        while not (answer := condition()):
            assert time.monotonic() < deadline, "the condition never came true"
            time.sleep(0.05)
        return answer

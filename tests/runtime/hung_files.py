"""A file system that does not answer: whoever touches a path on it hangs, on whichever thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_CALLS = ("stat", "lstat", "open", "readlink", "replace", "unlink")


class HungFiles:
    """From `hang` on, every system call with ``name`` in its path waits until `answers` is called."""

    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self._name = name
        self._answers = threading.Event()
        self._answers.set()
        self.hanging: list[str] = []
        """Each call that waited, or still does."""
        self.threads: set[str] = set()
        """Names of the threads that have hung."""
        for call in _CALLS:
            monkeypatch.setattr(os, call, self._hang(getattr(os, call)))

    def hang(self) -> None:
        self._answers.clear()

    def answers(self) -> None:
        self._answers.set()

    async def calls(self) -> int:
        return len(self.hanging)

    def _hang(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def hanging(path: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(path, str | Path) and self._name in Path(path).parts and not self._answers.is_set():
                self.hanging.append(f"{call.__name__} {path}")
                self.threads.add(threading.current_thread().name)
                if not self._answers.wait(60):
                    raise AssertionError(f"nobody let {call.__name__} {path} go on")
            return call(path, *args, **kwargs)

        return hanging

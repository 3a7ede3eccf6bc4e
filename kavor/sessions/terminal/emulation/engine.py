"""The one interface of all emulation engines, and which there are."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from kavor.terminal_frames import Cursor, Modes, Row

SCROLLBACK_BYTES = 16 * 1024 * 1024
"""How much an engine keeps of what has left the screen, in its own form: about 15,000 rows."""

IN_ORDER = ("ghostty", "avt")
"""The engines' names, the one to be preferred first."""


class Engine(Protocol):
    """A terminal without a window. It answers no questions of programs: that is not an engine's to decide.

    Feeding may abort the process; that is why an engine lives in one of its own.
    """

    def feed(self, data: bytes) -> None: ...

    def resize(self, columns: int, lines: int) -> None: ...

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        ...

    def changed_rows(self) -> Iterable[Row]:
        """Rows of the screen that may differ from what the last call gave; each is whole."""
        ...

    @property
    def cursor(self) -> Cursor: ...

    @property
    def modes(self) -> Modes: ...

    @property
    def holds_drawing(self) -> bool:
        """The program is in the middle of a change that shall be seen at once (mode 2026)."""
        ...

    @property
    def title(self) -> str: ...

    @property
    def scrollback(self) -> int:
        """Rows that lie above the screen."""
        ...

    def read_scrollback(self, first: int, count: int) -> Sequence[Row]:
        """Rows above the screen, 0 being the oldest."""
        ...

    def checkpoint(self) -> bytes:
        """Output that gives a new engine of this size the same screen, without the scrollback."""
        ...


class EngineMissing(Exception):
    """This engine is not installed, or not one we can read."""


def make_engine(name: str, columns: int, lines: int) -> Engine:
    """Raises EngineMissing. Only the engine that is asked for is loaded."""
    try:
        module = importlib.import_module(f"kavor.sessions.terminal.emulation.{name}")
    except (ImportError, OSError) as error:
        raise EngineMissing(str(error)) from error
    return cast(Engine, module.make(columns, lines))

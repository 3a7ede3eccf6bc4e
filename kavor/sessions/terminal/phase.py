"""Where a shell is, by its own verified marks."""

from __future__ import annotations

from enum import Enum, auto


class Phase(Enum):
    STARTING = auto()
    PROMPT = auto()
    CONTINUATION = auto()
    RUNNING = auto()
    BETWEEN = auto()
    """A command has ended; the prompt is not there yet."""

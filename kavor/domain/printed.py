"""What a program printed, as text that a person reads elsewhere."""

from __future__ import annotations

import re

_CONTROL_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[PX^_\]].*?(?:\x1b\\|\x07|$)"  # strings: titles, marks, device control
    r"|\x1b[ -/]*[0-~]",  # the short ones
    re.DOTALL,
)


def readable_output(text: str) -> str:
    """What a program printed, without what would steer the terminal it is shown on now."""
    lines = _CONTROL_SEQUENCE.sub("", text).replace("\r\n", "\n").split("\n")
    # Most lines have nothing to leave out, and looking at each of their characters would take its time.
    return "\n".join(line if line.isprintable() else _printable(line) for line in lines)


def _printable(line: str) -> str:
    return "".join(char for char in line if char.isprintable() or char == "\t")

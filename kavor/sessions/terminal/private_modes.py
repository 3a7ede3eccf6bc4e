"""Which DEC private modes a program has set, read from its output; for engines that do not tell."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SWITCH = re.compile(rb"\x1b(?=[c=>]|\[[?!])(?:\[\?([0-9;]{1,64})([hl])|(c)|\[(!)p|([=>]))")
_BEGUN = re.compile(rb"\x1b(?:\[(?:[!?][0-9;]{0,64})?)?\Z")
_LONGEST_BEGUN = 68

KEYPAD = 66
"""DECNKM, also set and reset by ``ESC =`` and ``ESC >``."""
ALTERNATE_SCREENS = (47, 1047, 1049)
_ON_AT_FIRST = (7, 25)


class PrivateModes:
    """Fed with output in any pieces."""

    def __init__(self) -> None:
        self._begun = b""
        self._on: dict[int, bool] = {}

    def feed(self, data: bytes) -> None:
        data = self._begun + data
        if b"\x1b" not in data:
            self._begun = b""
            return
        for numbers, switch, reset, soft_reset, keypad in _SWITCH.findall(data):
            if reset or soft_reset:
                self._on.clear()
            elif keypad:
                self._on[KEYPAD] = keypad == b"="
            else:
                for number in numbers.split(b";"):
                    if number:
                        self._on[int(number)] = switch == b"h"
        begun = _BEGUN.search(data, max(0, len(data) - _LONGEST_BEGUN))
        self._begun = begun[0] if begun else b""

    def is_on(self, number: int) -> bool:
        return self._on.get(number, number in _ON_AT_FIRST)

    @property
    def alternate_screen(self) -> bool:
        return any(map(self.is_on, ALTERNATE_SCREENS))

    @property
    def changed(self) -> Mapping[int, bool]:
        """Those that were ever switched since the last reset, and where they stand."""
        return self._on

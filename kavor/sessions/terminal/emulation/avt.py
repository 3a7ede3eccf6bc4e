"""asciinema's avt: simpler, in Rust without unsafe code, on every platform.

It tells neither title nor modes, so these are read from the output beside it.
"""

from __future__ import annotations

import codecs
import importlib
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from kavor.sessions.terminal.emulation.mode_bits import SYNCHRONIZED_OUTPUT, mode_bits
from kavor.sessions.terminal.private_modes import ALTERNATE_SCREENS, PrivateModes
from kavor.terminal_frames import RGB, UNDERLINE_SHIFT, Attributes, Cursor, Modes, Row, Run, Underline

_avt: Any = importlib.import_module("avt")

_SCROLLBACK_ROWS = 2_000
"""Counting them costs as much as there are."""
_TITLE = re.compile(r"\x1b\][02];([^\x00-\x1f\x7f]{0,1024})(?:\x07|\x1b\\)")
_NO_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)))


def make(columns: int, lines: int) -> Avt:
    return Avt(columns, lines)


class Avt:
    def __init__(self, columns: int, lines: int) -> None:
        self._terminal = _avt.Vt(columns, lines, _SCROLLBACK_ROWS)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._private_modes = PrivateModes()
        self._changed = set(range(lines))
        self._title = ""

    def feed(self, data: bytes) -> None:
        self._private_modes.feed(data)
        text = self._decoder.decode(data)
        changed, _ = self._terminal.feed_str(text)
        self._changed.update(changed)
        if "\x1b]" in text and (titles := _TITLE.findall(text)):
            self._title = titles[-1]

    def resize(self, columns: int, lines: int) -> None:
        self._terminal.resize(columns, lines)
        self._changed = set(range(lines))

    @property
    def size(self) -> tuple[int, int]:
        columns, lines = self._terminal.size
        return int(columns), int(lines)

    def changed_rows(self) -> Iterable[Row]:
        view = self._terminal.view()
        changed, self._changed = self._changed, set()
        return [_row(y, view[y]) for y in sorted(changed) if y < len(view)]

    @property
    def cursor(self) -> Cursor:
        found = self._terminal.cursor
        return Cursor(min(found.col, self.size[0] - 1), found.row, found.visible)

    @property
    def modes(self) -> Modes:
        modes = self._private_modes
        return mode_bits(modes.is_on, alternate_screen=modes.alternate_screen)

    @property
    def holds_drawing(self) -> bool:
        return self._private_modes.is_on(SYNCHRONIZED_OUTPUT)

    @property
    def title(self) -> str:
        return self._title

    @property
    def scrollback(self) -> int:
        return len(self._terminal.lines()) - self.size[1]

    def read_scrollback(self, first: int, count: int) -> Sequence[Row]:
        above = self._terminal.lines()[: -self.size[1]]
        first = max(0, first)
        return [_row(y, line) for y, line in enumerate(above[first : first + count], first)]

    def checkpoint(self) -> bytes:
        switches = "".join(
            f"\x1b[?{number}{'h' if on else 'l'}"
            for number, on in self._private_modes.changed.items()
            if number not in ALTERNATE_SCREENS
        )
        title = self._title.translate(_NO_CONTROLS)
        screen = self._terminal.dump().replace("\x9b", "\x1b[")  # the form in which modes are read from it
        return f"{screen}{switches}\x1b]2;{title}\x1b\\".encode()


def _row(y: int, line: Any) -> Row:
    cells = line.cells
    while cells and cells[-1].is_default():
        cells.pop()
    runs = []
    for (width, foreground, background, attributes), group in groupby((c for c in cells if c.width), _shared):
        text = "".join(cell.char for cell in group)
        runs.append(Run(width * len(text), text, foreground, background, attributes))
    return Row(y, False, runs)


def _shared(cell: Any) -> tuple[int, int, int, int]:
    """The same for neighbours of one run: width, foreground, background, attributes."""
    pen = cell.pen
    attributes = (
        Attributes.BOLD * pen.bold
        | Attributes.FAINT * pen.faint
        | Attributes.ITALIC * pen.italic
        | Attributes.BLINK * pen.blink
        | Attributes.INVERSE * pen.inverse
        | Attributes.STRIKETHROUGH * pen.strikethrough
        | (Underline.SINGLE << UNDERLINE_SHIFT) * pen.underline
    )
    return cell.width, _color(pen.foreground), _color(pen.background), int(attributes)


def _color(color: Any) -> int:
    if color is None:
        return 0
    if isinstance(color, _avt.Color.Indexed):
        return 1 + int(color[0])
    return int(RGB | color[0] << 16 | color[1] << 8 | color[2])

"""libghostty-vt: the most faithful engine, and not safe against every output.

How its cells are packed is the library's own affair, so it is checked before the engine is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kavor.sessions.terminal.emulation.engine import SCROLLBACK_BYTES, EngineMissing
from kavor.sessions.terminal.emulation.ghostty_rows import (
    Grid,
    RowReader,
    check,
    core,
    ffi,
    ghostty,
    lib,
    rgb,
)
from kavor.sessions.terminal.emulation.mode_bits import SYNCHRONIZED_OUTPUT, mode_bits
from kavor.sessions.terminal.emulation.painting import paint
from kavor.terminal_frames import Attributes, Cursor, Modes, Row, Run

_INSERT, _INSERTS = 4, "\x1b[4h"
"""The ANSI mode in which what is written moves the rest of its row."""
_A_SWITCH = b"\x1b[?"
_ENTERS_ALTERNATE_SCREEN = (b"1049h", b"1047h", b"\x1b[?47h")


def make(columns: int, lines: int) -> Ghostty:
    """Raises EngineMissing when the installed library is not the one this module can read."""
    _check_packing()
    return Ghostty(columns, lines)


class Ghostty:
    def __init__(self, columns: int, lines: int) -> None:
        self._terminal: Any = ghostty.Terminal(columns, lines)
        handle = self._terminal._t[0]
        # By bytes alone: a limit of lines costs six times the speed.
        _set(handle, lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_LINES, ffi.NULL)
        limit = ffi.new("size_t*", SCROLLBACK_BYTES)
        _set(handle, lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_BYTES, limit)
        self._handle = handle
        self._reader = RowReader(handle)
        self._rows: dict[int, Row] = {}
        """Of the screen, as last read."""
        self._untold: set[int] = set()
        """Rows that were read since they were last asked for."""
        self._primary_screen = b""
        """What lies under the alternate screen, since a checkpoint tells of the active one alone."""

    def feed(self, data: bytes) -> None:
        if b"?" in data and _A_SWITCH in data and any(switch in data for switch in _ENTERS_ALTERNATE_SCREEN):
            data = self._feed_to_alternate_screen(data)
        self._terminal.feed(data)

    def _feed_to_alternate_screen(self, data: bytes) -> bytes:
        """Feed all before the last switch, keep what the screen was then, and give the rest."""
        last = max(data.rfind(switch) for switch in _ENTERS_ALTERNATE_SCREEN)
        start = data.rfind(_A_SWITCH, 0, last + 1)
        if start > 0:
            self._terminal.feed(data[:start])
            data = data[start:]
        if not self._on_alternate_screen:
            self._primary_screen = self._as_output(with_modes=False)
        return data

    def resize(self, columns: int, lines: int) -> None:
        if (columns, lines) != self.size:  # all rows will count as changed
            self._rows.clear()
            self._untold.clear()
        self._terminal.resize(columns, lines)

    @property
    def size(self) -> tuple[int, int]:
        columns, lines = self._terminal.size
        return int(columns), int(lines)

    def changed_rows(self) -> Iterable[Row]:
        self._read_changed()
        untold, self._untold = self._untold, set()
        return [self._rows[y] for y in sorted(untold)]

    def _read_changed(self) -> None:
        for row in self._reader.changed():
            self._rows[row.y] = row
            self._untold.add(row.y)

    @property
    def cursor(self) -> Cursor:
        return self._reader.cursor()

    @property
    def modes(self) -> Modes:
        return mode_bits(self._terminal.mode, alternate_screen=self._on_alternate_screen)

    @property
    def _on_alternate_screen(self) -> bool:
        active = self._terminal.get("active_screen", "GhosttyTerminalScreen")
        return bool(active == lib.GHOSTTY_TERMINAL_SCREEN_ALTERNATE)

    @property
    def holds_drawing(self) -> bool:
        return bool(self._terminal.mode(SYNCHRONIZED_OUTPUT))

    @property
    def title(self) -> str:
        text = ffi.new("GhosttyString*")
        if lib.ghostty_terminal_get(self._handle, lib.GHOSTTY_TERMINAL_DATA_TITLE, text) or not text.len:
            return ""
        return str(ffi.buffer(text.ptr, text.len)[:].decode(errors="replace"))

    @property
    def scrollback(self) -> int:
        return int(self._terminal.get("scrollback_rows", "size_t"))

    def read_scrollback(self, first: int, count: int) -> Sequence[Row]:
        columns = self.size[0]
        grid = Grid(self._handle)
        return [grid.row(y, columns) for y in range(max(0, first), min(first + count, self.scrollback))]

    def checkpoint(self) -> bytes:
        below = self._primary_screen if self._on_alternate_screen else b""
        title = self.title.translate(_NO_CONTROLS)
        return below + self._as_output() + f"\x1b]2;{title}\x1b\\".encode()

    def _as_output(self, *, with_modes: bool = True) -> bytes:
        columns, lines = self.size
        screen = core.init_sized("GhosttySelection")
        screen.start = self._terminal.ref(0, 0)[0]
        screen.end = self._terminal.ref(columns - 1, lines - 1)[0]
        options = core.init_sized("GhosttyFormatterTerminalOptions")
        options.emit = lib.GHOSTTY_FORMATTER_FORMAT_VT
        options.selection = screen
        for extra in ("modes", "scrolling_region", "tabstops", "pwd", "keyboard"):
            setattr(options.extra, extra, with_modes)
        for extra in ("cursor", "style", "hyperlink", "protection", "kitty_keyboard", "charsets"):
            setattr(options.extra.screen, extra, True)
        formatter = ffi.new("GhosttyFormatter*")
        check(lib.ghostty_formatter_terminal_new(ffi.NULL, formatter, self._handle, options[0]))
        try:
            text: str = core.read_buf(
                lambda buffer, size, written: lib.ghostty_formatter_format_buf(
                    formatter[0], buffer, size, written
                )
            )
        finally:
            lib.ghostty_formatter_free(formatter[0])
        return (text + self._painted()).encode()

    def _painted(self) -> str:
        """The screen once more, since the library's own output gives blanks the style of what is before
        them. Whatever the program has set of origin, characters and insertion is put aside meanwhile."""
        self._read_changed()
        painted = paint(self._rows.get(y, Row(y, False, ())) for y in range(self.size[1]))
        inserts = self._terminal.mode(_INSERT, True)
        return f"\x1b7\x1b[?6l\x1b(B\x0f\x1b[4l{painted}{_INSERTS if inserts else ''}\x1b8"


_NO_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)))


def _set(terminal: Any, option: int, value: Any) -> None:
    check(lib.ghostty_terminal_set(terminal, option, value))


def _check_packing() -> None:
    """Raises EngineMissing unless cells are packed as this module reads them."""
    probe = Ghostty(12, 1)
    probe.feed("a\x1b[1;31mb\x1b[0m漢e\u0301\x1b[48;2;1;2;3m\x1b[K\x1b[44m\x1b[2X".encode())
    rows = list(probe.changed_rows())
    expected = [
        Run(1, "a"),
        Run(1, "b", 2, 0, int(Attributes.BOLD)),
        Run(2, "漢"),
        Run(-1, "e\u0301"),
        Run(2, "  ", 0, 5),
        Run(5, "     ", 0, rgb(1, 2, 3)),
    ]
    if [row.runs for row in rows] != [expected]:
        raise EngineMissing("the installed libghostty-vt packs its cells in another way")

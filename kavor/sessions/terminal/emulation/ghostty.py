"""libghostty-vt: the most faithful engine, and not safe against every output.

Rows are read as the library's packed cells, a row in one call, since a call for each cell costs a hundred
times as much. The packing is the library's own affair, so it is checked before the engine is used.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from kavor.sessions.terminal.emulation.engine import SCROLLBACK_BYTES, EngineMissing
from kavor.sessions.terminal.emulation.mode_bits import SYNCHRONIZED_OUTPUT, mode_bits
from kavor.sessions.terminal.emulation.painting import paint
from kavor.terminal_frames import RGB, UNDERLINE_SHIFT, Attributes, Cursor, CursorShape, Modes, Row, Run

_ghostty: Any = importlib.import_module("pyghostty")
_core: Any = importlib.import_module("pyghostty.core")
_ffi, _lib = _ghostty.ffi, _ghostty.lib

# A packed cell, from its lowest bit: 2 kind of content, 24 content, 16 style, 2 width, 1 protected, 1 linked.
_KIND = 0b11
_CODE_POINT, _GRAPHEME, _PALETTE_BACKGROUND, _RGB_BACKGROUND = range(4)
_CONTENT_SHIFT, _CONTENT = 2, 0xFFFFFF
_STYLE_SHIFT, _STYLE = 26, 0xFFFF
_WIDTH_SHIFT, _WIDTH = 42, 0b11
_WIDE, _BEHIND_WIDE = 1, 2
_TO_WIDE = (_WIDE ^ _BEHIND_WIDE) << _WIDTH_SHIFT
_LINK_SHIFT = 45
_ALIKE = _STYLE << _STYLE_SHIFT | _WIDTH << _WIDTH_SHIFT | 1 << _LINK_SHIFT
"""The bits that neighbours of one run share."""

_SPACE = 0x20
_MOST_OF_A_LINK = 2048
_INSERT, _INSERTS = 4, "\x1b[4h"
"""The ANSI mode in which what is written moves the rest of its row."""
_A_SWITCH = b"\x1b[?"
_ENTERS_ALTERNATE_SCREEN = (b"1049h", b"1047h", b"\x1b[?47h")
_BUILT_IN_ATTRIBUTES = (
    ("bold", Attributes.BOLD),
    ("faint", Attributes.FAINT),
    ("italic", Attributes.ITALIC),
    ("blink", Attributes.BLINK),
    ("inverse", Attributes.INVERSE),
    ("invisible", Attributes.INVISIBLE),
    ("strikethrough", Attributes.STRIKETHROUGH),
    ("overline", Attributes.OVERLINE),
)
_SHAPES = {0: CursorShape.BAR, 1: CursorShape.BLOCK, 2: CursorShape.UNDERLINE, 3: CursorShape.BLOCK}

_Style = tuple[int, int, int, int]
"""Foreground, background, attributes, colour of the underline; as in a run."""
_PLAIN: _Style = (0, 0, 0, 0)


def make(columns: int, lines: int) -> Ghostty:
    """Raises EngineMissing when the installed library is not the one this module can read."""
    _check_packing()
    return Ghostty(columns, lines)


class Ghostty:
    def __init__(self, columns: int, lines: int) -> None:
        self._terminal: Any = _ghostty.Terminal(columns, lines)
        handle = self._terminal._t[0]
        # By bytes alone: a limit of lines costs six times the speed.
        _set(handle, _lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_LINES, _ffi.NULL)
        limit = _ffi.new("size_t*", SCROLLBACK_BYTES)
        _set(handle, _lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_BYTES, limit)
        self._handle = handle
        self._reader = _RowReader(handle)
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
        return bool(active == _lib.GHOSTTY_TERMINAL_SCREEN_ALTERNATE)

    @property
    def holds_drawing(self) -> bool:
        return bool(self._terminal.mode(SYNCHRONIZED_OUTPUT))

    @property
    def title(self) -> str:
        text = _ffi.new("GhosttyString*")
        if _lib.ghostty_terminal_get(self._handle, _lib.GHOSTTY_TERMINAL_DATA_TITLE, text) or not text.len:
            return ""
        return str(_ffi.buffer(text.ptr, text.len)[:].decode(errors="replace"))

    @property
    def scrollback(self) -> int:
        return int(self._terminal.get("scrollback_rows", "size_t"))

    def read_scrollback(self, first: int, count: int) -> Sequence[Row]:
        columns = self.size[0]
        grid = _Grid(self._handle)
        return [grid.row(y, columns) for y in range(max(0, first), min(first + count, self.scrollback))]

    def checkpoint(self) -> bytes:
        below = self._primary_screen if self._on_alternate_screen else b""
        title = self.title.translate(_NO_CONTROLS)
        return below + self._as_output() + f"\x1b]2;{title}\x1b\\".encode()

    def _as_output(self, *, with_modes: bool = True) -> bytes:
        columns, lines = self.size
        screen = _core.init_sized("GhosttySelection")
        screen.start = self._terminal.ref(0, 0)[0]
        screen.end = self._terminal.ref(columns - 1, lines - 1)[0]
        options = _core.init_sized("GhosttyFormatterTerminalOptions")
        options.emit = _lib.GHOSTTY_FORMATTER_FORMAT_VT
        options.selection = screen
        for extra in ("modes", "scrolling_region", "tabstops", "pwd", "keyboard"):
            setattr(options.extra, extra, with_modes)
        for extra in ("cursor", "style", "hyperlink", "protection", "kitty_keyboard", "charsets"):
            setattr(options.extra.screen, extra, True)
        formatter = _ffi.new("GhosttyFormatter*")
        _check(_lib.ghostty_formatter_terminal_new(_ffi.NULL, formatter, self._handle, options[0]))
        try:
            text: str = _core.read_buf(
                lambda buffer, size, written: _lib.ghostty_formatter_format_buf(
                    formatter[0], buffer, size, written
                )
            )
        finally:
            _lib.ghostty_formatter_free(formatter[0])
        return (text + self._painted()).encode()

    def _painted(self) -> str:
        """The screen once more, since the library's own output gives blanks the style of what is before
        them. Whatever the program has set of origin, characters and insertion is put aside meanwhile."""
        self._read_changed()
        painted = paint(self._rows.get(y, Row(y, False, ())) for y in range(self.size[1]))
        inserts = self._terminal.mode(_INSERT, True)
        return f"\x1b7\x1b[?6l\x1b(B\x0f\x1b[4l{painted}{_INSERTS if inserts else ''}\x1b8"


_NO_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)))


class _RowReader:
    """Reads what has changed on the screen through the library's render state."""

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal
        self._grid = _Grid(terminal)
        self._state = _ffi.new("GhosttyRenderState*")
        self._rows = _ffi.new("GhosttyRenderStateRowIterator*")
        _check(_lib.ghostty_render_state_new(_ffi.NULL, self._state))
        _check(_lib.ghostty_render_state_row_iterator_new(_ffi.NULL, self._rows))
        self._y = _ffi.new("uint16_t*")
        self._view = _ffi.new("GhosttyCellsView*")
        self._raw_row = _ffi.new("GhosttyRow*")
        self._cursor = _core.init_sized("GhosttyRenderStateCursor")

    def changed(self) -> Iterator[Row]:
        state, rows = self._state[0], self._rows
        self._grid.forget()
        _check(_lib.ghostty_render_state_update(state, self._terminal))
        _check(_lib.ghostty_render_state_get(state, _lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, rows))
        while _lib.ghostty_render_state_row_iterator_next_dirty(rows[0], self._y):
            yield self._row(self._y[0])
        _check(_lib.ghostty_render_state_clean(state))

    def cursor(self) -> Cursor:
        """As of the last `changed`."""
        found = self._cursor
        _check(_lib.ghostty_render_state_get(self._state[0], _lib.GHOSTTY_RENDER_STATE_DATA_CURSOR, found))
        return Cursor(
            found.viewport_x, found.viewport_y, found.visible, _SHAPES[found.visual_style], found.blinking
        )

    def _row(self, y: int) -> Row:
        row = self._rows[0]
        _check(
            _lib.ghostty_render_state_row_get(row, _lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, self._view)
        )
        _check(_lib.ghostty_render_state_row_get(row, _lib.GHOSTTY_RENDER_STATE_ROW_DATA_RAW, self._raw_row))
        cells = memoryview(_ffi.buffer(self._view.ptr, 8 * self._view.len)).cast("Q").tolist()
        self._grid.go_to(y, _lib.GHOSTTY_POINT_TAG_ACTIVE)
        return Row(y, self._grid.wraps(self._raw_row[0]), _runs(cells, self._grid))


class _Grid:
    """Cells by their place: for what packed cells do not tell, and for the scrollback.

    One row at a time; what it knows is true until the terminal is fed again.
    """

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal
        self._find = _core.union_fn(
            "ghostty_terminal_grid_ref", "GhosttyResult(*)(GhosttyTerminal, GhosttyPointS, GhosttyGridRef*)"
        )
        self._point = _ffi.new("GhosttyPointS*")
        self._found = _core.init_sized("GhosttyGridRef")
        self._style = _core.init_sized("GhosttyStyle")
        self._cell = _ffi.new("GhosttyCell*")
        self._row = _ffi.new("GhosttyRow*")
        self._flag = _ffi.new("bool*")
        self._styles: dict[tuple[int, int], _Style] = {}
        self._page = 0
        self._stands = False

    def forget(self) -> None:
        """The terminal has been fed since."""
        self._styles.clear()

    def go_to(self, y: int, place: int) -> None:
        self._point.tag = place
        self._point.value.y = y
        self._stands = False

    def row(self, y: int, columns: int) -> Row:
        """Row ``y`` of scrollback and screen together."""
        self.go_to(y, _lib.GHOSTTY_POINT_TAG_SCREEN)
        cells = []
        for x in range(columns):
            if _lib.ghostty_grid_ref_cell(self._at(x), self._cell):
                break  # a row of the scrollback may be shorter than the screen is by now
            cells.append(self._cell[0])
        _check(_lib.ghostty_grid_ref_row(self._at(0), self._row))
        return Row(y, self.wraps(self._row[0]), _runs(cells, self))

    def wraps(self, row: int) -> bool:
        _check(_lib.ghostty_row_get(row, _lib.GHOSTTY_ROW_DATA_WRAP, self._flag))
        return bool(self._flag[0])

    def style_at(self, x: int, number: int) -> _Style:
        at = self._at(x)
        known = self._styles.get((self._page, number))  # numbers count anew in each page of the library
        if known is None:
            _check(_lib.ghostty_grid_ref_style(at, self._style))
            known = self._styles[self._page, number] = _style(self._style)
        return known

    def grapheme_at(self, x: int) -> str:
        length = _ffi.new("size_t*")
        _lib.ghostty_grid_ref_graphemes(self._at(x), _ffi.NULL, 0, length)
        code_points = _ffi.new("uint32_t[]", max(1, length[0]))
        _check(_lib.ghostty_grid_ref_graphemes(self._at(x), code_points, length[0], length))
        return "".join(map(chr, code_points[0 : length[0]]))

    def link_at(self, x: int) -> str:
        address, length = _ffi.new("uint8_t[]", _MOST_OF_A_LINK), _ffi.new("size_t*")
        if _lib.ghostty_grid_ref_hyperlink_uri(self._at(x), address, _MOST_OF_A_LINK, length):
            return ""
        return str(_ffi.buffer(address, length[0])[:].decode(errors="replace"))

    def _at(self, x: int) -> Any:
        if not self._stands:
            _check(self._find(self._terminal, self._point[0], self._found))
            self._page = int(_ffi.cast("uintptr_t", self._found.node))
            self._stands = True
        self._found.x = x
        return self._found


def _runs(cells: Sequence[int], details: _Grid) -> list[Run]:
    """Cells of one row, as runs; blank ones at its end left out."""
    end = len(cells)
    while end and not cells[end - 1]:
        end -= 1
    runs: list[Run] = []
    x = 0
    for shared, group in groupby(cells[:end], _shared):
        alike = list(group)
        runs += _runs_of_one_style(shared, alike, x, details)
        x += len(alike)
    return runs


def _shared(cell: int) -> int:
    """The same for neighbours of one style. Each grapheme of several code points is alone."""
    if cell & _KIND:
        return cell
    shared = cell & _ALIKE
    return shared ^ _TO_WIDE if shared >> _WIDTH_SHIFT & _WIDTH == _BEHIND_WIDE else shared


def _runs_of_one_style(shared: int, cells: Sequence[int], x: int, details: _Grid) -> Iterator[Run]:
    number = shared >> _STYLE_SHIFT & _STYLE
    style = details.style_at(x, number) if number else _PLAIN
    link = details.link_at(x) if shared >> _LINK_SHIFT & 1 else ""
    kind = shared & _KIND
    is_wide = shared >> _WIDTH_SHIFT & _WIDTH == _WIDE
    if kind == _CODE_POINT:
        if is_wide:
            cells = [cell for cell in cells if cell >> _WIDTH_SHIFT & _WIDTH == _WIDE]
        if cells:  # else they lie behind a wide grapheme
            text = "".join([chr(cell >> _CONTENT_SHIFT & _CONTENT or _SPACE) for cell in cells])
            yield Run((1 + is_wide) * len(cells), text, *style, link)
    elif kind == _GRAPHEME:
        for place in range(x, x + len(cells)):
            yield Run(-1 - is_wide, details.grapheme_at(place), *style, link)
    else:
        yield Run(len(cells), " " * len(cells), 0, _background(kind, shared), 0, 0, link)


def _background(kind: int, cell: int) -> int:
    content = cell >> _CONTENT_SHIFT & _CONTENT
    if kind == _PALETTE_BACKGROUND:
        return 1 + (content & 0xFF)
    return _rgb(content & 0xFF, content >> 8 & 0xFF, content >> 16)


def _style(style: Any) -> _Style:
    attributes = sum(bit for name, bit in _BUILT_IN_ATTRIBUTES if getattr(style, name))
    attributes |= style.underline << UNDERLINE_SHIFT
    return (
        _color(style.fg_color),
        _color(style.bg_color),
        int(attributes),
        _color(style.underline_color),
    )


def _color(color: Any) -> int:
    if color.tag == _lib.GHOSTTY_STYLE_COLOR_PALETTE:
        return 1 + int(color.value.palette)
    if color.tag == _lib.GHOSTTY_STYLE_COLOR_RGB:
        return _rgb(color.value.rgb.r, color.value.rgb.g, color.value.rgb.b)
    return 0


def _rgb(red: int, green: int, blue: int) -> int:
    return RGB | red << 16 | green << 8 | blue


def _check(result: int) -> None:
    _core.check(result, "libghostty-vt")


def _set(terminal: Any, option: int, value: Any) -> None:
    _check(_lib.ghostty_terminal_set(terminal, option, value))


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
        Run(5, "     ", 0, _rgb(1, 2, 3)),
    ]
    if [row.runs for row in rows] != [expected]:
        raise EngineMissing("the installed libghostty-vt packs its cells in another way")

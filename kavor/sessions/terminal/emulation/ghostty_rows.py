"""Rows of libghostty-vt's screen and scrollback, out of its packed cells.

A row is read in one call, since a call for each cell costs a hundred times as much. The packing is the
library's own affair; :mod:`kavor.sessions.terminal.emulation.ghostty` checks it before it is used.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from kavor.terminal_frames import RGB, UNDERLINE_SHIFT, Attributes, Cursor, CursorShape, Row, Run

ghostty: Any = importlib.import_module("pyghostty")
core: Any = importlib.import_module("pyghostty.core")
ffi, lib = ghostty.ffi, ghostty.lib

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


class RowReader:
    """Reads what has changed on the screen through the library's render state."""

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal
        self._grid = Grid(terminal)
        self._state = ffi.new("GhosttyRenderState*")
        self._rows = ffi.new("GhosttyRenderStateRowIterator*")
        check(lib.ghostty_render_state_new(ffi.NULL, self._state))
        check(lib.ghostty_render_state_row_iterator_new(ffi.NULL, self._rows))
        self._y = ffi.new("uint16_t*")
        self._view = ffi.new("GhosttyCellsView*")
        self._raw_row = ffi.new("GhosttyRow*")
        self._cursor = core.init_sized("GhosttyRenderStateCursor")

    def changed(self) -> Iterator[Row]:
        state, rows = self._state[0], self._rows
        self._grid.forget()
        check(lib.ghostty_render_state_update(state, self._terminal))
        check(lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, rows))
        while lib.ghostty_render_state_row_iterator_next_dirty(rows[0], self._y):
            yield self._row(self._y[0])
        check(lib.ghostty_render_state_clean(state))

    def cursor(self) -> Cursor:
        """As of the last `changed`."""
        found = self._cursor
        check(lib.ghostty_render_state_get(self._state[0], lib.GHOSTTY_RENDER_STATE_DATA_CURSOR, found))
        return Cursor(
            found.viewport_x, found.viewport_y, found.visible, _SHAPES[found.visual_style], found.blinking
        )

    def _row(self, y: int) -> Row:
        row = self._rows[0]
        check(lib.ghostty_render_state_row_get(row, lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, self._view))
        check(lib.ghostty_render_state_row_get(row, lib.GHOSTTY_RENDER_STATE_ROW_DATA_RAW, self._raw_row))
        cells = memoryview(ffi.buffer(self._view.ptr, 8 * self._view.len)).cast("Q").tolist()
        self._grid.go_to(y, lib.GHOSTTY_POINT_TAG_ACTIVE)
        return Row(y, self._grid.wraps(self._raw_row[0]), _runs(cells, self._grid))


class Grid:
    """Cells by their place: for what packed cells do not tell, and for the scrollback.

    One row at a time; what it knows is true until the terminal is fed again.
    """

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal
        self._find = core.union_fn(
            "ghostty_terminal_grid_ref", "GhosttyResult(*)(GhosttyTerminal, GhosttyPointS, GhosttyGridRef*)"
        )
        self._point = ffi.new("GhosttyPointS*")
        self._found = core.init_sized("GhosttyGridRef")
        self._style = core.init_sized("GhosttyStyle")
        self._cell = ffi.new("GhosttyCell*")
        self._row = ffi.new("GhosttyRow*")
        self._flag = ffi.new("bool*")
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
        self.go_to(y, lib.GHOSTTY_POINT_TAG_SCREEN)
        cells = []
        for x in range(columns):
            if lib.ghostty_grid_ref_cell(self._at(x), self._cell):
                break  # a row of the scrollback may be shorter than the screen is by now
            cells.append(self._cell[0])
        check(lib.ghostty_grid_ref_row(self._at(0), self._row))
        return Row(y, self.wraps(self._row[0]), _runs(cells, self))

    def wraps(self, row: int) -> bool:
        check(lib.ghostty_row_get(row, lib.GHOSTTY_ROW_DATA_WRAP, self._flag))
        return bool(self._flag[0])

    def style_at(self, x: int, number: int) -> _Style:
        at = self._at(x)
        known = self._styles.get((self._page, number))  # numbers count anew in each page of the library
        if known is None:
            check(lib.ghostty_grid_ref_style(at, self._style))
            known = self._styles[self._page, number] = _style(self._style)
        return known

    def grapheme_at(self, x: int) -> str:
        length = ffi.new("size_t*")
        lib.ghostty_grid_ref_graphemes(self._at(x), ffi.NULL, 0, length)
        code_points = ffi.new("uint32_t[]", max(1, length[0]))
        check(lib.ghostty_grid_ref_graphemes(self._at(x), code_points, length[0], length))
        return "".join(map(chr, code_points[0 : length[0]]))

    def link_at(self, x: int) -> str:
        address, length = ffi.new("uint8_t[]", _MOST_OF_A_LINK), ffi.new("size_t*")
        if lib.ghostty_grid_ref_hyperlink_uri(self._at(x), address, _MOST_OF_A_LINK, length):
            return ""
        return str(ffi.buffer(address, length[0])[:].decode(errors="replace"))

    def _at(self, x: int) -> Any:
        if not self._stands:
            check(self._find(self._terminal, self._point[0], self._found))
            self._page = int(ffi.cast("uintptr_t", self._found.node))
            self._stands = True
        self._found.x = x
        return self._found


def _runs(cells: Sequence[int], details: Grid) -> list[Run]:
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


def _runs_of_one_style(shared: int, cells: Sequence[int], x: int, details: Grid) -> Iterator[Run]:
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
    return rgb(content & 0xFF, content >> 8 & 0xFF, content >> 16)


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
    if color.tag == lib.GHOSTTY_STYLE_COLOR_PALETTE:
        return 1 + int(color.value.palette)
    if color.tag == lib.GHOSTTY_STYLE_COLOR_RGB:
        return rgb(color.value.rgb.r, color.value.rgb.g, color.value.rgb.b)
    return 0


def rgb(red: int, green: int, blue: int) -> int:
    return RGB | red << 16 | green << 8 | blue


def check(result: int) -> None:
    core.check(result, "libghostty-vt")

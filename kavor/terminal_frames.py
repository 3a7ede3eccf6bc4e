"""The messages of a terminal's stream, as the engine, the runtime and a viewer exchange them.

Each message is one MessagePack document. docs/terminal-stream.md describes them for other languages; this
module is what both ends here encode and decode with, so that there is one place for the format.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, IntFlag

import msgspec

FRAMES_IN_FLIGHT = 2
"""The most frames a viewer lets the engine send before it has drawn one."""

RGB = 0x1000000
"""A colour is 0 for the default one, 1 to 256 for the palette's 0 to 255, or ``RGB | 0xRRGGBB``."""


class Attributes(IntFlag):
    """How a run is drawn, beside its colours. The underline's style is a number in three bits."""

    BOLD = 1
    FAINT = 2
    ITALIC = 4
    BLINK = 8
    INVERSE = 16
    INVISIBLE = 32
    STRIKETHROUGH = 64
    OVERLINE = 128


UNDERLINE_SHIFT = 8
"""``attributes >> UNDERLINE_SHIFT`` is an `Underline`."""


class Underline(IntEnum):
    NONE = 0
    SINGLE = 1
    DOUBLE = 2
    CURLY = 3
    DOTTED = 4
    DASHED = 5


class Modes(IntFlag):
    """What the program has switched on that changes how a viewer draws, or what it sends as input."""

    ALTERNATE_SCREEN = 1
    APPLICATION_CURSOR = 2
    APPLICATION_KEYPAD = 4
    BRACKETED_PASTE = 8
    FOCUS_REPORTS = 16
    MOUSE_PRESS = 32
    """Mouse mode 9: presses only."""
    MOUSE_BUTTONS = 64
    """1000: presses, releases and the wheel."""
    MOUSE_DRAG = 128
    """1002: and motion while a button is held."""
    MOUSE_MOTION = 256
    """1003: and every motion."""
    MOUSE_SGR = 512
    """1006: the mouse is reported in the SGR form; else in the old one."""
    ALTERNATE_SCROLL = 1024
    """1007: on the alternate screen the wheel sends cursor keys."""
    REVERSE_VIDEO = 2048


ANY_MOUSE = Modes.MOUSE_PRESS | Modes.MOUSE_BUTTONS | Modes.MOUSE_DRAG | Modes.MOUSE_MOTION


class CursorShape(IntEnum):
    BLOCK = 0
    UNDERLINE = 1
    BAR = 2


class Run(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Neighbouring cells of one style.

    ``cells`` above zero: each character of ``text`` has its own cell, or each has two (a wide one), so that
    ``cells`` is the number of characters or twice that. Below zero: all of ``text`` is one grapheme over
    ``-cells`` cells.
    """

    cells: int
    text: str
    foreground: int = 0
    background: int = 0
    attributes: int = 0
    underline_color: int = 0
    link: str = ""
    """The address of a hyperlink (OSC 8)."""

    @property
    def width(self) -> int:
        """In cells."""
        return abs(self.cells)


class Row(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One row of the screen; what lies behind its last run is blank in the default style."""

    y: int
    """From 0, the top. In scrollback, from the oldest row that is kept."""
    wraps: bool
    """The line goes on in the next row: copying joins them."""
    runs: Sequence[Run]

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


class Cursor(msgspec.Struct, array_like=True, frozen=True, gc=False):
    x: int = 0
    y: int = 0
    visible: bool = True
    shape: CursorShape = CursorShape.BLOCK
    blinks: bool = False


# --- what the engine sends


class Frame(msgspec.Struct, tag="frame", omit_defaults=True, frozen=True):
    """The screen's changes since the frame before. Takes one credit."""

    number: int
    columns: int
    lines: int
    cursor: Cursor
    modes: int = 0
    scrollback: int = 0
    """Rows that lie above the screen."""
    full: bool = False
    """Every row is here: forget those of before. So is the first frame, and one after a restart."""
    title: str | None = None
    """None: unchanged."""
    rows: Sequence[Row] = ()


class Scrollback(msgspec.Struct, tag="scrollback", omit_defaults=True, frozen=True):
    """The answer to ReadScrollback: the rows asked for, as far as they are kept."""

    request: int
    total: int
    """Rows that lie above the screen; row 0 is the oldest."""
    rows: Sequence[Row] = ()


class Ended(msgspec.Struct, tag="ended", omit_defaults=True, frozen=True):
    """The session is over; its last screen was sent before. Nothing follows."""

    reason: str = ""


class Problem(msgspec.Struct, tag="problem", omit_defaults=True, frozen=True):
    """Something could not be done, in words for a person. The stream goes on unless it is closed."""

    message: str
    hint: str = ""


FromEngine = Frame | Scrollback | Ended | Problem


# --- what a viewer sends


class Credit(msgspec.Struct, tag="credit", frozen=True):
    """So many frames more may be sent. A viewer begins with none."""

    frames: int = 1


class ReadScrollback(msgspec.Struct, tag="read-scrollback", frozen=True):
    """Rows ``first`` to ``first + count - 1`` of what lies above the screen, row 0 being the oldest."""

    request: int
    first: int
    count: int


class Input(msgspec.Struct, tag="input", frozen=True):
    """Bytes as if typed: keys, a paste, the mouse, already in the form that the modes ask for."""

    data: bytes


class Resize(msgspec.Struct, tag="resize", frozen=True):
    """The screen shall have this size, for all who look."""

    columns: int
    lines: int


FromViewer = Credit | ReadScrollback | Input | Resize

encode = msgspec.msgpack.Encoder().encode
decode_from_engine = msgspec.msgpack.Decoder(FromEngine).decode
"""Raises msgspec.DecodeError (a ValueError) for what is no message of the engine."""
decode_from_viewer = msgspec.msgpack.Decoder(FromViewer).decode
"""Raises msgspec.DecodeError (a ValueError) for what is no message of a viewer."""

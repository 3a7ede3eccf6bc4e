"""Rows of a screen as output that paints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from kavor.terminal_frames import RGB, UNDERLINE_SHIFT, Attributes, Row, Run

_CODES = {
    Attributes.BOLD: "1",
    Attributes.FAINT: "2",
    Attributes.ITALIC: "3",
    Attributes.BLINK: "5",
    Attributes.INVERSE: "7",
    Attributes.INVISIBLE: "8",
    Attributes.STRIKETHROUGH: "9",
    Attributes.OVERLINE: "53",
}


def paint(rows: Iterable[Row]) -> str:
    """Each row where its ``y`` says, from 0 at the top. The cursor and the style are left anywhere."""
    return "".join(f"\x1b[{row.y + 1}H\x1b[m\x1b[K{''.join(map(_paint_run, row.runs))}" for row in rows)


def _paint_run(run: Run) -> str:
    style = _style(int(run.attributes), run.foreground, run.background, run.underline_color)
    text = style + run.text
    return f"\x1b]8;;{run.link}\x1b\\{text}\x1b]8;;\x1b\\" if run.link else text


@lru_cache(maxsize=1024)  # a screen has few styles and many runs
def _style(attributes: int, foreground: int, background: int, underline_color: int) -> str:
    return f"\x1b[{';'.join(['0', *_codes(attributes, foreground, background, underline_color)])}m"


def _codes(attributes: int, foreground: int, background: int, underline_color: int) -> Iterator[str]:
    for attribute, code in _CODES.items():
        if attributes & attribute:
            yield code
    if underline := attributes >> UNDERLINE_SHIFT:
        yield f"4:{underline}"
    for place, color in ((38, foreground), (48, background), (58, underline_color)):
        if color & RGB:
            yield f"{place}:2::{color >> 16 & 0xFF}:{color >> 8 & 0xFF}:{color & 0xFF}"
        elif color:
            yield f"{place}:5:{color - 1}"

"""A stretch of text that a person marks in a terminal: by characters, words or lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from kavor.canvas.terminal.row_cells import cells_of
from kavor.terminal_frames import Row

ReadRow = Callable[[int], Row]
"""The row of a number, counted from the oldest above the screen."""

_ALSO_IN_WORDS = frozenset("_-./~:@%+#?&=,")
"""Beside letters and digits: what paths and addresses have."""


class Unit(Enum):
    CHARACTER = 1
    WORD = 2
    LINE = 3


@dataclass(frozen=True, order=True)
class Spot:
    """A cell: the number of its row, and its column."""

    row: int
    column: int


@dataclass(frozen=True)
class Selection:
    """From where the hand pressed to where it is; both cells belong to it."""

    anchor: Spot
    head: Spot
    unit: Unit
    columns: int

    def stretch(self, read: ReadRow) -> tuple[Spot, Spot]:
        """The first and last cell, widened to whole words or lines."""
        first, last = sorted((self.anchor, self.head))
        match self.unit:
            case Unit.LINE:
                return Spot(first.row, 0), Spot(last.row, self.columns - 1)
            case Unit.WORD:
                return (
                    Spot(first.row, word_at(cells_of(read(first.row), self.columns), first.column)[0]),
                    Spot(last.row, word_at(cells_of(read(last.row), self.columns), last.column)[1]),
                )
            case _:
                return first, last

    def columns_in(self, row: int, read: ReadRow) -> tuple[int, int] | None:
        """The first and last column that is marked in a row."""
        first, last = self.stretch(read)
        if not first.row <= row <= last.row:
            return None
        left = first.column if row == first.row else 0
        right = last.column if row == last.row else self.columns - 1
        return left, right

    def text(self, read: ReadRow) -> str:
        """As it would be pasted: a line that goes on in the next row is one line, blanks at ends are cut."""
        first, last = self.stretch(read)
        text = ""
        for number in range(first.row, last.row + 1):
            marked = self.columns_in(number, read)
            assert marked is not None
            row = read(number)
            part = "".join(cells_of(row, self.columns)[marked[0] : marked[1] + 1])
            if row.wraps and number < last.row:
                text += part
            else:
                text += part.rstrip() + ("\n" if number < last.row else "")
        return text


def word_at(cells: list[str], column: int) -> tuple[int, int]:
    """The first and last column of the word, or of the run of blanks or of one sign, at a column."""
    column = max(0, min(column, len(cells) - 1))
    kind = _kind(cells, column)
    first = last = column
    while first > 0 and _kind(cells, first - 1) == kind:
        first -= 1
    while last + 1 < len(cells) and _kind(cells, last + 1) == kind:
        last += 1
    return first, last


def _kind(cells: list[str], column: int) -> str:
    while column > 0 and not cells[column]:  # the second half of a wide character
        column -= 1
    text = cells[column]
    if text.isspace():
        return "blank"
    if text[:1].isalnum() or text in _ALSO_IN_WORDS:
        return "word"
    return text

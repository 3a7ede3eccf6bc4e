"""The cells of a row: which text stands in each, and back from cells to text."""

from __future__ import annotations

from collections.abc import Iterator

from kavor.terminal_frames import Row, Run


def graphemes(run: Run) -> Iterator[tuple[str, int]]:
    """Each with the number of cells it has."""
    if run.cells < 0:
        yield run.text, -run.cells
        return
    width = run.cells // len(run.text) if run.text else 1
    for character in run.text:
        yield character, width


def cells_of(row: Row, columns: int) -> list[str]:
    """The text of each cell; a wide one is followed by an empty text, and blank ones are spaces."""
    cells: list[str] = []
    for run in row.runs:
        for text, width in graphemes(run):
            cells.append(text)
            cells += [""] * (width - 1)
    cells += [" "] * (columns - len(cells))
    return cells

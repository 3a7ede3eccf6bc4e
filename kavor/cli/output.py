"""How answers look to a person: one table, one card, and the signs beside the words."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

import click

_SIGNS = {
    "Pending": "…",
    "Delivering": "→",
    "Completed": "✓",
    "Needs attention": "!",
    "Fired": "•",
    "Failed": "✗",
    "Interrupted": "↯",
    "Blocked": "⊘",
    "Missed": "○",
    "Coalesced": "≈",
    "Running": "▶",
    "Paused": "‖",
}


def signed(state: str) -> str:
    """A state with its sign before the word: ``✓ Completed``."""
    return f"{_SIGNS.get(state, '?')} {state}"


def plain(value: object) -> str:
    """A value as one line of text that cannot steer the terminal; nothing is an empty cell."""
    if value is None:
        return ""
    return "".join(char if char.isprintable() else " " for char in str(value))


def first_line(text: str, longest: int = 80) -> str:
    """The beginning of a text, on one line."""
    line = plain(text.strip().partition("\n")[0])
    return line if line == text.strip() and len(line) <= longest else line[: longest - 1] + "…"


_LONGEST_UNBROKEN = 20
"""Words in a table on a terminal are broken only where they are longer than this."""

_GAP = 2
"""Blanks between columns."""


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str) -> None:
    """Rows under their columns: fitted to the terminal, or plain aligned text where the output is read by
    a program. Without rows, the sentence ``empty``."""
    cells = [[plain(value) for value in row] for row in rows]
    if not cells:
        click.echo(empty)
    elif sys.stdout.isatty():
        _print_fitted(columns, cells)
    else:
        _print_aligned(columns, cells)


def print_facts(title: str, facts: Mapping[str, object]) -> None:
    """One thing as a card: its title, then a line for each fact that is known. A fact of several lines is
    indented as one block."""
    click.echo(title)
    width = max(map(len, facts), default=0)
    for name, value in facts.items():
        lines = [plain(line) for line in str(value).splitlines()] if value not in (None, "") else []
        for number, line in enumerate(lines):
            click.echo(f"  {name if number == 0 else '':<{width}}  {line}".rstrip())


def show_counts(counts: Mapping[str, int]) -> str:
    """``3 Running, 1 Paused``."""
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _print_aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = [list(columns), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        line = (" " * _GAP).join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def _print_fitted(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Without the columns that say nothing; where even so there is no room, each row as a card."""
    telling = [(name, cells) for name, *cells in zip(columns, *rows, strict=True) if any(cells)]
    widths = _fit(telling, shutil.get_terminal_size().columns)
    if widths is None:
        for row in rows:
            title, *facts = zip(columns, row, strict=True)
            print_facts(" ".join(title), dict(facts))
        return

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP // 2))
    for (name, _), width in zip(telling, widths, strict=True):
        table.add_column(name, overflow="fold", width=width)
    for cells in zip(*(cells for _, cells in telling), strict=True):
        table.add_row(*map(Text, cells))
    Console(highlight=False).print(table)


def _fit(columns: Sequence[tuple[str, Sequence[str]]], available: int) -> list[int] | None:
    """A width for each column, none narrower than its longest word; None where that is too much. What room
    there is goes first to those that need the least of it."""
    texts = [(name, *cells) for name, cells in columns]
    widths = [min(max(map(len, " ".join(text).split())), _LONGEST_UNBROKEN) for text in texts]
    room = available - sum(widths) - _GAP * (len(widths) - 1)
    if room < 0:
        return None
    wanted = [max(map(len, text)) - width for text, width in zip(texts, widths, strict=True)]
    for column in sorted(range(len(widths)), key=wanted.__getitem__):
        grown = min(max(wanted[column], 0), room)
        widths[column] += grown
        room -= grown
    return widths

"""How answers look to a person: one table, one card, and the signs beside the words."""

from __future__ import annotations

import re
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


_CONTROL_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[PX^_\]].*?(?:\x1b\\|\x07|$)"  # strings: titles, marks, device control
    r"|\x1b[ -/]*[0-~]",  # the short ones
    re.DOTALL,
)


def readable_output(text: str) -> str:
    """What a program printed, without what would steer the terminal it is shown on now."""
    lines = _CONTROL_SEQUENCE.sub("", text).replace("\r\n", "\n")
    return "".join(char for char in lines if char.isprintable() or char in "\n\t")


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
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def _print_fitted(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(width=shutil.get_terminal_size().columns, highlight=False).print(table)

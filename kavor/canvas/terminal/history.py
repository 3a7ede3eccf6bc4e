"""The rows above a screen, asked for as a person scrolls to them. Row 0 is the oldest that is kept."""

from __future__ import annotations

from kavor.terminal_frames import Row, Scrollback

CHUNK = 200
"""Rows that are asked for at once."""

_MOST_KEPT = 20_000


class History:
    def __init__(self) -> None:
        self._rows: dict[int, Row] = {}
        self._asked: set[int] = set()

    def row(self, number: int) -> Row | None:
        """None for one that is not here yet."""
        return self._rows.get(number)

    def to_ask(self, first: int, count: int, total: int) -> list[tuple[int, int]]:
        """First row and count of each chunk that these rows need and nobody has asked for yet."""
        missing = {
            number // CHUNK * CHUNK for number in range(first, first + count) if number not in self._rows
        }
        asks = sorted(missing - self._asked)
        self._asked |= missing
        return [(start, min(CHUNK, total - start)) for start in asks if start < total]

    def take(self, answer: Scrollback) -> None:
        if len(self._rows) > _MOST_KEPT:
            self._rows.clear()
        self._rows.update((row.y, row) for row in answer.rows)
        self._asked -= {row.y // CHUNK * CHUNK for row in answer.rows}

    def forget(self) -> None:
        """The numbers mean other rows now."""
        self._rows.clear()
        self._asked.clear()

"""The grid of cells on a Terminal's card. Sizes are canvas units: pixels at 100 %.

The cells are the same on every machine, whatever its fonts: a card of so many columns is as wide for
everybody who looks at the Workspace.
"""

from __future__ import annotations

from dataclasses import dataclass

from kavor.canvas.qt import QPointF, QRectF, QSizeF

CELL_WIDTH, CELL_HEIGHT = 7.0, 15.0
PADDING = 10.0
"""Around the screen, inside the card's content."""

LEAST_COLUMNS, LEAST_LINES = 20, 4
MOST_COLUMNS, MOST_LINES = 400, 200


@dataclass(frozen=True)
class GridSize:
    columns: int = 80
    lines: int = 24

    @property
    def extent(self) -> QSizeF:
        """Of the cells alone."""
        return QSizeF(self.columns * CELL_WIDTH, self.lines * CELL_HEIGHT)

    @property
    def content(self) -> QSizeF:
        """With the padding around."""
        return self.extent + QSizeF(2 * PADDING, 2 * PADDING)

    @classmethod
    def within(cls, content: QSizeF) -> GridSize:
        """The largest that fits into a card's content, in sensible bounds."""
        columns = int((content.width() - 2 * PADDING) // CELL_WIDTH)
        lines = int((content.height() - 2 * PADDING) // CELL_HEIGHT)
        return cls(
            min(MOST_COLUMNS, max(LEAST_COLUMNS, columns)),
            min(MOST_LINES, max(LEAST_LINES, lines)),
        )


def cell_rect(column: int, line: int, cells: int = 1) -> QRectF:
    """Of neighbouring cells, from the top left of the first cell of the screen."""
    return QRectF(column * CELL_WIDTH, line * CELL_HEIGHT, cells * CELL_WIDTH, CELL_HEIGHT)


def cell_at(spot: QPointF) -> tuple[int, int]:
    """Column and line under a point; beyond the screen they are beyond it too."""
    return int(spot.x() // CELL_WIDTH), int(spot.y() // CELL_HEIGHT)

"""The cursor, over the picture of the screen."""

from __future__ import annotations

from kavor.canvas.cards.cells import CELL_HEIGHT, CELL_WIDTH, cell_rect
from kavor.canvas.qt import QPainter, QPen, QRectF, Qt
from kavor.canvas.terminal.colours import Ink
from kavor.canvas.terminal.row_cells import cells_of
from kavor.canvas.terminal.screen_picture import RowPainter
from kavor.canvas.terminal.viewer import Viewer
from kavor.terminal_frames import CursorShape

_THIN = 1.5


def paint_cursor(painter: QPainter, rows: RowPainter, viewer: Viewer, *, in_use: bool) -> None:
    """With the painter in canvas units from the screen's top left. Hollow where no keys go to it."""
    screen = viewer.screen
    cursor, row = screen.cursor, viewer.screen.cursor.y - (viewer.top - screen.scrollback)
    if not cursor.visible or not 0 <= row < len(screen.rows):
        return
    cells = cells_of(screen.rows[cursor.y], screen.columns + 1)
    width = 2 if cells[cursor.x + 1 : cursor.x + 2] == [""] else 1
    place = cell_rect(cursor.x, row, width)
    if not in_use:
        painter.setPen(QPen(rows.colours.cursor, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))
        return
    match cursor.shape:
        case CursorShape.BAR:
            painter.fillRect(QRectF(place.x(), place.y(), _THIN, CELL_HEIGHT), rows.colours.cursor)
        case CursorShape.UNDERLINE:
            painter.fillRect(
                QRectF(place.x(), place.bottom() - _THIN, width * CELL_WIDTH, _THIN), rows.colours.cursor
            )
        case _:
            painter.fillRect(place, rows.colours.cursor)
            ink = Ink(rows.colours.ground, None, rows.colours.ground)
            rows.paint_grapheme(painter, cells[cursor.x], place, ink)

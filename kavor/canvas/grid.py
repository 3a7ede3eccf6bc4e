"""The dots behind everything: they tell where the canvas is and how far it is zoomed."""

from __future__ import annotations

from math import ceil, floor

from kavor.canvas.qt import QColor, QPainter, QPixmap, QRectF, Qt, QTransform

SPACING = 24.0
_CLOSEST = 18.0
"""Dots nearer than this on screen become fewer."""


class Grid:
    """One row of dots, drawn once for each zoom and then stamped row by row."""

    def __init__(self) -> None:
        self._row = QPixmap()
        self._made_for: tuple[object, ...] = ()

    def paint(self, painter: QPainter, exposed: QRectF, to_view: QTransform, colour: QColor) -> None:
        """``exposed`` in the view's coordinates, as the painter is."""
        spacing = SPACING * to_view.m11()
        while spacing < _CLOSEST:
            spacing *= 2
        left = to_view.dx() % spacing
        top = to_view.dy() % spacing
        row = self._row_of(exposed.right() + spacing, spacing, left, colour)
        for number in range(
            floor((exposed.top() - top) / spacing), ceil((exposed.bottom() - top) / spacing) + 1
        ):
            painter.drawPixmap(0, round(top + number * spacing), row)

    def _row_of(self, width: float, spacing: float, left: float, colour: QColor) -> QPixmap:
        size = 2 if spacing > 20 else 1
        wanted = (ceil(width), spacing, round(left * 4), colour.rgba(), size)
        if wanted != self._made_for:
            self._row = QPixmap(max(1, ceil(width)), size)
            self._row.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._row)
            x = left
            while x < width:
                painter.fillRect(round(x), 0, size, size, colour)
                x += spacing
            painter.end()
            self._made_for = wanted
        return self._row

"""Marking text by the mouse: press, drag, release; two clicks take words, three lines."""

from __future__ import annotations

import time

from kavor.canvas.cards.cells import cell_rect
from kavor.canvas.qt import QApplication, QRectF
from kavor.canvas.terminal.selection import Selection, Spot, Unit
from kavor.canvas.terminal.viewer import Viewer


class Marking:
    """Cells are column and line as they are shown."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._selection: Selection | None = None
        self._pressed: Spot | None = None
        self._unit = Unit.CHARACTER
        self._double_click = (0.0, Spot(-1, -1))

    @property
    def under_way(self) -> bool:
        return self._pressed is not None

    @property
    def is_there(self) -> bool:
        return self._selection is not None

    @property
    def text(self) -> str:
        return "" if self._selection is None else self._selection.text(self._viewer.row)

    def press(self, cell: tuple[int, int], *, clicks: int, extend: bool) -> None:
        spot = self._spot(cell)
        if extend and self._selection is not None:
            self._pressed, self._unit = self._selection.anchor, self._selection.unit
            self._select(spot)
            return
        self._pressed = spot
        self._unit = self._unit_of(clicks, spot)
        self._selection = None
        if self._unit is not Unit.CHARACTER:
            self._select(spot)

    def drag(self, cell: tuple[int, int]) -> None:
        spot = self._spot(cell)
        if self._pressed is not None and (self._selection is not None or spot != self._pressed):
            self._select(spot)

    def release(self) -> None:
        self._pressed = None

    def forget(self) -> None:
        self._selection = self._pressed = None

    def select_all(self) -> None:
        """Everything that is kept."""
        viewer = self._viewer
        last = viewer.screen.scrollback + viewer.size.lines - 1
        self._selection = Selection(
            Spot(0, 0), Spot(last, viewer.size.columns - 1), Unit.LINE, viewer.size.columns
        )

    def rects(self) -> list[QRectF]:
        """What is marked of the lines that are shown, in canvas units from the screen's top left."""
        if self._selection is None:
            return []
        found = []
        for line in range(self._viewer.size.lines):
            marked = self._selection.columns_in(self._viewer.top + line, self._viewer.row)
            if marked is not None:
                found.append(cell_rect(marked[0], line, marked[1] - marked[0] + 1))
        return found

    def _unit_of(self, clicks: int, spot: Spot) -> Unit:
        """Qt tells of two clicks; the third one comes as a first again."""
        if clicks == 2:
            self._double_click = (time.monotonic(), spot)
            return Unit.WORD
        when, where = self._double_click
        soon = (time.monotonic() - when) * 1000 < QApplication.doubleClickInterval()
        return Unit.LINE if soon and where == spot else Unit.CHARACTER

    def _select(self, head: Spot) -> None:
        assert self._pressed is not None
        self._selection = Selection(self._pressed, head, self._unit, self._viewer.size.columns)

    def _spot(self, cell: tuple[int, int]) -> Spot:
        size = self._viewer.size
        column = max(0, min(cell[0], size.columns - 1))
        return Spot(self._viewer.top + max(0, min(cell[1], size.lines - 1)), column)

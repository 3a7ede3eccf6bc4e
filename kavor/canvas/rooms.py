"""How the window is divided: Workspaces as tabs with the state of the world above, the canvas in front in the
middle, room for a panel at its right and for one under it."""

from __future__ import annotations

from kavor.canvas.header import Header
from kavor.canvas.model import Model
from kavor.canvas.notices import Banner, EmptyPage
from kavor.canvas.qt import (
    QFrame,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    Qt,
    QVBoxLayout,
    QWidget,
)
from kavor.canvas.theme import Theme
from kavor.canvas.workspace_tabs import WorkspaceTabs

BAR_HEIGHT = 52
SIDE_WIDTH = 380
_CANVAS_SHARE, _BELOW_SHARE = 500, 300


class Rooms(QWidget):
    def __init__(self, model: Model, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("centre")
        self.header = Header(model, theme)
        self.tabs = WorkspaceTabs()
        self.banner = Banner()
        self.pages = QStackedWidget()
        self.empty = EmptyPage()
        self.pages.addWidget(self.empty)
        self.side, self.below = _frame("side"), _frame("below")
        self.side.setFixedWidth(SIDE_WIDTH)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(0)
        down.addWidget(self._bar())
        down.addWidget(self.banner)
        down.addLayout(self._middle(), 1)

    def show_side(self, panel: QWidget | None) -> None:
        """A panel at the right of the canvas; None closes it. The one before is the caller's again."""
        _put(panel, self.side)

    def show_below(self, panel: QWidget | None) -> None:
        """Likewise under the canvas, as high as the person has drawn it."""
        _put(panel, self.below)

    def _bar(self) -> QFrame:
        bar = QFrame()
        bar.setObjectName("bar")
        bar.setFixedHeight(BAR_HEIGHT)
        across = QHBoxLayout(bar)
        across.setContentsMargins(10, 0, 0, 0)
        across.addWidget(self.tabs)
        across.addStretch(1)
        across.addWidget(self.header)
        return bar

    def _middle(self) -> QHBoxLayout:
        upright = QSplitter(Qt.Orientation.Vertical)
        upright.setHandleWidth(1)
        upright.setChildrenCollapsible(False)
        upright.addWidget(self.pages)
        upright.addWidget(self.below)
        upright.setStretchFactor(0, 1)
        upright.setSizes([_CANVAS_SHARE, _BELOW_SHARE])
        across = QHBoxLayout()
        across.setSpacing(0)
        across.addWidget(upright, 1)
        across.addWidget(self.side)
        return across


def _frame(name: str) -> QFrame:
    """For one panel, and not seen without. ``name`` is that by which the style sheet finds it."""
    frame = QFrame()
    frame.setObjectName(name)
    QVBoxLayout(frame).setContentsMargins(0, 0, 0, 0)
    frame.hide()
    return frame


def _put(panel: QWidget | None, frame: QFrame) -> None:
    """Into the frame, which is only seen with something in it; what was there is nobody's child any more."""
    layout = frame.layout()
    assert layout is not None
    while (item := layout.takeAt(0)) is not None:
        shown = item.widget()
        if shown is not None:
            shown.setParent(None)
    if panel is not None:
        layout.addWidget(panel)
    frame.setVisible(panel is not None)

"""What every panel beside the canvas is: about one Node, closed with Escape, and deaf once it is closed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from kavor.canvas.qt import QKeySequence, QShortcut, Qt, QWidget, Signal
from kavor.canvas.theme import Theme

Answer = TypeVar("Answer")


class Panel(QWidget):
    closed = Signal()
    """The person wants it closed; whoever opened it does that."""

    def __init__(self, node_id: str) -> None:
        super().__init__()
        self.node_id = node_id
        self._ended = False
        self.add_shortcut("Esc", self.closed.emit)

    def set_theme(self, theme: Theme) -> None:
        raise NotImplementedError

    def tick(self) -> None:
        """A minute went by."""

    def release(self) -> None:
        """Listen to the model no longer."""
        raise NotImplementedError

    def end(self) -> None:
        """It is closed for good."""
        self._ended = True
        self.release()
        self.hide()
        self.deleteLater()

    def today(self, zone: ZoneInfo) -> date:
        """The viewer's."""
        return datetime.now(zone).date()

    def while_open(self, answered: Callable[[Answer], None]) -> Callable[[Answer], None]:
        """What the runtime answers after the panel was closed is passed over."""

        def heard(answer: Answer) -> None:
            if not self._ended:
                answered(answer)

        return heard

    def add_shortcut(self, keys: str, done: Callable[[], None]) -> None:
        """While the focus is in the panel."""
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(done)

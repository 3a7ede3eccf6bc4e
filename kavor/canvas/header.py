"""The header of a Workspace: how many Schedules are in each state, and the countdown to the next fire."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas import theme as themes
from kavor.canvas.coming import now
from kavor.canvas.model import Model
from kavor.canvas.qt import QHBoxLayout, QLabel, QMouseEvent, QSizePolicy, Qt, QWidget, Signal, translate
from kavor.canvas.states import LOOKS, look_of, state_word
from kavor.canvas.theme import Theme
from kavor.canvas.times import countdown_words

_ICON = 14
_NAME_WIDTH = 240
"""Most pixels of a Schedule's name: the window is not to grow with it."""


class Header(QWidget):
    attention_clicked = Signal()
    """The person wants to see what needs their attention."""

    def __init__(self, model: Model, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self._workspace_id: str | None = None
        self._fires = True
        self._counts: dict[str, _Count] = {}
        self._next = QLabel(self)
        self._next.setTextFormat(Qt.TextFormat.PlainText)
        self._next.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 16, 0)
        layout.setSpacing(14)
        for state in LOOKS:
            count = self._counts[state] = _Count(state, self)
            count.hide()
            if state == "Needs attention":
                count.make_clickable(self.attention_clicked.emit)
            layout.addWidget(count)
        layout.addSpacing(6)
        layout.addWidget(self._next)
        self.setAccessibleName(translate("Header", "State of the Workspace"))

    def show_workspace(self, workspace_id: str | None) -> None:
        self._workspace_id = workspace_id
        self.refresh()

    def show_firing(self, fires: bool) -> None:
        """Whether there is a runtime: without one nothing fires, and nothing is counted down."""
        self._fires = fires
        self.tick()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.refresh()

    def refresh(self) -> None:
        """The model says something else."""
        counts = self._model.counts(self._workspace_id) if self._workspace_id else {}
        for state, shown in self._counts.items():
            shown.show_count(counts.get(state, 0), self._theme)
        self.tick()

    def tick(self) -> None:
        """A second went by."""
        if not self._fires:
            self._next.setText(translate("Header", "Nothing fires now"))
            self._next.setToolTip("")
            return
        schedule = self._model.next_to_fire(self._workspace_id) if self._workspace_id else None
        if schedule is None or schedule.next_due is None:
            self._next.setText(translate("Header", "Nothing is due"))
            self._next.setToolTip("")
            return
        node = self._model.nodes.get(schedule.id)
        name = node.name if node else ""
        left = countdown_words(schedule.next_due - now())
        words = translate("Header", "{name} in {time}")
        short = self._next.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, _NAME_WIDTH)
        self._next.setText(words.format(name=short, time=left))
        self._next.setToolTip(words.format(name=name, time=left))


class _Count(QWidget):
    """A sign, a number and a word."""

    def __init__(self, state: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        self._clicked: Callable[[], None] = lambda: None
        self._sign = QLabel(self)
        self._words = QLabel(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addWidget(self._sign)
        layout.addWidget(self._words)

    def make_clickable(self, clicked: Callable[[], None]) -> None:
        """With the mouse; there is a key for it, too."""
        self._clicked = clicked
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._clicked()

    def show_count(self, count: int, theme: Theme) -> None:
        self.setVisible(count > 0)
        look = look_of(self._state)
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(themes.pixmap(look.sign, theme.tone(look.tone), _ICON, ratio))
        words = f"{count} {state_word(self._state)}"
        self._words.setText(words)
        self.setAccessibleName(words)

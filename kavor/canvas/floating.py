"""What floats over the canvas: the zoom controls, and the runtime's refusals beside what they are about."""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.labels import Label
from kavor.canvas.qt import (
    QFrame,
    QHBoxLayout,
    QRect,
    Qt,
    QTimer,
    QToolButton,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.runtime_words import hint_words, message_words
from kavor.canvas.theme import Theme
from kavor.domain.errors import KavorError

REFUSAL_MS = 9_000


class ZoomControls(QFrame):
    zoom_in = Signal()
    zoom_out = Signal()
    whole_size = Signal()
    fit = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("floating")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(0)
        self._out = self._button("minus", translate("Zoom", "Zoom out"), self.zoom_out)
        self._percent = self._button("", translate("Zoom", "Zoom to 100 %"), self.whole_size)
        self._in = self._button("plus", translate("Zoom", "Zoom in"), self.zoom_in)
        self._fit = self._button("fit", translate("Zoom", "Fit all"), self.fit)
        self._percent.setMinimumWidth(58)
        for button in (self._out, self._percent, self._in, self._fit):
            layout.addWidget(button)
        self.set_theme(theme)
        self.show_zoom(1.0)

    def show_zoom(self, zoom: float) -> None:
        self._percent.setText(f"{round(zoom * 100)} %")
        self.adjustSize()

    def set_theme(self, theme: Theme) -> None:
        for button, name in ((self._out, "minus"), (self._in, "plus"), (self._fit, "fit")):
            button.setIcon(themes.icon(name, theme.muted))

    def _button(self, icon: str, name: str, pressed: object) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(pressed)
        return button


class Refusal(QFrame):
    """Why the runtime said no and what to do, or another word to the person: under the card it is about, for
    a while."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("refusal")
        self._parent = parent
        self._about: QRect | None = None
        self._message = Label(parent=self, wraps=True)
        self._hint = Label(parent=self, wraps=True)
        self._hint.setProperty("quiet", True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.setSpacing(4)
        layout.addWidget(self._message)
        layout.addWidget(self._hint)
        self._gone = QTimer(self, interval=REFUSAL_MS, singleShot=True)
        self._gone.timeout.connect(self.hide)
        self.hide()

    def say(self, error: KavorError, about: QRect | None) -> None:
        """``about``: the card's place in the parent; at the bottom where it is about none."""
        self._show(message_words(error), hint_words(error), about, warns=True)

    def tell(self, words: str, about: QRect | None) -> None:
        """What is worth knowing, where nothing went wrong."""
        self._show(words, "", about, warns=False)

    def _show(self, message: str, hint: str, about: QRect | None, *, warns: bool) -> None:
        self._message.setText(message)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self._about = about
        self.setProperty("warns", warns)
        self.style().polish(self)
        self.place()
        self.setAccessibleName(f"{message}. {hint}")
        self.show()
        self.raise_()
        self._gone.start()

    def place(self) -> None:
        """Where it belongs in the present size of its parent."""
        room, about = self._parent.rect().adjusted(16, 16, -16, -16), self._about
        self.setFixedWidth(min(360, room.width()))
        self.adjustSize()
        if about is not None and room.intersects(about):
            left, top = about.left(), about.bottom() + 8
        else:
            left, top = room.center().x() - self.width() // 2, room.bottom() - self.height()
        self.move(
            max(room.left(), min(left, room.right() - self.width())),
            max(room.top(), min(top, room.bottom() - self.height())),
        )

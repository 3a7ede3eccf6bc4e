"""Above a Schedule's form: its name, which can be typed over, and its state in words."""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.editor.fields import quiet
from kavor.canvas.qt import QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget, translate
from kavor.canvas.runtime_words import spoken
from kavor.canvas.states import look_of, state_word
from kavor.canvas.theme import Theme
from kavor.canvas.things import Schedule

_SIGN = 14


class EditorHead(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.title = QLineEdit()
        self.title.setObjectName("title")
        self.title.setAccessibleName(translate("Editor", "Name"))
        self.title.setPlaceholderText(translate("Editor", "Name"))
        self.history = self._button(translate("Editor", "History"), "")
        self.close_button = self._button(translate("Editor", "Close"), translate("Editor", "Close (Esc)"))
        self._sign = QLabel()
        self._words = quiet()
        across = QHBoxLayout()
        across.setSpacing(4)
        across.addWidget(self.title, 1)
        across.addWidget(self.history)
        across.addWidget(self.close_button)
        state = QHBoxLayout()
        state.setContentsMargins(7, 0, 0, 0)
        state.addWidget(self._sign)
        state.addWidget(self._words, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(11, 12, 10, 12)
        layout.setSpacing(4)
        layout.addLayout(across)
        layout.addLayout(state)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.history.setIcon(themes.icon("history", theme.muted))
        self.close_button.setIcon(themes.icon("close", theme.muted))

    def show_state(self, schedule: Schedule, target_name: str | None) -> None:
        """Paused or Running, why it was paused, and where to."""
        look = look_of(schedule.state)
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(themes.pixmap(look.sign, self._theme.tone(look.tone), _SIGN, ratio))
        aim = translate("Editor", "no target connected")
        if target_name is not None:
            aim = translate("Editor", "to {target}").format(target=target_name)
        said = filter(None, [state_word(schedule.state), spoken(schedule.pause_reason or ""), aim])
        self._words.setText(" · ".join(said))

    def _button(self, name: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setAccessibleName(name)
        button.setToolTip(tip or name)
        return button

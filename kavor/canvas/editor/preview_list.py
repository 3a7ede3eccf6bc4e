"""The next ten times, in the viewer's zone, each with what bent it (K17, K30, K33, X1), and what an edit does
to them before it is saved (X2); worked out here by the rules the runtime fires by."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from kavor.canvas import theme as themes
from kavor.canvas.coming import Coming, Effect
from kavor.canvas.editor.fields import column, mark, quiet
from kavor.canvas.qt import QGridLayout, QLabel, Qt, QWidget, translate
from kavor.canvas.recurrence_words import note_words
from kavor.canvas.theme import Theme
from kavor.canvas.times import day_words

SHOWN = 10
LEAVING_SHOWN = 5
"""Of the times that an edit takes away."""

_SIGN = 14
_SIGNS = {Effect.STAYS: "", Effect.COMES: "+", Effect.LEAVES: "−"}


class PreviewList(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        layout = column(4)
        self.setLayout(layout)
        self.rows = [_Row() for _ in range(SHOWN + LEAVING_SHOWN)]
        for row in self.rows:
            layout.addWidget(row)
        self.nothing = quiet()
        layout.addWidget(self.nothing)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for row in self.rows:
            row.show_sign(theme)

    def show_times(self, times: Sequence[tuple[Coming, Effect]], today: date, otherwise: str) -> None:
        """``otherwise`` is said where none comes."""
        is_edit = any(effect is not Effect.STAYS for _, effect in times)
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(times))
            if number < len(times):
                row.show_time(*times[number], today, self._theme, is_edit=is_edit)
        self.nothing.setText(otherwise)
        self.nothing.setVisible(all(effect is Effect.LEAVES for _, effect in times))


class _Row(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._effect = QLabel()
        self._effect.setFixedWidth(_SIGN)
        self._day = QLabel()
        self._clock = QLabel()
        self._sign = QLabel()
        self._note = QLabel(wordWrap=True)
        self._note.setProperty("warning", True)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(1)
        layout.addWidget(self._effect, 0, 0)
        layout.addWidget(self._day, 0, 1, 1, 2)
        layout.addWidget(self._clock, 0, 3, Qt.AlignmentFlag.AlignRight)
        layout.addWidget(self._sign, 1, 1, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._note, 1, 2, 1, 2)
        layout.setColumnStretch(2, 1)

    def show_time(self, time: Coming, effect: Effect, today: date, theme: Theme, *, is_edit: bool) -> None:
        local = time.local
        self._day.setText(day_words(local.date(), today))
        self._clock.setText(local.strftime("%H:%M:%S" if local.second else "%H:%M"))
        note = note_words(time.occurrence) if effect is not Effect.LEAVES else ""
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._sign.setVisible(bool(note))
        self.show_sign(theme)
        self._show_effect(effect, is_edit=is_edit)
        words = [self._day.text(), self._clock.text(), note, _effect_words(effect)]
        self.setAccessibleName(" ".join(filter(None, words)))

    def _show_effect(self, effect: Effect, *, is_edit: bool) -> None:
        """A sign and a line through it, never the colour alone."""
        self._effect.setText(_SIGNS[effect])
        self._effect.setVisible(is_edit)
        self.setToolTip(_effect_words(effect))
        for label in (self._effect, self._day, self._clock):
            font = label.font()
            font.setStrikeOut(effect is Effect.LEAVES and label is not self._effect)
            label.setFont(font)
            mark(label, "quiet", effect is Effect.LEAVES)
            mark(label, "comes", effect is Effect.COMES)

    def show_sign(self, theme: Theme) -> None:
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(themes.pixmap("bent", theme.warn, _SIGN, ratio))


def _effect_words(effect: Effect) -> str:
    return {
        Effect.STAYS: "",
        Effect.COMES: translate("Preview", "Comes with this change"),
        Effect.LEAVES: translate("Preview", "Leaves with this change"),
    }[effect]

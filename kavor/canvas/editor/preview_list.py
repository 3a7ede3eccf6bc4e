"""The next ten times, in the viewer's zone, each with what bent it; worked out here by the rules the runtime
fires by (K17, K30, K33, X1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from kavor.canvas import theme as themes
from kavor.canvas.coming import Coming
from kavor.canvas.editor.fields import column, quiet
from kavor.canvas.qt import QGridLayout, QLabel, Qt, QWidget
from kavor.canvas.recurrence_words import note_words
from kavor.canvas.theme import Theme
from kavor.canvas.times import day_words

SHOWN = 10
_SIGN = 14


class PreviewList(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        layout = column(4)
        self.setLayout(layout)
        self.rows = [_Row() for _ in range(SHOWN)]
        for row in self.rows:
            layout.addWidget(row)
        self.nothing = quiet()
        layout.addWidget(self.nothing)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for row in self.rows:
            row.show_sign(theme)

    def show_times(self, times: Sequence[Coming], today: date, otherwise: str) -> None:
        """``otherwise`` is said where there is none."""
        for number, row in enumerate(self.rows):
            row.show_time(times[number] if number < len(times) else None, today, self._theme)
        self.nothing.setText(otherwise)
        self.nothing.setVisible(not times)


class _Row(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._day = QLabel()
        self._clock = QLabel()
        self._sign = QLabel()
        self._note = QLabel(wordWrap=True)
        self._note.setProperty("warning", True)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(1)
        layout.addWidget(self._day, 0, 0, 1, 2)
        layout.addWidget(self._clock, 0, 2, Qt.AlignmentFlag.AlignRight)
        layout.addWidget(self._sign, 1, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._note, 1, 1, 1, 2)
        layout.setColumnStretch(1, 1)

    def show_time(self, time: Coming | None, today: date, theme: Theme) -> None:
        self.setVisible(time is not None)
        if time is None:
            return
        local = time.local
        self._day.setText(day_words(local.date(), today))
        self._clock.setText(local.strftime("%H:%M:%S" if local.second else "%H:%M"))
        note = note_words(time.occurrence)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._sign.setVisible(bool(note))
        self.show_sign(theme)
        self.setAccessibleName(" ".join(filter(None, [self._day.text(), self._clock.text(), note])))

    def show_sign(self, theme: Theme) -> None:
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(themes.pixmap("bent", theme.warn, _SIGN, ratio))

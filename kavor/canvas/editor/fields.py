"""The small parts that forms are made of."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.canvas import theme as themes
from kavor.canvas.labels import Label
from kavor.canvas.qt import (
    QAbstractSpinBox,
    QButtonGroup,
    QCalendarWidget,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPoint,
    QPushButton,
    QSize,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    Qt,
    QTextCharFormat,
    QToolButton,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.runtime_words import refusal_words
from kavor.canvas.theme import Theme
from kavor.domain.errors import KavorError

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_ARROW = 16
_TICK = 14
_INDENT = 7
_CALENDAR_SIZE = QSize(290, 240)
_MOST = 999_999_999


def caption(text: str) -> QLabel:
    """The name of a part of a form."""
    label = Label(text)
    label.setProperty("caption", True)
    return label


def quiet(text: str = "") -> QLabel:
    """What explains, without calling for attention."""
    label = Label(text, wraps=True)
    label.setProperty("quiet", True)
    return label


def rule() -> QFrame:
    """A thin line across."""
    line = QFrame()
    line.setProperty("rule", True)
    line.setFixedHeight(1)
    return line


def mark(widget: QWidget, name: str, value: bool) -> None:
    """Set a property that the style sheet looks at."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def indent(field: QAbstractSpinBox) -> None:
    """Begin its text where that of other fields begins: style sheets do not reach it."""
    field.lineEdit().setTextMargins(_INDENT, 0, _INDENT, 0)


class ComboBox(QComboBox):
    """With our own arrow."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _draw_arrow(self)


class CheckBox(QCheckBox):
    """With our own tick, which the style sheet's box has room for."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        colour = self.palette().color(QPalette.ColorRole.HighlightedText)
        painter = QPainter(self)
        picture = themes.pixmap("completed", colour, _TICK, self.devicePixelRatioF())
        painter.drawPixmap(box.center() - QPoint(_TICK, _TICK) / 2 + QPoint(1, 1), picture)
        painter.end()


class DateEdit(QDateEdit):
    """Opens a calendar, made when it is first wanted; with our own arrow."""

    def __init__(self) -> None:
        super().__init__()
        self.setCalendarPopup(True)
        self._theme: Theme | None = None
        self._has_calendar = False

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._has_calendar:
            self._colour_calendar(theme)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._has_calendar:
            self._make_calendar()
        super().mousePressEvent(event)

    def _make_calendar(self) -> None:
        self._has_calendar = True
        calendar = self.calendarWidget()
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        calendar.setMinimumSize(_CALENDAR_SIZE)
        plain = calendar.weekdayTextFormat(Qt.DayOfWeek.Monday)
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            calendar.setWeekdayTextFormat(day, plain)  # not in red: nothing is wrong with them
        if self._theme is not None:
            self._colour_calendar(self._theme)

    def _colour_calendar(self, theme: Theme) -> None:
        """What style sheets do not reach of it: the names of the days, and its arrows, which are icons."""
        days = QTextCharFormat()
        days.setBackground(theme.raised)
        days.setForeground(theme.muted)
        self.calendarWidget().setHeaderTextFormat(days)
        for name, icon in (("qt_calendar_prevmonth", "previous"), ("qt_calendar_nextmonth", "next")):
            button = self.calendarWidget().findChild(QToolButton, name)
            if button is not None:
                button.setIcon(themes.icon(icon, theme.muted))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _draw_arrow(self)


def _draw_arrow(widget: QWidget) -> None:
    colour = widget.palette().color(QPalette.ColorRole.PlaceholderText)
    picture = themes.pixmap("chevron-down", colour, _ARROW, widget.devicePixelRatioF())
    painter = QPainter(widget)
    painter.drawPixmap(widget.width() - _ARROW - 6, (widget.height() - _ARROW) // 2, picture)
    painter.end()


class Problem(Label):
    """Why a field cannot be saved as it is, and what to do; no room taken where nothing is wrong."""

    def __init__(self) -> None:
        super().__init__(wraps=True)
        self.setProperty("problem", True)
        self.hide()

    def say(self, error: KavorError | None) -> None:
        if error is None:
            self.hide()
            return
        self.setText(refusal_words(error))
        self.show()


class Chips(QWidget):
    """One of several, all in sight; arrow keys go from one to the next."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str]], columns: int) -> None:
        """``options``: what each stands for, and what it says."""
        super().__init__()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for number, (value, words) in enumerate(options):
            button = self._buttons[value] = _chip(words)
            button.clicked.connect(lambda _=False, value=value: self.chosen.emit(value))
            self._group.addButton(button)
            layout.addWidget(button, number // columns, number % columns)

    def show_chosen(self, value: str) -> None:
        self._buttons[value].setChecked(True)

    def button(self, value: str) -> QPushButton:
        return self._buttons[value]


class Toggles(QWidget):
    """Some of several, at least one."""

    changed = Signal(list)

    def __init__(self, options: Sequence[tuple[str, str, str]]) -> None:
        """``options``: what each stands for, its short and its whole name."""
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self._buttons: dict[str, QPushButton] = {}
        for value, short, whole in options:
            button = self._buttons[value] = _chip(short)
            button.setToolTip(whole)
            button.setAccessibleName(whole)
            button.clicked.connect(lambda _=False, button=button: self._toggled(button))
            layout.addWidget(button)

    def show_chosen(self, values: Sequence[str]) -> None:
        for value, button in self._buttons.items():
            button.setChecked(value in values)

    def button(self, value: str) -> QPushButton:
        return self._buttons[value]

    def _toggled(self, button: QPushButton) -> None:
        values = [value for value, each in self._buttons.items() if each.isChecked()]
        if values:
            self.changed.emit(values)
        else:
            button.setChecked(True)


class Duration(QWidget):
    """A count and a unit, such as ``2w``."""

    changed = Signal(str)

    def __init__(self, units: str, name: str) -> None:
        """``units``: letters of ``smhdw``, in that order."""
        super().__init__()
        self.count = QSpinBox(minimum=1, maximum=_MOST)
        indent(self.count)
        self.count.setAccessibleName(name)
        self.unit = ComboBox()
        self.unit.setAccessibleName(translate("Duration", "Unit"))
        for letter in units:
            self.unit.addItem("", letter)
        self._name_units()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.count, 1)
        layout.addWidget(self.unit, 1)
        self.count.valueChanged.connect(self._on_count)
        self.unit.currentIndexChanged.connect(lambda _: self.changed.emit(self.text()))

    def text(self) -> str:
        return f"{self.count.value()}{self.unit.currentData()}"

    def seconds(self) -> int:
        return self.count.value() * _SECONDS[self.unit.currentData()]

    def show_text(self, text: str) -> None:
        """Says nothing of it to the listeners."""
        if text == self.text():
            return
        self.blockSignals(True)
        self.count.setValue(int(text[:-1]))
        self.unit.setCurrentIndex(self.unit.findData(text[-1]))
        self.blockSignals(False)

    def _on_count(self) -> None:
        self._name_units()
        self.changed.emit(self.text())

    def _name_units(self) -> None:
        """One minute, two minutes."""
        name = _unit_word if self.count.value() == 1 else _unit_words
        for place in range(self.unit.count()):
            self.unit.setItemText(place, name(self.unit.itemData(place)))

    def show_seconds(self, seconds: float) -> None:
        """In the largest unit that says it whole."""
        whole = max(1, round(seconds))
        letters = [self.unit.itemData(place) for place in range(self.unit.count())]
        letter = next((each for each in reversed(letters) if whole % _SECONDS[each] == 0), letters[0])
        self.show_text(f"{whole // _SECONDS[letter]}{letter}")


def _chip(words: str) -> QPushButton:
    button = QPushButton(words)
    button.setCheckable(True)
    button.setProperty("chip", True)
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return button


def _unit_word(letter: str) -> str:
    """Of one."""
    return {
        "s": translate("Duration", "second"),
        "m": translate("Duration", "minute"),
        "h": translate("Duration", "hour"),
        "d": translate("Duration", "day"),
        "w": translate("Duration", "week"),
    }[letter]


def _unit_words(letter: str) -> str:
    """Of several."""
    return {
        "s": translate("Duration", "seconds"),
        "m": translate("Duration", "minutes"),
        "h": translate("Duration", "hours"),
        "d": translate("Duration", "days"),
        "w": translate("Duration", "weeks"),
    }[letter]


def column(spacing: int = 6) -> QVBoxLayout:
    """From top to bottom, without a margin."""
    layout = QVBoxLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    return layout

"""Choose when a Schedule fires: a preset's fields and the cron expression, two views of one draft."""

from __future__ import annotations

from datetime import date, datetime, time

from kavor.canvas.editor.fields import (
    Chips,
    DateEdit,
    Duration,
    Problem,
    Toggles,
    caption,
    column,
    indent,
    mark,
    quiet,
)
from kavor.canvas.editor.recurrence_draft import CHOICES, PLAIN, RecurrenceDraft
from kavor.canvas.qt import (
    QDate,
    QHBoxLayout,
    QLineEdit,
    QLocale,
    QSpinBox,
    QTime,
    QTimeEdit,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.recurrence_words import meaning_words
from kavor.canvas.theme import mono_font
from kavor.domain.errors import BadInput

_DATED = frozenset({"once", "every"})
_TIMED = frozenset({"once", "daily", "weekdays", "weekly", "monthly", "every"})


class RecurrenceForm(QWidget):
    """Every change makes the next draft, and every field is then set from that draft."""

    changed = Signal()

    def __init__(self, draft: RecurrenceDraft) -> None:
        super().__init__()
        self.draft = draft
        self.choices = Chips([(choice, _choice_words(choice)) for choice in CHOICES], columns=4)
        self.minute = QSpinBox(minimum=0, maximum=59)
        self.minute.setPrefix(translate("Recurrence", "at minute "))
        self.minute.setAccessibleName(translate("Recurrence", "Minute of the hour"))
        self.interval = Duration("smhdw", translate("Recurrence", "How many"))
        self.day = QSpinBox(minimum=1, maximum=31)
        self.day.setPrefix(translate("Recurrence", "on day "))
        self.day.setAccessibleName(translate("Recurrence", "Day of the month"))
        self.date = DateEdit()
        self.date.setDisplayFormat(translate("Recurrence", "ddd d MMM yyyy"))
        self.date.setAccessibleName(translate("Recurrence", "Date"))
        self.time = QTimeEdit()
        self.time.setDisplayFormat("HH:mm")
        self.time.setAccessibleName(translate("Recurrence", "Time of day"))
        self.weekdays = Toggles(_weekday_options())
        self.expression = QLineEdit()
        self.expression.setFont(mono_font(13))
        self.expression.setAccessibleName(translate("Recurrence", "Cron expression"))
        self.expression.setPlaceholderText(
            translate("Recurrence", "minute hour day-of-month month day-of-week")
        )
        self.words = quiet()
        self.problem = Problem()
        self._expression_part = QWidget()
        for field in (self.minute, self.day, self.time):
            indent(field)
        self._build()
        self._follow()
        self._show()

    def set_draft(self, draft: RecurrenceDraft) -> None:
        """Another draft, as after a save. Not told as a change."""
        self.draft = draft
        self._show()

    # --- Building

    def _build(self) -> None:
        fields = QHBoxLayout()
        fields.setSpacing(6)
        self._from = quiet(translate("Recurrence", "from"))
        self._from.setWordWrap(False)
        for widget, share in ((self.minute, 1), (self.day, 1), (self.date, 3), (self.time, 2)):
            fields.addWidget(widget, share)
        expression = QVBoxLayout(self._expression_part)
        expression.setContentsMargins(0, 4, 0, 0)
        expression.setSpacing(4)
        expression.addWidget(caption(translate("Recurrence", "CRON EXPRESSION")))
        expression.addWidget(self.expression)
        layout = column(8)
        self.setLayout(layout)
        layout.addWidget(self.choices)
        layout.addWidget(self.interval)
        layout.addWidget(self._from)
        layout.addWidget(self.weekdays)
        layout.addLayout(fields)
        layout.addWidget(self._expression_part)
        layout.addWidget(self.problem)
        layout.addWidget(self.words)

    def _follow(self) -> None:
        self.choices.chosen.connect(self._choose)
        self.minute.valueChanged.connect(lambda minute: self._take(self.draft.with_minute(minute)))
        self.day.valueChanged.connect(lambda day: self._take(self.draft.with_day(day)))
        self.date.dateChanged.connect(self._set_date)
        self.time.timeChanged.connect(self._set_time)
        self.weekdays.changed.connect(lambda days: self._take(self.draft.with_weekdays(days)))
        self.interval.changed.connect(lambda every: self._take(self.draft.with_every(every)))
        self.expression.textEdited.connect(lambda text: self._take(self.draft.with_expression(text)))
        self.expression.editingFinished.connect(self._settle)

    # --- Changes

    def _take(self, draft: RecurrenceDraft) -> None:
        if draft != self.draft:
            self.draft = draft
            self._show()
            self.changed.emit()

    def _choose(self, choice: str) -> None:
        self._take(self.draft.with_choice(choice))
        if choice == "custom":
            self.expression.setFocus()
            self.expression.selectAll()

    def _settle(self) -> None:
        if self.expression.isModified():
            self.expression.setModified(False)
            self._take(self.draft.settled())

    def _set_date(self, day: QDate) -> None:
        chosen = date(day.year(), day.month(), day.day())
        self._take(self.draft.with_local(datetime.combine(chosen, self.draft.local.time())))

    def _set_time(self, at: QTime) -> None:
        self._take(self.draft.with_time(time(at.hour(), at.minute())))

    # --- Showing the draft

    def _show(self) -> None:
        draft = self.draft
        fields = (self.minute, self.day, self.date, self.time)
        for field in fields:
            field.blockSignals(True)
        at = draft.local.time() if draft.choice in PLAIN else draft.time_of_day
        self.choices.show_chosen(draft.choice)
        self.minute.setValue(draft.minute)
        self.day.setValue(draft.day)
        self.date.setDate(QDate(draft.local.year, draft.local.month, draft.local.day))
        self.time.setTime(QTime(at.hour, at.minute))
        self.weekdays.show_chosen(draft.weekdays)
        self.interval.show_text(draft.every)
        if self.expression.text() != draft.expression:
            self.expression.setText(draft.expression)
        for field in fields:
            field.blockSignals(False)
        self._show_parts(draft.choice)
        self._show_meaning()

    def _show_parts(self, choice: str) -> None:
        self.minute.setVisible(choice == "hourly")
        self.day.setVisible(choice == "monthly")
        self.date.setVisible(choice in _DATED)
        self.time.setVisible(choice in _TIMED)
        self.weekdays.setVisible(choice == "weekly")
        self.interval.setVisible(choice == "every")
        self._from.setVisible(choice == "every")
        self._expression_part.setVisible(choice not in PLAIN)

    def _show_meaning(self) -> None:
        try:
            meant = self.draft.recurrence()
        except BadInput as error:
            self.problem.say(error)
            self.words.hide()
            mark(self.expression, "wrong", True)
            return
        self.problem.say(None)
        mark(self.expression, "wrong", False)
        self.words.setText(meaning_words(meant))
        self.words.show()


def _choice_words(choice: str) -> str:
    return {
        "once": translate("Recurrence", "Once"),
        "hourly": translate("Recurrence", "Hourly"),
        "daily": translate("Recurrence", "Daily"),
        "weekdays": translate("Recurrence", "Weekdays"),
        "weekly": translate("Recurrence", "Weekly"),
        "monthly": translate("Recurrence", "Monthly"),
        "every": translate("Recurrence", "Every"),
        "custom": translate("Recurrence", "Custom"),
    }[choice]


def _weekday_options() -> list[tuple[str, str, str]]:
    locale, form = QLocale(), QLocale.FormatType
    names = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    return [
        (name, locale.standaloneDayName(day, form.ShortFormat), locale.standaloneDayName(day))
        for day, name in enumerate(names, start=1)
    ]

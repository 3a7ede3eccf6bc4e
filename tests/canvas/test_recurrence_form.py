"""Presets and expression are one thing: whatever a hand does to the form, they say the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from kavor.canvas.editor.fields import Duration
from kavor.canvas.editor.recurrence_draft import CHOICES, PLAIN, RecurrenceDraft
from kavor.canvas.editor.recurrence_form import RecurrenceForm
from kavor.canvas.qt import QApplication, QDate, Qt, QTime
from kavor.domain.errors import BadInput
from kavor.domain.presets import expression_of
from kavor.domain.recurrence import Cron, Every, Once, parse_recurrence, same_grid

SUGGESTED = datetime(2026, 12, 1, 9, 0)
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Step = Callable[[RecurrenceForm], None]


def form_of(expression: str) -> RecurrenceForm:
    return RecurrenceForm(RecurrenceDraft.of(Cron(expression), SUGGESTED))


def choose(choice: str) -> Step:
    return lambda form: form.choices.button(choice).click()


def toggle(day: str) -> Step:
    return lambda form: form.weekdays.button(day).click()


def set_time(at: time) -> Step:
    return lambda form: form.time.setTime(QTime(at.hour, at.minute))


def type_expression(text: str) -> Step:
    def step(form: RecurrenceForm) -> None:
        form.expression.setText(text)
        form.expression.setModified(True)
        form.expression.textEdited.emit(text)

    return step


def leave_expression(form: RecurrenceForm) -> None:
    form.expression.editingFinished.emit()


def shown_only(step: Step, field: str) -> Step:
    """A hand reaches only what is shown."""
    return lambda form: None if getattr(form, field).isHidden() else step(form)


expressions = st.sampled_from(
    [
        "0 9 * * *",
        "30 7 * * 1-5",
        "30 7 * * mon,tue,wed,thu,fri",
        "5 * * * *",
        "15 6 31 * *",
        "0 9 * * sat,sun",
        "*/5 * * * *",
        "0 9 1 * mon",
        "@daily",
        "0 9 * * 0-6",
        "61 * * * *",
        "0 9",
        "",
        "0 0 31 2 *",
    ]
)
steps = st.one_of(
    st.sampled_from(CHOICES).map(choose),
    st.sampled_from(DAYS).map(lambda day: shown_only(toggle(day), "weekdays")),
    st.times().map(lambda at: shown_only(set_time(at.replace(second=0, microsecond=0)), "time")),
    st.integers(0, 59).map(lambda n: shown_only(lambda form: form.minute.setValue(n), "minute")),
    st.integers(1, 31).map(lambda n: shown_only(lambda form: form.day.setValue(n), "day")),
    st.integers(1, 400).map(lambda n: shown_only(lambda form: form.interval.count.setValue(n), "interval")),
    st.integers(0, 4).map(
        lambda n: shown_only(lambda form: form.interval.unit.setCurrentIndex(n), "interval")
    ),
    st.dates(datetime(2026, 1, 1).date(), datetime(2040, 1, 1).date()).map(
        lambda day: shown_only(lambda form: form.date.setDate(QDate(day.year, day.month, day.day)), "date")
    ),
    expressions.map(lambda text: shown_only(type_expression(text), "_expression_part")),
    st.just(leave_expression),
)


def shown_choice(form: RecurrenceForm) -> str:
    (choice,) = [choice for choice in CHOICES if form.choices.button(choice).isChecked()]
    return choice


def check_in_step(form: RecurrenceForm) -> None:
    """What the widgets say, each by itself, is what would be saved."""
    choice, at = shown_choice(form), form.time.time()
    clock = f"{at.hour():02}:{at.minute():02}"
    try:
        meant = form.draft.recurrence()
    except BadInput:
        assert not form.problem.isHidden()
        assert form.problem.text()
        return
    assert form.problem.isHidden()
    assert same_grid(meant, parse_recurrence(form.draft.document()))
    day = form.date.date()
    if choice == "once":
        local = datetime(day.year(), day.month(), day.day(), at.hour(), at.minute())
        assert meant == Once(local)
    elif choice == "every":
        local = datetime(day.year(), day.month(), day.day(), at.hour(), at.minute())
        assert meant == Every(form.interval.text(), local)
    else:
        assert isinstance(meant, Cron)
        assert same_grid(meant, Cron(form.expression.text()))
        if choice != "custom":
            fields = {
                "minute": form.minute.value(),
                "time": clock,
                "day": form.day.value(),
                "weekday": [name for name in DAYS if form.weekdays.button(name).isChecked()],
            }
            assert same_grid(meant, Cron(expression_of(choice, fields)))


@pytest.mark.contract("K24", "K25", "K26")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=expressions, done=st.lists(steps, max_size=12))
def test_no_way_through_the_form_makes_preset_and_expression_differ(
    qapp: QApplication, start: str, done: list[Step]
) -> None:
    try:
        form = form_of(start)
    except BadInput:
        form = form_of("0 9 * * *")
    form.show()
    check_in_step(form)
    for step in done:
        step(form)
        check_in_step(form)
    form.close()
    form.deleteLater()


@pytest.mark.contract("K26")
def test_fields_follow_the_expression_and_it_follows_them(qtbot: QtBot) -> None:
    form = form_of("0 9 * * *")
    qtbot.addWidget(form)
    form.show()
    assert shown_choice(form) == "daily"
    form.expression.setFocus()
    form.expression.selectAll()
    qtbot.keyClicks(form.expression, "30 7 * * 1-5")
    qtbot.keyClick(form.expression, Qt.Key.Key_Return)
    assert shown_choice(form) == "weekdays"
    assert form.time.time() == QTime(7, 30)
    form.choices.button("monthly").click()
    form.day.setValue(31)
    assert form.expression.text() == "30 7 31 * *"
    assert form.words.text() == "The 31st of each month at 07:30; months without a 31st are skipped"
    form.choices.button("hourly").click()
    assert form.expression.text() == "30 * * * *"


def test_custom_stays_while_it_is_typed_in(qtbot: QtBot) -> None:
    form = form_of("*/5 * * * *")
    qtbot.addWidget(form)
    form.show()
    form.expression.selectAll()
    qtbot.keyClicks(form.expression, "0 9 * * *")
    assert shown_choice(form) == "custom"
    qtbot.keyClick(form.expression, Qt.Key.Key_Return)
    assert shown_choice(form) == "daily"


def test_a_week_keeps_its_last_day(qtbot: QtBot) -> None:
    form = form_of("0 9 * * mon,thu")
    qtbot.addWidget(form)
    form.show()
    form.weekdays.button("mon").click()
    form.weekdays.button("thu").click()
    assert form.expression.text() == "0 9 * * thu"
    assert form.weekdays.button("thu").isChecked()


def test_a_week_of_working_days_is_still_seen_as_days_of_the_week(qtbot: QtBot) -> None:
    form = form_of("0 9 * * mon,tue,wed,thu")
    qtbot.addWidget(form)
    form.show()
    form.weekdays.button("fri").click()
    assert shown_choice(form) == "weekly"
    assert Cron(form.expression.text()).grid.weekdays == (1, 2, 3, 4, 5)
    form.weekdays.button("wed").click()
    assert form.expression.text() == "0 9 * * mon,tue,thu,fri"


@pytest.mark.contract("K28")
def test_every_two_weeks_is_no_expression(qtbot: QtBot) -> None:
    form = form_of("0 9 * * mon")
    qtbot.addWidget(form)
    form.show()
    form.choices.button("every").click()
    assert form.expression.isHidden() or not form.expression.isVisible()
    assert form.draft.document() == {"kind": "every", "every": "2w", "anchor": "2026-12-01T09:00"}
    form.interval.unit.setCurrentIndex(form.interval.unit.findData("s"))
    assert "shorter than a minute" in form.problem.text()


def test_plain_choices_are_the_only_ones_without_an_expression(qtbot: QtBot) -> None:
    form = form_of("0 9 * * *")
    qtbot.addWidget(form)
    form.show()
    for choice in CHOICES:
        form.choices.button(choice).click()
        assert form.expression.isVisible() == (choice not in PLAIN)


def test_one_of_a_unit_is_not_several(qtbot: QtBot) -> None:
    field = Duration("mh", "Every")
    qtbot.addWidget(field)
    field.show_text("1m")
    assert (field.unit.itemText(0), field.unit.itemText(1)) == ("minute", "hour")
    field.count.setValue(2)
    assert field.unit.currentText() == "minutes"

"""What is typed, pasted or shown in a field of several lines is what is saved and delivered, exactly."""

from __future__ import annotations

import subprocess
import sys

import pytest
from canvas_world import Key, Mod, OpenWindow, Person, World
from hypothesis import example, given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.plain_field import PlainField
from kavor.canvas.qt import QApplication, QMimeData

ODD = "a\ufeff\u00a0b\u2028c\u2029d\te\ufdd0f"
"""A mark, a space that holds words together, and all that Qt takes for the end of a line."""

texts = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"], exclude_characters=[chr(0xFDD2 + n) for n in range(5)]),
        st.sampled_from("\n\r\u00a0\u2028\u2029\ufeff\ufdd0\ufdd1"),
    ),
    max_size=20,
)


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def field(qtbot: QtBot) -> PlainField:
    field = PlainField()
    qtbot.addWidget(field)
    return field


def paste(field: PlainField, text: str) -> None:
    data = QMimeData()
    data.setData("text/plain;charset=utf-8", text.encode())
    field.insertFromMimeData(data)


@example("\ufeffbegins with a mark")
@given(text=texts)
def test_any_text_is_read_back_as_it_was_shown(qapp: QApplication, text: str) -> None:
    field = PlainField()
    field.show_exact(text)
    assert field.exact_text() == text


def test_a_text_is_pasted_and_copied_as_it_is(field: PlainField) -> None:
    field.show_exact("<>")
    cursor = field.textCursor()
    cursor.setPosition(1)
    field.setTextCursor(cursor)
    paste(field, ODD)
    assert field.exact_text() == f"<{ODD}>"
    field.selectAll()
    field.copy()
    assert QApplication.clipboard().text() == f"<{ODD}>"
    field.undo()
    assert field.exact_text() == "<>"


def test_a_program_ends_well_whose_text_is_in_the_clipboard() -> None:
    script = (
        "from kavor.canvas.plain_field import PlainField\n"
        "from kavor.canvas.qt import QApplication\n"
        "application = QApplication([])\n"
        "field = PlainField()\n"
        "field.show_exact('copied')\n"
        "field.selectAll()\n"
        "field.copy()\n"
        "print(application.clipboard().text())\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "copied\n")


def test_lines_of_another_system_are_pasted_as_lines(field: PlainField) -> None:
    paste(field, "one\r\ntwo\r\n")
    assert field.exact_text() == "one\ntwo\n"


def test_nothing_is_pasted_where_nothing_can_be_written(field: PlainField) -> None:
    field.show_exact("kept")
    field.setReadOnly(True)
    paste(field, "more")
    assert field.exact_text() == "kept"


def test_shift_and_enter_begin_a_line_like_any_other(field: PlainField, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "one")
    qtbot.keyClick(field, Key.Key_Return, Mod.ShiftModifier)
    qtbot.keyClicks(field, "two")
    assert field.exact_text() == "one\ntwo"


def test_a_payload_is_saved_as_it_was_pasted(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    window.panels.edit(schedule)
    form = window.panels.form
    assert isinstance(form, ScheduleEditor)
    form.payload.text.selectAll()
    paste(form.payload.text, f"echo {ODD}")
    form.save_button.click()
    qtbot.waitUntil(lambda: not form.is_changed)
    assert world.client.get(f"/api/schedules/{schedule}")["payload"] == f"echo {ODD}"
    window.panels.close_form()
    window.panels.edit(schedule)
    assert isinstance(window.panels.form, ScheduleEditor)
    assert not window.panels.form.is_changed


def test_a_message_is_sent_as_it_was_pasted(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    place = world.workspace()
    body = {"workspace": place, "kind": "coding-agent", "name": "writer", "x": 0, "y": 0}
    agent = world.client.post("/api/nodes", {**body, "provider": "scripted"})["id"]
    person = Person(qtbot, open_canvas())
    agents = person.window.live[person.view].agents
    agents.use(agent)
    assert agents.overlay is not None
    paste(agents.overlay.composer, ODD)
    agents.leave()
    agents.use(agent)
    assert agents.overlay is not None
    person.press(Key.Key_Return, Mod.ShiftModifier)
    person.type("and more")
    person.press(Key.Key_Return)

    def sent() -> list[str]:
        return [each["text"] for each in world.client.get(f"/api/nodes/{agent}/messages")["messages"]]

    person.until(lambda: bool(sent()))
    assert sent() == [f"{ODD}\nand more"]

"""The window closes at once, and takes nothing along that a person has typed or asked for."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
from canvas_world import PATIENCE_MS, Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.api.client import Client
from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.qt import QApplication, QLabel
from kavor.canvas.terminal.terminal_widget import TerminalWidget
from kavor.canvas.window import CanvasWindow

AT_ONCE_S = 1.0


def edited(window: CanvasWindow, qtbot: QtBot, schedule: str, payload: str) -> ScheduleEditor:
    """The form of a Schedule, with something typed in it."""
    window.panels.edit(schedule)
    form = window.panels.form
    assert isinstance(form, ScheduleEditor)
    form.payload.text.setPlainText(payload)
    qtbot.waitUntil(lambda: form.is_changed)
    return form


def test_a_runtime_that_does_not_answer_holds_up_no_closing(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule = world.schedule(place)
    world.terminal(place, open=True)
    window = open_canvas()
    pid = int(world.client.get("/api/runtime")["pid"])
    os.kill(pid, signal.SIGSTOP)
    try:
        window.edits.rename(schedule, "renamed while closing")
        window.edits.dismiss(1, schedule)
        before = time.monotonic()
        window.close()
        assert time.monotonic() - before < AT_ONCE_S
        assert not window.isVisible()
        assert not window.link.settle(0)  # it is still at what was asked
    finally:
        os.kill(pid, signal.SIGCONT)
    assert window.link.settle(PATIENCE_MS / 1000)
    assert world.client.get(f"/api/nodes/{schedule}")["name"] == "renamed while closing"


def test_changes_are_made_in_order_after_the_window_is_gone(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    released, made = threading.Event(), []

    def change(number: int) -> None:
        def make(client: Client) -> None:
            released.wait(20)
            made.append(number)

        window.link.change(make, lambda _: pytest.fail("nobody is told"), lambda _: None)

    for number in range(3):
        change(number)
    window.close()
    window.edits.rename(schedule, "asked for too late")
    released.set()
    assert window.link.settle(PATIENCE_MS / 1000)
    assert made == [0, 1, 2]
    assert world.client.get(f"/api/nodes/{schedule}")["name"] == "checks"


@pytest.mark.parametrize("key", [Key.Key_W, Key.Key_Q])
def test_a_key_closes_the_window(open_canvas: OpenWindow, world: World, qtbot: QtBot, key: Key) -> None:
    world.workspace()
    person = Person(qtbot, open_canvas())
    person.press(key, Mod.ControlModifier)
    assert not person.window.isVisible()
    assert world.client.get("/api/runtime")["pid"], "the runtime goes on"


def test_in_a_shell_the_same_key_is_the_shells(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    shell = world.terminal(world.workspace(), open=True)
    person = Person(qtbot, open_canvas())
    person.until(lambda: person.window.model.sessions[shell].waiting_for is None)
    person.select("shell")
    person.press(Key.Key_Return)
    person.until(lambda: isinstance(QApplication.focusWidget(), TerminalWidget))
    person.type("echo one two")
    person.press(Key.Key_W, Mod.ControlModifier)
    person.type("three")
    person.press(Key.Key_Return)

    def screen() -> str:
        return str(world.client.get(f"/api/sessions/{shell}/screen")["screen"])

    person.until(lambda: "\none three" in screen())
    assert person.window.isVisible()


class TestUnsaved:
    @pytest.fixture
    def schedule(self, world: World) -> str:
        return world.schedule(world.workspace())

    @pytest.fixture
    def window(self, open_canvas: OpenWindow, schedule: str, qtbot: QtBot) -> CanvasWindow:
        window = open_canvas()
        edited(window, qtbot, schedule, "echo typed")
        window.close()
        return window

    def test_the_person_is_asked(self, window: CanvasWindow) -> None:
        question = window.closing.question
        assert window.isVisible()
        assert question.isVisible()
        assert "Save “checks”?" in [label.text() for label in question.findChildren(QLabel)]
        assert [button.text() for button in (question.other, question.no, question.yes)] == [
            "Discard",
            "Cancel",
            "Save",
        ]

    def test_save_saves_and_closes(
        self, window: CanvasWindow, world: World, schedule: str, qtbot: QtBot
    ) -> None:
        window.closing.question.yes.click()
        qtbot.waitUntil(lambda: not window.isVisible(), timeout=PATIENCE_MS)
        assert world.client.get(f"/api/schedules/{schedule}")["payload"] == "echo typed"

    def test_discard_closes_and_saves_nothing(
        self, window: CanvasWindow, world: World, schedule: str
    ) -> None:
        window.closing.question.other.click()
        assert not window.isVisible()
        assert world.client.get(f"/api/schedules/{schedule}")["payload"] == "true"

    def test_cancel_stays(self, window: CanvasWindow, qtbot: QtBot) -> None:
        focused = QApplication.focusWidget()
        assert focused is window.closing.question.yes
        qtbot.keyClick(focused, Key.Key_Escape)
        assert window.isVisible()
        assert not window.closing.question.isVisible()
        form = window.panels.form
        assert isinstance(form, ScheduleEditor)
        assert form.payload.text.toPlainText() == "echo typed"

    def test_what_is_refused_stays_in_front(
        self, window: CanvasWindow, world: World, schedule: str, qtbot: QtBot
    ) -> None:
        form = window.panels.form
        assert isinstance(form, ScheduleEditor)
        form.payload.text.setPlainText("  ")
        window.panels.close_form()  # set aside, and not forgotten
        window.close()
        window.closing.question.yes.click()
        qtbot.waitUntil(lambda: window.panels.form is form, timeout=PATIENCE_MS)
        qtbot.waitUntil(form.problem.isVisible, timeout=PATIENCE_MS)
        assert window.isVisible()
        assert world.client.get(f"/api/schedules/{schedule}")["payload"] == "true"


def test_the_header_counts_nothing_down_without_a_runtime(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    world.client.post(f"/api/schedules/{schedule}/resume")
    person = Person(qtbot, open_canvas())
    header = person.window.header

    def words() -> list[str]:
        return [label.text() for label in header.findChildren(QLabel)]

    person.until(lambda: any(text.startswith("checks in ") for text in words()))
    world.stop()
    person.until(person.window.banner.isVisible)
    assert "Nothing fires now" in words()
    header.tick()
    assert not any(text.startswith("checks in ") for text in words())

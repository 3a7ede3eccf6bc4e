"""From an empty canvas to a Schedule that has fired into a real shell: once by mouse, once by keys.

The runtime's clock goes thirty times as fast, so that a minute takes two seconds. With
``KAVOR_PICTURES=FOLDER`` it goes as all clocks do, and each step leaves a picture there; those of
docs/canvas.md are taken so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from canvas_pictures import Pictures, are_wanted
from canvas_world import LEFT, PATIENCE_MS, Key, Mod, OpenWindow, Person, World, running_world
from pytestqt.qtbot import QtBot

from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.qt import QApplication, QContextMenuEvent, QMenu, QPoint, QWidget
from kavor.canvas.view import CanvasView
from kavor.domain.graph import NodeKind
from kavor.home import Home

EVERY_MINUTE = "* * * * *"
PAYLOAD = "echo fired | tee -a fired.txt"
MOST_TABS = 40
MINUTE_MS = 60_000


@pytest.fixture
def world(home: Home) -> Iterator[World]:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    speed = 1 if are_wanted() else 30
    with running_world(home, KAVOR_TEST_CLOCK=f"{now},{now},{speed}") as made:
        Path.home().joinpath(".bash_profile").write_text("PS1='\\W \\$ '\n")  # a prompt for any machine
        yield made


@pytest.fixture
def person(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    world.workspace()
    return Person(qtbot, open_canvas())


@pytest.fixture
def fired(world: World) -> Path:
    """What the payload writes, in the Workspace's folder."""
    return world.folder / "Lab" / "fired.txt"


def editor_of(person: Person) -> ScheduleEditor:
    form = person.window.panels.form
    assert isinstance(form, ScheduleEditor)
    return form


def until_fired(person: Person, fired: Path) -> None:
    person.qtbot.waitUntil(fired.exists, timeout=MINUTE_MS + PATIENCE_MS)
    person.until(lambda: person.outcome_of("Schedule") == "Completed")
    person.until(lambda: "\nfired" in screen_of(person, "Terminal"))
    assert set(fired.read_text().split()) == {"fired"}
    assert person.state_of("Schedule") == "Running"


def screen_of(person: Person, name: str) -> str:
    viewer = person.window.terminals[person.view].viewers.get(person.id_of(name))
    return "" if viewer is None else viewer.screen.text


def paste(person: Person, field: QWidget, text: str) -> None:
    """By the menu of the right button, as text that was copied elsewhere."""
    QApplication.clipboard().setText(text)
    target = getattr(field, "viewport", lambda: field)()
    at = target.rect().center()
    menu_event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, target.mapToGlobal(at))
    QApplication.sendEvent(target, menu_event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(each for each in menu.actions() if each.objectName() == "edit-paste")
    person.qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


@pytest.mark.contract("K16", "K19")
def test_by_mouse_alone(person: Person, fired: Path) -> None:
    pictures = Pictures(person.window, "by-mouse")
    pictures.take()
    person.carry(NodeKind.SCHEDULE, QPoint(260, 200))
    person.until_names("Schedule")
    person.until(lambda: person.state_of("Schedule") == "Paused")
    pictures.take(QPoint(260, 200))
    person.carry(NodeKind.TERMINAL, QPoint(560, 420))
    person.until_names("Schedule", "Terminal")
    person.until(lambda: screen_of(person, "Terminal").endswith(("$", "#")))
    person.qtbot.mouseClick(person.window.zoom_controls.findChildren(QWidget)[-1], LEFT)  # fit all

    person.qtbot.mouseDClick(person.view.viewport(), LEFT, pos=person.title("Schedule"))
    editor = editor_of(person)
    paste(person, editor.payload.text, PAYLOAD)
    person.qtbot.mouseClick(editor.when.choices.button("custom"), LEFT)
    editor.when.expression.selectAll()
    paste(person, editor.when.expression, EVERY_MINUTE)
    pictures.take(editor.save_button.rect().center(), of=editor.save_button)
    person.qtbot.mouseClick(editor.save_button, LEFT)
    person.until(lambda: not editor.is_changed)
    person.qtbot.mouseClick(editor.cancel_button, LEFT)

    person.pull(person.handle("Schedule", side=1), person.middle("Terminal"))
    pictures.take(person.middle("Terminal"))
    person.let_go(person.middle("Terminal"))
    person.until(lambda: person.target_of("Schedule") == "Terminal")
    assert person.state_of("Schedule") == "Paused"
    person.until(lambda: "Resume" in person.actions_of("Schedule"))
    pictures.take(person.button("Schedule", "Resume"))
    person.hand.press_button(person.id_of("Schedule"), "Resume")
    until_fired(person, fired)
    pictures.take()


def tab_to(person: Person, wanted: QWidget) -> None:
    for _ in range(MOST_TABS):
        if QApplication.focusWidget() is wanted:
            return
        person.press(Key.Key_Tab)
    raise AssertionError(f"{MOST_TABS} presses of Tab do not lead to {wanted}")


@pytest.mark.contract("K16", "K19")
def test_by_keys_alone(person: Person, fired: Path) -> None:
    pictures = Pictures(person.window, "by-keys")
    person.press(Key.Key_S)
    person.until(lambda: person.selected() == ["Schedule"] and person.state_of("Schedule") == "Paused")
    pictures.take()
    person.press(Key.Key_Return)
    editor = editor_of(person)
    tab_to(person, editor.payload.text)
    person.type(PAYLOAD)
    tab_to(person, editor.when.choices.button("once"))
    for _ in range(7):
        person.press(Key.Key_Right)
    person.press(Key.Key_Space)
    tab_to(person, editor.when.expression)
    person.press(Key.Key_A, Mod.ControlModifier)
    person.type(EVERY_MINUTE)
    pictures.take()
    person.press(Key.Key_S, Mod.ControlModifier)
    person.until(lambda: not editor.is_changed)
    person.press(Key.Key_Escape)
    assert isinstance(QApplication.focusWidget(), CanvasView)

    person.press(Key.Key_T)
    person.until(lambda: person.selected() == ["Terminal"])
    person.until(lambda: screen_of(person, "Terminal").endswith(("$", "#")))
    person.press(Key.Key_C)
    person.type("sched")
    pictures.take()
    person.press(Key.Key_Return)
    person.until(lambda: person.target_of("Schedule") == "Terminal")
    person.press(Key.Key_F, Mod.ControlModifier)
    person.type("schedule")
    pictures.take()
    person.press(Key.Key_Escape)
    assert person.selected() == ["Schedule"]
    person.press(Key.Key_R)
    until_fired(person, fired)
    person.press(Key.Key_H)
    history = person.window.panels.history
    assert history is not None
    person.until(lambda: history.details.output.toPlainText() == "fired\n")
    pictures.take()

"""To undo an addition is a deletion: it is asked about alike, and what had become of the Node comes back."""

from __future__ import annotations

import pytest
from canvas_world import Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.qt import QLabel


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def person(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    world.workspace()
    return Person(qtbot, open_canvas())


def asked(person: Person) -> str:
    question = person.window.workbench.question
    if not question.isVisible():
        return ""
    return " ".join(label.text() for label in question.findChildren(QLabel))


def undo(person: Person) -> None:
    person.view.setFocus()
    person.press(Key.Key_Z, Mod.ControlModifier)


def redo(person: Person) -> None:
    person.view.setFocus()
    person.press(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)


def test_a_shell_that_was_added_is_not_ended_without_a_question(person: Person, world: World) -> None:
    person.press(Key.Key_T)
    person.until_names("Terminal")
    shell = person.id_of("Terminal")
    person.until(lambda: person.window.model.sessions[shell].state == "open")
    undo(person)
    person.until(lambda: "Undo “Add Terminal”?" in asked(person))
    assert "The shell of “Terminal” ends" in asked(person)
    person.press(Key.Key_Escape)
    assert world.client.get(f"/api/nodes/{shell}")["session"]["state"] == "open"
    undo(person)
    person.until(lambda: bool(asked(person)))
    person.press(Key.Key_Return)
    person.until_names()


def test_nor_by_doing_a_deletion_again(person: Person, world: World) -> None:
    person.press(Key.Key_T)
    person.until_names("Terminal")
    person.until(lambda: person.window.model.sessions[person.id_of("Terminal")].state == "open")
    person.until(lambda: person.selected() == ["Terminal"])
    person.press(Key.Key_Delete)
    person.press(Key.Key_Return)
    person.until_names()
    undo(person)
    person.until_names("Terminal")
    person.until(lambda: person.window.model.sessions[person.id_of("Terminal")].state == "open")
    redo(person)
    person.until(lambda: "Redo “Delete Terminal”?" in asked(person))


def test_what_had_become_of_a_node_comes_back_with_it(person: Person, world: World) -> None:
    person.press(Key.Key_N)
    person.until_names("Sticky Note")
    note = person.id_of("Sticky Note")
    version = world.client.get(f"/api/nodes/{note}/text")["version"]
    world.client.put(f"/api/nodes/{note}/text", {"text": "an agent's report"}, version=version)
    undo(person)
    assert asked(person) == ""
    person.until_names()
    redo(person)
    person.until_names("Sticky Note")
    back = world.client.get(f"/api/nodes/{person.id_of('Sticky Note')}")
    assert back["text"] == "an agent's report"
    undo(person)
    person.until_names()

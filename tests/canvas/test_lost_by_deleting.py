"""Nothing that a person typed goes with a Node without a word: the question before it is deleted names it."""

from __future__ import annotations

import pytest
from canvas_world import Key, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.panels.agent_settings import AgentSettings
from kavor.canvas.qt import QLabel


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def person(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    """With a Schedule ``checks`` and an agent ``writer`` whose session is closed, so that nothing runs."""
    place = world.workspace()
    world.schedule(place)
    body = {"workspace": place, "kind": "coding-agent", "name": "writer", "x": 420, "y": 0}
    world.client.post("/api/nodes", {**body, "provider": "scripted", "open": False})
    return Person(qtbot, open_canvas())


def asked(person: Person) -> str:
    """What the question says, once Delete is pressed; empty where there is none."""
    person.view.setFocus()
    person.press(Key.Key_Delete)
    question = person.window.workbench.question
    return " ".join(label.text() for label in question.findChildren(QLabel)) if question.isVisible() else ""


def test_what_was_written_to_an_agent_and_not_sent(person: Person) -> None:
    writer, agents = person.id_of("writer"), person.window.live[person.view].agents
    agents.use(writer)
    person.type("Look at this first")
    agents.leave()
    person.select("writer")
    assert "What you wrote to “writer” is not sent." in asked(person)
    person.window.workbench.question.no.click()
    assert person.names() == ["checks", "writer"]
    agents.use(writer)
    assert agents.overlay is not None
    assert agents.overlay.composer.toPlainText() == "Look at this first"
    agents.leave()
    asked(person)
    person.window.workbench.question.yes.click()
    person.until_names("checks")


def test_what_was_typed_in_the_form_of_a_schedule(person: Person) -> None:
    person.window.panels.edit(person.id_of("checks"))
    form = person.window.panels.form
    assert isinstance(form, ScheduleEditor)
    form.payload.text.setPlainText("make check")
    person.select("checks")
    assert "What you typed in “checks” is not saved." in asked(person)


def test_what_was_typed_in_the_settings_of_an_agent_and_put_aside(person: Person) -> None:
    person.window.panels.edit(person.id_of("writer"))
    form = person.window.panels.form
    assert isinstance(form, AgentSettings)
    form.model.setFocus()
    person.type("large")
    person.window.panels.close_form()
    person.select("writer")
    assert "What you typed in “writer” is not saved." in asked(person)


def test_nothing_is_asked_where_nothing_is_lost(person: Person) -> None:
    person.window.panels.edit(person.id_of("checks"))
    person.select("checks")
    assert asked(person) == ""
    person.until_names("writer")

"""Edits while the runtime is gone: nothing is shown that is not so."""

from __future__ import annotations

import pytest
from canvas_world import Key, OpenWindow, Person, World
from pytestqt.qtbot import QtBot


@pytest.fixture
def person(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    world.schedule(world.workspace())
    return Person(qtbot, open_canvas())


def test_the_canvas_stays_true_and_says_why(person: Person, world: World) -> None:
    before = person.view.canvas.card_rect(person.id_of("checks"))
    world.stop()
    person.select("checks")
    person.press(Key.Key_Down)
    person.until(person.window.refusal.isVisible)
    person.until(lambda: person.view.canvas.card_rect(person.id_of("checks")) == before)
    person.window.refusal.hide()
    person.press(Key.Key_Delete)
    person.until(person.window.refusal.isVisible)
    assert person.names() == ["checks"]
    assert not person.window.workbench.palette.undo_button.isEnabled()

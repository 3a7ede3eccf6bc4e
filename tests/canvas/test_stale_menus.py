"""A menu whose Node or Connection another face removes while it is open does nothing, and breaks nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from canvas_world import OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.qt import QAction, QLineEdit, QMenu
from kavor.canvas.scene.connection_item import ConnectionItem

GONE = "That Connection was removed meanwhile"


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def person(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    """With a note, an agent that may not change it, and a File whose path a shell has in PLAN."""
    place = world.workspace()
    shell = world.terminal(place, x=900, y=400)

    def add(kind: str, x: float, y: float, **fields: object) -> str:
        body = {"workspace": place, "kind": kind, "name": kind, "x": x, "y": y, **fields}
        return str(world.client.post("/api/nodes", body)["id"])

    (world.folder / "Lab" / "plan").touch()
    file = add("file", 0, 400, path="plan")
    note, agent = add("sticky-note", 0, 0), add("coding-agent", 900, 0, provider="scripted", open=False)
    world.client.post("/api/connections", {"a": file, "b": shell, "env": "PLAN"})
    world.client.post("/api/connections", {"a": agent, "b": note})
    return Person(qtbot, open_canvas())


def wire_from(person: Person, name: str) -> ConnectionItem:
    start = person.id_of(name)
    items = person.view.canvas.connection_items.values()
    return next(item for item in items if start in (item.connection.a, item.connection.b))


def action(menu: QMenu, wanted: Callable[[str], bool]) -> QAction:
    return next(each for each in menu.actions() if wanted(each.text()))


def remove(person: Person, world: World, item: ConnectionItem) -> None:
    world.client.delete("/api/connections", a=item.connection.a, b=item.connection.b)
    person.until(lambda: item.connection.id not in person.view.canvas.connection_items)


def test_a_variable_is_not_renamed_on_a_wire_that_is_gone(person: Person, world: World) -> None:
    item = wire_from(person, "file")
    menu = person.menu_at(person.view.mapFromScene(item.sign_rect.center()))
    rename = action(menu, lambda words: "PLAN" in words)
    remove(person, world, item)
    rename.trigger()
    assert not person.view.viewport().findChildren(QLineEdit)
    assert person.window.refusal.isVisible()
    assert GONE in person.window.refusal.accessibleName()


def test_nor_on_one_that_goes_while_its_name_is_typed(person: Person, world: World) -> None:
    item = wire_from(person, "file")
    menu = person.menu_at(person.view.mapFromScene(item.sign_rect.center()))
    action(menu, lambda words: "PLAN" in words).trigger()
    (field,) = person.view.viewport().findChildren(QLineEdit)
    remove(person, world, item)
    field.setText("OTHER")
    field.clearFocus()
    assert GONE in person.window.refusal.accessibleName()
    assert person.connections() == 1  # and no new wire is drawn for it


def test_a_guardrail_draws_no_wire_anew(person: Person, world: World) -> None:
    item = wire_from(person, "sticky-note")
    menu = person.menu_at(person.view.mapFromScene(item.sign_rect.center()))
    guardrail = action(menu, lambda words: words.startswith("Guardrail"))
    remove(person, world, item)
    guardrail.trigger()
    assert GONE in person.window.refusal.accessibleName()
    assert person.connections() == 1


def test_a_node_that_is_gone_is_given_no_colour(person: Person, world: World) -> None:
    menu = person.menu_at(person.title("sticky-note"))
    colours = action(menu, lambda words: words == "Colour").menu()
    assert isinstance(colours, QMenu)
    world.client.delete(f"/api/nodes/{person.id_of('sticky-note')}")
    person.until(lambda: "sticky-note" not in person.names())
    action(colours, lambda words: words == "Green").trigger()
    assert not person.window.workbench.desk_of(person.view).history.undo_words

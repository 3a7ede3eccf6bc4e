"""The sign of what a Connection carries or forbids stands where a person sees it, whatever covers it."""

from __future__ import annotations

from typing import Any

import pytest
from canvas_world import OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.qt import QPointF, QRectF
from kavor.canvas.scene.connection_item import ConnectionItem
from kavor.canvas.scene.connection_sign import ConnectionSign


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def place(world: World) -> str:
    return world.workspace()


def add(world: World, place: str, kind: str, name: str, x: float, y: float = 0, **fields: Any) -> str:
    body = {"workspace": place, "kind": kind, "name": name, "x": x, "y": y, **fields}
    return str(world.client.post("/api/nodes", body)["id"])


def guarded(world: World, place: str, gap: float) -> None:
    """A note, and right of it an agent that may not change it."""
    note = add(world, place, "sticky-note", "plan", 0)
    agent = add(world, place, "coding-agent", "writer", 240 + gap, provider="scripted", open=False)
    world.client.post("/api/connections", {"a": agent, "b": note, "guardrail": "sticky_note_read_only"})


def wire(person: Person) -> ConnectionItem:
    (item,) = person.view.canvas.connection_items.values()
    return item


def cards(person: Person) -> list[QRectF]:
    return [person.view.canvas.card_rect(node_id) for node_id in person.view.canvas.node_items]


def is_free(person: Person) -> bool:
    return not any(card.intersects(wire(person).sign_rect) for card in cards(person))


def test_a_shield_leaves_the_middle_of_its_wire_when_a_card_covers_it(
    world: World, place: str, open_canvas: OpenWindow, qtbot: QtBot
) -> None:
    guarded(world, place, gap=700)
    person = Person(qtbot, open_canvas())
    middle = wire(person).sign_rect.center()

    add(world, place, "terminal", "shell", middle.x() - 200, middle.y() - 100)
    person.until(lambda: "shell" in person.names())
    assert is_free(person)
    aside = wire(person).sign_rect.center()
    assert aside != middle

    # Drawn away from under it, and put back again, as the hand does it.
    shell = person.view.canvas.node_items[person.id_of("shell")]
    before = shell.pos()
    person.view.canvas.place({shell: before + QPointF(0, 900)})
    assert wire(person).sign_rect.center() == middle
    person.view.canvas.place({shell: before})
    assert wire(person).sign_rect.center() == aside

    world.client.delete(f"/api/nodes/{shell.node_id}")
    person.until_names("plan", "writer")
    assert wire(person).sign_rect.center() == middle


def test_between_two_near_cards_a_shield_lies_over_their_edges(
    world: World, place: str, open_canvas: OpenWindow, qtbot: QtBot
) -> None:
    guarded(world, place, gap=12)
    person = Person(qtbot, open_canvas())
    sign = wire(person).sign_rect
    assert not is_free(person)
    for corner in (sign.center() - QPointF(10, 0), sign.center() + QPointF(10, 0)):
        assert isinstance(person.view.canvas.items(corner)[0], ConnectionSign)


def test_what_is_wholly_covered_covers_nothing(
    world: World, place: str, open_canvas: OpenWindow, qtbot: QtBot
) -> None:
    guarded(world, place, gap=60)
    person = Person(qtbot, open_canvas())
    middle = wire(person).sign_rect.center()
    add(world, place, "terminal", "shell", middle.x() - 200, middle.y() - 100)
    person.until(lambda: "shell" in person.names())
    uppermost = person.view.canvas.items(wire(person).sign_rect.center())[0]
    assert uppermost is person.view.canvas.node_items[person.id_of("shell")]


def test_a_hand_on_the_shield_is_on_its_wire(
    world: World, place: str, open_canvas: OpenWindow, qtbot: QtBot
) -> None:
    guarded(world, place, gap=80)
    person = Person(qtbot, open_canvas())
    rim = person.view.mapFromScene(wire(person).sign_rect.center() + QPointF(0, 10))
    person.pull(rim, rim)
    person.let_go(rim)
    assert wire(person).isSelected()
    assert person.view.canvas.is_selected(wire(person).connection)
    away = person.view.mapFromScene(wire(person).sign_rect.center() + QPointF(0, 300))
    person.pull(away, away)
    person.let_go(away)
    assert not wire(person).isSelected()

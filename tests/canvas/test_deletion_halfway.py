"""A deletion or an undo that stops halfway: what was deleted comes back, once, and what is left is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from canvas_world import Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.api.client import Client
from kavor.domain.errors import KavorError, NotFound, StorageFailed, Unreachable

Stumble = Callable[..., None]


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def person(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    """With three connected Nodes, all selected."""
    place = world.workspace()
    shell = world.terminal(place)
    world.schedule(place, target=shell)
    body = {"workspace": place, "kind": "coding-agent", "name": "writer", "x": 900, "y": 0}
    agent = world.client.post("/api/nodes", {**body, "provider": "scripted", "open": False})["id"]
    world.client.post("/api/connections", {"a": agent, "b": shell, "guardrail": "terminal_read_only"})
    person = Person(qtbot, open_canvas())
    person.press(Key.Key_A, Mod.ControlModifier)
    return person


@pytest.fixture
def stumble(monkeypatch: pytest.MonkeyPatch) -> Stumble:
    """After so many requests of this kind one fails; ``done``: it was done all the same."""

    def arm(method: str, error: KavorError, *, after: int, done: bool = False) -> None:
        original, calls = getattr(Client, method), [0]

        def stumbling(client: Client, path: str, *given: Any, **query: Any) -> Any:
            calls[0] += 1
            if calls[0] - 1 != after:
                return original(client, path, *given, **query)
            if done:
                original(client, path, *given, **query)
            raise error

        monkeypatch.setattr(Client, method, stumbling)

    return arm


def is_whole(person: Person) -> bool:
    guardrails = [each.guardrail for each in person.window.model.connections.values()]
    return sorted(person.names()) == ["checks", "shell", "writer"] and sorted(map(str, guardrails)) == [
        "None",
        "terminal_read_only",
    ]


def undo(person: Person) -> None:
    person.view.setFocus()
    person.press(Key.Key_Z, Mod.ControlModifier)


def test_what_was_deleted_before_it_stopped_is_undone(person: Person, stumble: Stumble) -> None:
    stumble("delete", KavorError("it went wrong"), after=1)
    person.press(Key.Key_Delete)
    person.until(person.window.refusal.isVisible)
    assert "It went wrong" in person.window.refusal.accessibleName()
    person.until(lambda: len(person.names()) == 2)
    undo(person)
    person.until(lambda: is_whole(person))


@pytest.mark.parametrize("done", [True, False])
def test_what_nobody_said_was_deleted_comes_back_once(person: Person, stumble: Stumble, done: bool) -> None:
    stumble("delete", Unreachable("the runtime went away"), after=1, done=done)
    person.press(Key.Key_Delete)
    person.until(person.window.refusal.isVisible)
    person.until(lambda: len(person.names()) == (1 if done else 2))
    undo(person)
    person.until(lambda: is_whole(person))


def test_what_cannot_be_looked_for_is_not_made_twice(
    person: Person, world: World, stumble: Stumble, monkeypatch: pytest.MonkeyPatch
) -> None:
    stumble("delete", Unreachable("the runtime went away"), after=0)
    with monkeypatch.context() as patch:
        gets: list[str] = []
        original = Client.get

        def get(client: Client, path: str, **query: Any) -> Any:
            gets.append(path)
            if path.startswith("/api/nodes/") and gets.count(path) > 1:
                raise Unreachable("the runtime went away")
            return original(client, path, **query)

        patch.setattr(Client, "get", get)
        person.press(Key.Key_Delete)
        person.until(person.window.refusal.isVisible)
    assert is_whole(person)
    undo(person)
    answered: list[None] = []
    person.window.link.change(lambda _: None, answered.append, lambda _: None)  # after the undo
    person.until(lambda: bool(answered))
    assert len(world.client.get("/api/nodes")["nodes"]) == 3


def test_where_none_was_deleted_there_is_nothing_to_undo(person: Person, stumble: Stumble) -> None:
    stumble("delete", KavorError("it went wrong"), after=0)
    person.press(Key.Key_Delete)
    person.until(person.window.refusal.isVisible)
    assert is_whole(person)
    assert not person.window.workbench.desk_of(person.view).history.undo_words


@pytest.mark.parametrize("after", [1, 3])
def test_an_undo_that_stopped_goes_on_where_it_stopped(person: Person, stumble: Stumble, after: int) -> None:
    person.press(Key.Key_Delete)
    person.until_names()
    stumble("post", StorageFailed("the disk is full"), after=after)
    undo(person)
    person.until(person.window.refusal.isVisible)
    assert "The disk is full. Not all of it is back yet" in person.window.refusal.accessibleName()
    assert not is_whole(person)
    undo(person)
    person.until(lambda: is_whole(person))
    person.view.setFocus()
    person.press(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    person.until_names()


def test_what_is_gone_at_every_try_ends_the_undo(person: Person, stumble: Stumble) -> None:
    person.press(Key.Key_Delete)
    person.until_names()
    stumble("post", NotFound("there is no such thing"), after=1)
    undo(person)
    person.until(person.window.refusal.isVisible)
    person.until(lambda: len(person.names()) == 2)
    assert not person.window.workbench.desk_of(person.view).history.undo_words

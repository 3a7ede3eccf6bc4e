"""Which cards are in view, and when it is time to look."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
from pytestqt.qtbot import QtBot

from kavor.canvas.cards.brush import Look
from kavor.canvas.in_view import InView
from kavor.canvas.link import Link, LinkState
from kavor.canvas.model import Model, Snapshot
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.theme import load_theme
from kavor.canvas.view import CanvasView
from kavor.home import Home

NEAR, FAR = "near", "far"
PATIENCE_MS = 20_000
WHILE_MS = 400
"""Longer than the canvas takes to settle."""


class World:
    def __init__(self, qtbot: QtBot, home: Home) -> None:
        self.model = Model()
        workspace = {"id": "w", "name": "Lab", "directory": "/lab"}
        self.model.load(Snapshot([workspace], [_node(NEAR, 0), _node(FAR, 9_000)], [], []))
        scene = CanvasScene(self.model, "w", Look(load_theme("light")), ZoneInfo("UTC"))
        self.view = CanvasView(scene)
        scene.setParent(self.view)
        qtbot.addWidget(self.view)
        self.view.resize(800, 600)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.link = Link(home, "UTC")
        self.link.state = LinkState.CONNECTED
        self.look_at(NEAR)
        self.in_view = InView(self.view, self.link, readable=0.5)

    def look_at(self, node_id: str) -> None:
        self.view.set_zoom(1.0)
        self.view.centerOn(self.view.canvas.node_items[node_id])

    @property
    def seen(self) -> list[str]:
        return self.in_view.among(self.model.nodes)


def _node(name: str, x: float) -> dict[str, object]:
    return {"id": name, "workspace": "w", "kind": "terminal", "name": name, "x": x, "y": 0, "revision": 1}


@pytest.fixture
def world(qtbot: QtBot, home: Home) -> World:
    """Where nothing has moved for a while."""
    made = World(qtbot, home)
    with qtbot.waitSignal(made.in_view.settled, timeout=PATIENCE_MS):
        pass
    return made


def test_only_cards_that_the_window_shows_are_in_view(world: World) -> None:
    assert world.seen == [NEAR]
    world.look_at(FAR)
    assert world.seen == [FAR]
    assert world.in_view.among([NEAR]) == []


def test_nothing_is_in_view_too_far_out_unseen_or_without_the_runtime(world: World) -> None:
    world.view.set_zoom(0.49)
    assert world.seen == []
    world.look_at(NEAR)
    world.link.state = LinkState.GONE
    assert world.seen == []
    world.link.state = LinkState.CONNECTED
    world.view.showMinimized()
    assert world.seen == []
    world.view.showNormal()
    assert world.seen == [NEAR]
    world.view.hide()
    assert world.seen == []


def _zoom(world: World) -> None:
    world.view.zoom_changed.emit(1.0)


def _scroll(world: World) -> None:
    world.view.horizontalScrollBar().setValue(world.view.horizontalScrollBar().value() + 40)


def _resize(world: World) -> None:
    world.view.resize(900, 600)


def _connect(world: World) -> None:
    world.link.state_changed.emit(LinkState.CONNECTED, "")


def _reload(world: World) -> None:
    world.model.reloaded.emit()


def _move(world: World) -> None:
    world.model.node_moved.emit(NEAR)


CHANGES = [_zoom, _scroll, _resize, _connect, _reload, _move]


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_time_to_look_once_after_whatever_may_bring_others_into_view(
    world: World, qtbot: QtBot, change: Callable[[World], None]
) -> None:
    looks: list[None] = []
    world.in_view.settled.connect(lambda: looks.append(None))
    change(world)
    assert not looks, "not before the canvas is at rest"
    change(world)
    qtbot.waitUntil(lambda: bool(looks), timeout=PATIENCE_MS)
    qtbot.wait(WHILE_MS)
    assert len(looks) == 1


def test_what_failed_is_looked_at_again_though_nothing_moves(world: World, qtbot: QtBot) -> None:
    with qtbot.waitSignal(world.in_view.settled, timeout=PATIENCE_MS):
        world.in_view.again(50)


@pytest.mark.parametrize("change", [*CHANGES, lambda world: world.in_view.again(1)])
def test_once_released_it_tells_nothing_more(
    world: World, qtbot: QtBot, change: Callable[[World], None]
) -> None:
    looks: list[None] = []
    world.in_view.settled.connect(lambda: looks.append(None))
    change(world)
    world.in_view.release()
    qtbot.wait(WHILE_MS)
    assert looks == []

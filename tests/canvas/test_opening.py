"""What is seen first: a window within the screen, cards beside the tools, the demo in full detail."""

from __future__ import annotations

import pytest
from canvas_world import ZONE, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.app.demo import EVERY_MINUTE
from kavor.app.demo_graph import draw_graph, make_workspace_folder
from kavor.canvas.app import open_window
from kavor.canvas.cards.card import NEAR
from kavor.canvas.qt import QRect, QSize
from kavor.canvas.theme import load_theme

SMALL_SCREEN = QSize(1280, 800)
TITLE_BAR = 38


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.mark.parametrize("fits", [True, False])
def test_a_window_that_a_screen_has_no_room_for_takes_all_of_it(
    world: World, qtbot: QtBot, fits: bool
) -> None:
    window = open_window(world.home, ZONE, load_theme("dark"))
    qtbot.addWidget(window)
    room = window.screen().availableSize()
    window.resize(room - QSize(40, 80) if fits else room + QSize(40, 0))
    window.show_within_screen()
    assert window.isVisible()
    assert window.isMaximized() is not fits
    window.close()
    assert window.link.settle(20)


def test_the_demo_opens_with_full_cards_on_a_small_screen(
    world: World, open_canvas: OpenWindow, qtbot: QtBot
) -> None:
    folder = world.folder / "demo"
    make_workspace_folder(folder)
    graph = draw_graph(world.client, folder, EVERY_MINUTE)
    person = Person(qtbot, open_canvas())
    person.window.resize(SMALL_SCREEN - QSize(0, TITLE_BAR))
    terminal = person.view.canvas.node_items[graph.terminal["id"]]
    person.until(lambda: terminal.card.size.width() > 560)  # its 80 columns are on view
    person.view.fit_all()
    assert person.view.zoom >= NEAR

    def on_view(widget_rect: QRect) -> QRect:
        return QRect(
            person.view.viewport().mapFromGlobal(person.window.pages.mapToGlobal(widget_rect.topLeft())),
            widget_rect.size(),
        )

    tools = (person.window.workbench.palette, person.window.zoom_controls)
    for node_id, item in person.view.canvas.node_items.items():
        card = person.view.mapFromScene(person.view.canvas.card_rect(node_id)).boundingRect()
        assert person.view.viewport().rect().contains(card), item.face.title
        for tool in tools:
            assert not on_view(tool.geometry()).intersects(card), item.face.title
    rects = {node_id: person.view.canvas.card_rect(node_id) for node_id in person.view.canvas.node_items}
    for one, rect in rects.items():
        assert not any(rect.intersects(other) for node_id, other in rects.items() if node_id != one)

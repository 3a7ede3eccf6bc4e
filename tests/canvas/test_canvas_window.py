"""The window over a real runtime: what it shows, what a click does, and what it says when nobody answers."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from kavor.api.launch import ensure_runtime
from kavor.canvas.link import LinkState
from kavor.canvas.qt import QFileDialog, QLabel, QPointF, Qt
from kavor.canvas.view import CanvasView
from kavor.canvas.window import CanvasWindow

PATIENCE_MS = 20_000


def view_of(window: CanvasWindow) -> CanvasView:
    view = window.view
    assert view is not None
    view.set_zoom(1.0)
    view.centerOn(400, 200)
    return view


def words_of(widget: object) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel))  # type: ignore[attr-defined]


def test_a_home_without_workspaces_offers_to_open_a_folder(open_canvas, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    window = open_canvas()
    qtbot.waitUntil(lambda: window.empty.button.isVisible(), timeout=PATIENCE_MS)
    assert "No Workspace yet" in words_of(window.empty)


@pytest.mark.contract("K1", "K17", "K60")
def test_nodes_are_shown_and_follow_what_happens(open_canvas, world, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    target = world.terminal(place)
    schedule = world.schedule(place, target=target)
    window = open_canvas()
    canvas = view_of(window).canvas
    assert canvas.node_items.keys() == {schedule, target}
    assert len(canvas.connection_items) == 1
    face = canvas.node_items[schedule].face
    assert face.state == "Paused"
    assert face.headline == "Every day at 09:00"
    assert face.headline_note == "Europe/Berlin"
    assert len(face.rows) == 3
    assert face.outcome is None  # a planned time is no proof of a run

    world.client.post(f"/api/schedules/{schedule}/run")  # its target has no session: Blocked
    qtbot.waitUntil(lambda: canvas.node_items[schedule].face.outcome is not None, timeout=PATIENCE_MS)
    assert canvas.node_items[schedule].face.outcome.text == "Blocked"
    late = world.schedule(place, "later", y=400)
    qtbot.waitUntil(lambda: late in canvas.node_items, timeout=PATIENCE_MS)
    world.client.delete(f"/api/nodes/{target}")
    qtbot.waitUntil(lambda: target not in canvas.node_items, timeout=PATIENCE_MS)
    assert not canvas.connection_items


@pytest.mark.contract("K19")
def test_resume_is_a_click_on_the_card(open_canvas, world, hand, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    window = open_canvas()
    view = view_of(window)
    hand(view).press_button(schedule, "Resume")
    qtbot.waitUntil(lambda: view.canvas.node_items[schedule].face.state == "Running", timeout=PATIENCE_MS)
    assert world.client.get(f"/api/schedules/{schedule}")["state"] == "Running"
    assert "1 Running" in words_of(window.header)
    qtbot.waitUntil(lambda: "checks in " in words_of(window.header), timeout=PATIENCE_MS)
    hand(view).press_button(schedule, "Pause")
    qtbot.waitUntil(lambda: view.canvas.node_items[schedule].face.state == "Paused", timeout=PATIENCE_MS)
    assert "Nothing is due" in words_of(window.header)


def test_a_dragged_card_stays_where_it_was_put(open_canvas, world, hand, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    node = world.schedule(place)
    view = view_of(open_canvas())
    start = hand(view).spot(node, QPointF(60, 60))
    end = hand(view).spot(node, QPointF(160, 100))
    hand(view).drag(start, end)
    assert view.canvas.node_items[node].pos() == QPointF(100, 40)

    def kept() -> bool:
        told = world.client.get(f"/api/nodes/{node}")
        return (told["x"], told["y"]) == (100, 40)

    qtbot.waitUntil(kept, timeout=PATIENCE_MS)
    assert view.canvas.node_items[node].isSelected()


def test_a_rectangle_on_the_bare_canvas_selects_what_it_touches(open_canvas, world, hand) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    near, far = world.schedule(place), world.schedule(place, "far", y=500)
    view = view_of(open_canvas())
    hand(view).drag(hand(view).spot(near, QPointF(-40, -40)), hand(view).spot(near, QPointF(50, 50)))
    assert [item.node_id for item in view.canvas.selected_nodes()] == [near]
    assert not view.canvas.node_items[far].isSelected()


def test_an_empty_canvas_says_how_to_begin(open_canvas, world, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    window = open_canvas()
    hint = window.workbench.hint
    assert hint.isVisible()
    assert "Double-click anywhere, or press A," in words_of(hint)
    assert abs(hint.geometry().center().x() - window.pages.rect().center().x()) <= 1
    qtbot.mouseDClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=hint.geometry().center())
    assert window.workbench.chooser.isVisible()  # the mouse goes through it
    node = world.schedule(place)
    qtbot.waitUntil(lambda: not hint.isVisible(), timeout=PATIENCE_MS)
    world.client.delete(f"/api/nodes/{node}")
    qtbot.waitUntil(hint.isVisible, timeout=PATIENCE_MS)


def test_a_long_name_does_not_widen_the_window(open_canvas, world, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    node = world.schedule(place, name="every night " * 12)
    window = open_canvas()
    least = window.minimumSizeHint().width()
    world.client.post(f"/api/schedules/{node}/resume")
    qtbot.waitUntil(lambda: "every night" in words_of(window.header), timeout=PATIENCE_MS)
    assert window.minimumSizeHint().width() < least + 400
    window.panels.edit(node)
    assert window.panels.form.title.cursorPosition() == 0  # it is read from its beginning


def test_a_refusal_is_said_beside_its_card(open_canvas, world, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    node = world.schedule(place)
    window = open_canvas()
    view = view_of(window)
    view.act(node, "Run now")  # no target: the card offers no such button
    qtbot.waitUntil(window.refusal.isVisible, timeout=PATIENCE_MS)
    assert "no target" in words_of(window.refusal)
    assert window.rect().contains(window.refusal.geometry())


def test_a_runtime_that_is_gone_is_said_and_the_next_one_is_taken_up(
    open_canvas, world, qtbot: QtBot
) -> None:  # type: ignore[no-untyped-def]
    place = world.workspace()
    window = open_canvas()
    world.stop()
    qtbot.waitUntil(window.banner.isVisible, timeout=PATIENCE_MS)
    assert "Nothing fires until it runs again" in words_of(window.banner)
    ensure_runtime(world.home)
    qtbot.waitUntil(lambda: not window.banner.isVisible(), timeout=PATIENCE_MS)
    assert window.link.state is LinkState.CONNECTED
    added = world.schedule(place)
    qtbot.waitUntil(lambda: added in view_of(window).canvas.node_items, timeout=PATIENCE_MS)


def test_a_stopped_runtime_is_started_by_a_click(open_canvas, world, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    world.workspace()
    window = open_canvas()
    world.stop()
    qtbot.waitUntil(window.banner.isVisible, timeout=PATIENCE_MS)
    window.banner.button.click()
    qtbot.waitUntil(lambda: not window.banner.isVisible(), timeout=PATIENCE_MS)


def test_workspaces_are_tabs_that_keep_their_place(open_canvas, world) -> None:  # type: ignore[no-untyped-def]
    first, second = world.workspace("Lab"), world.workspace("Site")
    node = world.schedule(second)
    window: CanvasWindow = open_canvas()
    assert window.workspace_id == first
    window.tabs.setCurrentIndex(1)
    assert window.workspace_id == second
    view = window.view
    assert view is not None
    assert node in view.canvas.node_items
    view.set_zoom(0.6)
    window.tabs.setCurrentIndex(0)
    window.tabs.setCurrentIndex(1)
    assert window.view is view
    assert view.zoom == pytest.approx(0.6)


def test_a_folder_that_is_opened_comes_to_the_front(
    open_canvas, world, qtbot: QtBot, monkeypatch, tmp_path
) -> None:  # type: ignore[no-untyped-def]
    one, namesake = tmp_path / "one" / "src", tmp_path / "other" / "src"
    for folder in (one, namesake):
        folder.mkdir(parents=True)
    chosen = iter([one, namesake, one])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(next(chosen)))
    world.workspace("Lab")
    window: CanvasWindow = open_canvas()

    def in_front() -> tuple[str, str]:
        shown = window.model.workspaces[window.workspace_id or ""]
        return shown.name, shown.directory

    assert in_front()[0] == "Lab"
    for expected in (("src", str(one)), ("src 2", str(namesake)), ("src", str(one))):
        qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda expected=expected: in_front() == expected, timeout=PATIENCE_MS)
        assert window.tabs.tabText(window.tabs.currentIndex()) == expected[0]
    assert window.tabs.count() == 3  # what is a Workspace already is not made another time

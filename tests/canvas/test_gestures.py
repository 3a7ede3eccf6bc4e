"""What the hand and the keys do on a canvas: real events on a shown window, over a real runtime."""

from __future__ import annotations

import pytest
from canvas_world import LEFT, Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.qt import (
    QApplication,
    QEvent,
    QLabel,
    QLineEdit,
    QPoint,
    QScrollArea,
    Qt,
    QWidget,
)
from kavor.canvas.tools.shortcut_sheet import ShortcutSheet
from kavor.canvas.view import CanvasView
from kavor.domain.graph import NodeKind


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def person(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    """On the canvas of an empty Workspace."""
    world.workspace()
    return Person(qtbot, open_canvas())


@pytest.fixture
def pair(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Person:
    """On a canvas with a Schedule ``checks`` and, at its right, a Terminal ``shell`` that is closed."""
    workspace = world.workspace()
    world.schedule(workspace, x=0, y=0)
    world.terminal(workspace, x=420, y=0)
    return Person(qtbot, open_canvas())


def focused(kind: type[QWidget]) -> bool:
    return isinstance(QApplication.focusWidget(), kind)


# --- Adding


def test_a_kind_is_dragged_from_the_palette_to_its_place(person: Person) -> None:
    person.carry(NodeKind.SCHEDULE, QPoint(500, 200))
    person.until_names("Schedule")
    card = person.view.canvas.card_rect(person.id_of("Schedule"))
    assert card.contains(person.view.mapToScene(QPoint(500, 200)))
    person.until(lambda: person.selected() == ["Schedule"])


def test_letting_go_beside_the_canvas_adds_nothing(person: Person) -> None:
    person.carry(NodeKind.SCHEDULE, QPoint(500, -30))
    person.press(Key.Key_T)
    person.until_names("Terminal")


def test_a_new_schedule_is_paused_and_has_no_target(person: Person) -> None:
    person.press(Key.Key_S)
    person.until_names("Schedule")
    person.until(lambda: person.state_of("Schedule") == "Paused")
    assert person.target_of("Schedule") is None


def test_a_double_click_adds_where_the_pointer_is(person: Person) -> None:
    at = QPoint(420, 300)
    person.qtbot.mouseDClick(person.view.viewport(), LEFT, pos=at)
    assert focused(QLineEdit)
    person.type("sched")
    person.press(Key.Key_Return)
    person.until_names("Schedule")
    card = person.view.canvas.card_rect(person.id_of("Schedule"))
    assert card.contains(person.view.mapToScene(at))
    assert focused(CanvasView)


def test_new_cards_cover_no_other_and_have_names_of_their_own(person: Person) -> None:
    for count in range(1, 4):
        person.press(Key.Key_S)
        person.until(lambda count=count: len(person.names()) == count)
    person.until_names("Schedule", "Schedule 2", "Schedule 3")
    cards = [person.view.canvas.card_rect(node_id) for node_id in person.view.canvas.node_items]
    assert not any(one.intersects(other) for one in cards for other in cards if one is not other)


# --- Connecting


def test_a_wire_joins_two_cards(pair: Person) -> None:
    pair.pull(pair.handle("checks"), pair.middle("shell"))
    pair.let_go(pair.middle("shell"))
    pair.until(lambda: pair.connections() == 1)
    pair.until(lambda: pair.target_of("checks") == "shell")


@pytest.mark.contract("K73")
def test_a_refused_pair_says_why_and_joins_nothing(pair: Person, world: World) -> None:
    world.schedule(pair.view.canvas.workspace_id, name="other", x=0, y=400)
    pair.until(lambda: "other" in pair.names())
    pair.view.fit_all()
    pair.pull(pair.handle("checks"), pair.middle("other"))
    callout = pair.view.viewport().findChild(QWidget, "callout")
    assert callout is not None
    assert callout.isVisible()
    assert "a Schedule cannot be connected to a Schedule" in callout.property("text").replace("A S", "a S")
    pair.let_go(pair.middle("other"))
    assert not callout.isVisible()
    pair.pull(pair.handle("checks"), pair.middle("shell"))
    pair.let_go(pair.middle("shell"))
    pair.until(lambda: pair.connections() == 1)
    pair.until(lambda: pair.target_of("checks") == "shell")


@pytest.mark.contract("K13")
def test_a_schedule_with_a_target_is_refused_another(pair: Person, world: World) -> None:
    world.client.post("/api/connections", {"a": pair.id_of("checks"), "b": pair.id_of("shell")})
    world.terminal(pair.view.canvas.workspace_id, name="other", x=420, y=420)
    pair.until(lambda: pair.connections() == 1 and "other" in pair.names())
    pair.view.fit_all()
    pair.pull(pair.handle("checks"), pair.middle("other"))
    callout = pair.view.viewport().findChild(QWidget, "callout")
    assert callout is not None
    assert "has a target already: shell" in callout.property("text")
    pair.let_go(pair.middle("other"))
    assert pair.window.workbench.palette.undo_button.isEnabled() is False


def test_a_wire_dropped_on_the_bare_canvas_adds_and_connects_as_one_step(pair: Person) -> None:
    pair.view.set_zoom(0.6)
    pair.view.fit_all()
    pair.pull(pair.handle("checks", side=1), pair.handle("checks", side=1) + QPoint(0, 150))
    pair.let_go(pair.handle("checks", side=1) + QPoint(0, 150))
    assert focused(QLineEdit)
    pair.type("terminal")
    pair.press(Key.Key_Return)
    pair.until(lambda: pair.connections() == 1)
    pair.until_names("checks", "shell", "Terminal")
    pair.until(lambda: pair.window.model.sessions[pair.id_of("Terminal")].state == "open")
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until(pair.window.workbench.question.isVisible)
    pair.press(Key.Key_Return)  # its shell ends
    pair.until_names("checks", "shell")
    pair.until(lambda: pair.connections() == 0)


def test_escape_cancels_a_wire_and_a_drag(pair: Person) -> None:
    pair.pull(pair.handle("checks"), pair.middle("shell"))
    pair.press(Key.Key_Escape)
    pair.let_go(pair.middle("shell"))
    before = pair.view.canvas.card_rect(pair.id_of("checks"))
    pair.pull(pair.title("checks"), pair.title("checks") + QPoint(90, 90))
    assert pair.view.canvas.card_rect(pair.id_of("checks")) != before
    pair.press(Key.Key_Escape)
    assert pair.view.canvas.card_rect(pair.id_of("checks")) == before
    pair.let_go(pair.title("checks") + QPoint(90, 90))
    assert pair.connections() == 0
    assert not pair.window.workbench.palette.undo_button.isEnabled()


# --- Moving and selecting


def test_one_drag_is_one_step(pair: Person, world: World) -> None:
    checks, shell = pair.id_of("checks"), pair.id_of("shell")
    pair.press(Key.Key_A, Mod.ControlModifier)
    pair.pull(pair.title("checks"), pair.title("checks") + QPoint(100, 60))
    pair.let_go(pair.title("checks"))
    pair.until(lambda: world.client.get(f"/api/nodes/{shell}")["x"] != 420)
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until(lambda: world.client.get(f"/api/nodes/{shell}")["x"] == 420)
    pair.until(lambda: world.client.get(f"/api/nodes/{checks}")["x"] == 0)
    assert not pair.window.workbench.palette.undo_button.isEnabled()


def test_a_dragged_card_falls_into_line_unless_alt_is_held(pair: Person) -> None:
    zoom = pair.view.zoom
    start = pair.title("checks")
    pair.pull(start, start + QPoint(0, round(4 * zoom)) + QPoint(-30, 0))
    assert pair.view.canvas.card_rect(pair.id_of("checks")).top() == 0
    pair.press(Key.Key_Escape)


def test_arrow_keys_move_the_selection_and_a_burst_is_one_step(pair: Person, world: World) -> None:
    checks = pair.id_of("checks")
    pair.select("checks")
    for _ in range(3):
        pair.press(Key.Key_Down)
    pair.until(lambda: world.client.get(f"/api/nodes/{checks}")["y"] == 24)
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until(lambda: world.client.get(f"/api/nodes/{checks}")["y"] == 0)


def test_arrow_keys_pan_where_nothing_is_selected(pair: Person) -> None:
    before = pair.view.mapToScene(QPoint(0, 0))
    pair.press(Key.Key_Right)
    assert pair.view.mapToScene(QPoint(0, 0)).x() > before.x()


def test_alt_and_an_arrow_walk_to_the_next_card(pair: Person) -> None:
    pair.select("checks")
    pair.press(Key.Key_Right, Mod.AltModifier)
    assert pair.selected() == ["shell"]
    pair.press(Key.Key_Left, Mod.AltModifier)
    assert pair.selected() == ["checks"]


def test_tab_walks_through_the_cards_and_then_leaves_the_canvas(pair: Person) -> None:
    pair.press(Key.Key_Tab)
    assert pair.selected() == ["checks"]
    pair.press(Key.Key_Tab)
    assert pair.selected() == ["shell"]
    assert focused(CanvasView)
    pair.press(Key.Key_Tab)
    assert not focused(CanvasView)


def test_shift_click_and_a_box_select_several(pair: Person) -> None:
    viewport = pair.view.viewport()
    pair.qtbot.mouseClick(viewport, LEFT, pos=pair.title("checks"))
    pair.qtbot.mouseClick(viewport, LEFT, Mod.ShiftModifier, pos=pair.title("shell"))
    assert pair.selected() == ["checks", "shell"]
    pair.press(Key.Key_Escape)
    assert pair.selected() == []
    pair.view.set_zoom(0.5)
    pair.view.fit_all()
    pair.view.zoom_by(0.8)
    corner = pair.view.mapFromScene(pair.view.canvas.contents_rect().topLeft()) - QPoint(20, 20)
    pair.pull(corner, pair.middle("shell"))
    pair.let_go(pair.middle("shell"))
    assert pair.selected() == ["checks", "shell"]


def test_a_space_bar_that_is_let_go_elsewhere_holds_nothing_any_more(pair: Person) -> None:
    pair.qtbot.keyPress(pair.view, Key.Key_Space)
    pair.window.tabs.setFocus()
    pair.view.setFocus()
    before = pair.view.mapToScene(QPoint(0, 0))
    pair.pull(pair.title("checks"), pair.title("checks") + QPoint(0, 60))
    pair.let_go(pair.title("checks"))
    assert pair.view.mapToScene(QPoint(0, 0)) == before
    assert pair.selected() == ["checks"]


def test_what_is_deleted_elsewhere_under_the_hand_or_while_it_is_renamed_is_let_go(
    pair: Person, world: World
) -> None:
    checks = pair.id_of("checks")
    edit = next(each for each in pair.view.canvas.node_items[checks].face.buttons if each.action == "Edit")
    spot = pair.hand.spot(checks, edit.rect.center())
    pair.pull(spot, spot)
    world.client.delete(f"/api/nodes/{checks}")
    pair.until_names("shell")
    pair.let_go(spot)
    assert pair.window.panels.form is None
    pair.select("shell")
    pair.press(Key.Key_F2)
    assert focused(QLineEdit)
    pair.type("gone")
    world.client.delete(f"/api/nodes/{pair.id_of('shell')}")
    pair.until_names()
    pair.press(Key.Key_Return)
    assert not pair.window.workbench.palette.undo_button.isEnabled()


def test_space_and_the_middle_button_pan(pair: Person) -> None:
    before = pair.view.mapToScene(QPoint(0, 0))
    pair.qtbot.keyPress(pair.view, Key.Key_Space)
    pair.pull(QPoint(300, 300), QPoint(360, 340))
    pair.let_go(QPoint(360, 340))
    pair.qtbot.keyRelease(pair.view, Key.Key_Space)
    moved = pair.view.mapToScene(QPoint(0, 0))
    assert moved.x() < before.x()
    assert pair.selected() == []
    viewport, middle = pair.view.viewport(), Qt.MouseButton.MiddleButton
    pair.qtbot.mousePress(viewport, middle, pos=QPoint(300, 300))
    event_free = QPoint(250, 300)
    pair.qtbot.mouseMove(viewport, pos=event_free)
    pair.qtbot.mouseRelease(viewport, middle, pos=event_free)
    assert pair.view.mapToScene(QPoint(0, 0)).x() > moved.x()


# --- Deleting and undoing


def test_a_deleted_schedule_comes_back_with_all_that_was_set(pair: Person, world: World) -> None:
    checks = pair.id_of("checks")
    world.client.post("/api/connections", {"a": checks, "b": pair.id_of("shell")})
    pair.until(lambda: pair.connections() == 1)
    before = world.client.get(f"/api/schedules/{checks}")
    pair.select("checks")
    pair.press(Key.Key_Delete)
    pair.until_names("shell")
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until(lambda: pair.connections() == 1)
    after = world.client.get(f"/api/schedules/{pair.id_of('checks')}")
    kept = ("name", "payload", "recurrence", "overlap", "catchup", "misfire_grace_s", "target")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    pair.press(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    pair.until_names("shell")


def test_a_fresh_schedule_comes_back_too(person: Person) -> None:
    person.press(Key.Key_S)
    person.until(lambda: person.selected() == ["Schedule"])
    person.press(Key.Key_Delete)
    person.until_names()
    person.press(Key.Key_Z, Mod.ControlModifier)
    person.until_names("Schedule")


def test_steps_before_a_deletion_are_undone_on_what_came_back(pair: Person, world: World) -> None:
    pair.select("checks")
    pair.press(Key.Key_Down)
    pair.press(Key.Key_Delete)
    pair.until_names("shell")
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until_names("checks", "shell")
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until(lambda: world.client.get(f"/api/nodes/{pair.id_of('checks')}")["y"] == 0)


def test_a_running_schedule_that_is_deleted_comes_back_paused_and_says_so(pair: Person, world: World) -> None:
    checks = pair.id_of("checks")
    world.client.post("/api/connections", {"a": checks, "b": pair.id_of("shell")})
    world.client.post(f"/api/schedules/{checks}/resume")
    pair.until(lambda: pair.window.model.schedules[checks].state == "Running")
    pair.select("checks")
    pair.press(Key.Key_Backspace)
    pair.until_names("shell")
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until_names("checks", "shell")
    pair.until(pair.window.refusal.isVisible)
    assert "Paused" in pair.window.refusal.accessibleName()
    pair.until(lambda: pair.state_of("checks") == "Paused")


def test_a_shell_is_not_ended_without_a_question(pair: Person, world: World) -> None:
    shell = pair.id_of("shell")
    world.client.post(f"/api/sessions/{shell}/open")
    pair.until(lambda: pair.window.model.sessions[shell].state == "open")
    pair.select("shell")
    pair.press(Key.Key_Delete)
    assert pair.window.workbench.question.isVisible()
    pair.press(Key.Key_Escape)
    assert world.client.get(f"/api/nodes/{shell}")["session"]["state"] == "open"
    pair.press(Key.Key_Delete)
    pair.press(Key.Key_Return)
    pair.until_names("checks")
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until_names("checks", "shell")
    pair.until(pair.window.refusal.isVisible)
    assert "new shell" in pair.window.refusal.accessibleName()


@pytest.mark.contract("K+2")
def test_a_connection_is_deleted_and_brought_back(pair: Person, world: World) -> None:
    checks, shell = pair.id_of("checks"), pair.id_of("shell")
    world.client.post("/api/connections", {"a": checks, "b": shell})
    world.client.post(f"/api/schedules/{checks}/resume")
    pair.until(lambda: pair.connections() == 1 and pair.window.model.schedules[checks].state == "Running")
    between = (pair.handle("checks") + pair.handle("shell", side=2)) / 2
    pair.qtbot.mouseClick(pair.view.viewport(), LEFT, pos=between)
    assert len(pair.view.canvas.selected_connections()) == 1
    pair.press(Key.Key_Delete)
    pair.until(lambda: pair.connections() == 0)
    pair.until(lambda: pair.window.model.schedules[checks].pause_reason is not None)
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until(lambda: pair.connections() == 1)
    assert pair.window.model.schedules[checks].state == "Paused"


def test_backspace_in_a_field_deletes_no_card(pair: Person) -> None:
    pair.select("checks")
    pair.press(Key.Key_F2)
    assert focused(QLineEdit)
    pair.type("nightly s")
    pair.press(Key.Key_Backspace)
    pair.press(Key.Key_Delete)
    pair.press(Key.Key_Return)
    pair.until_names("nightly", "shell")
    assert focused(CanvasView)
    pair.press(Key.Key_Z, Mod.ControlModifier)
    pair.until_names("checks", "shell")


# --- By keyboard, menus, finding


def test_connecting_by_keyboard_offers_what_may_be_joined_first(pair: Person, world: World) -> None:
    world.schedule(pair.view.canvas.workspace_id, name="another", x=0, y=400)
    pair.until(lambda: "another" in pair.names())
    pair.select("checks")
    pair.press(Key.Key_C)
    chooser = pair.window.workbench.chooser
    assert chooser.isVisible()
    assert chooser.list.item(0).text() == "shell"
    pair.press(Key.Key_Down)  # to what may not be joined, which says why
    pair.press(Key.Key_Return)
    assert chooser.isVisible()
    assert "A Schedule cannot be connected to a Schedule" in pair.window.refusal.accessibleName()
    pair.press(Key.Key_Up)
    pair.press(Key.Key_Return)
    pair.until(lambda: pair.connections() == 1)
    assert focused(CanvasView)


def test_finding_goes_from_match_to_match(pair: Person) -> None:
    pair.press(Key.Key_F, Mod.ControlModifier)
    pair.type("daily")  # a word of its recurrence
    assert pair.selected() in (["checks"], [])
    field = pair.window.workbench.find_bar.field
    field.clear()
    pair.type("s")
    assert len(pair.selected()) == 1
    first = pair.selected()
    pair.press(Key.Key_Return)
    assert pair.selected() != first
    pair.press(Key.Key_Escape)
    assert focused(CanvasView)
    assert not pair.window.workbench.find_bar.isVisible()


def test_the_sheet_of_keys_tells_every_key_and_any_key_closes_it(pair: Person) -> None:
    pair.press(Key.Key_F1)
    assert focused(ShortcutSheet)
    pair.qtbot.wait(1)
    labels = pair.window.findChild(ShortcutSheet).findChildren(QLabel)
    assert [label.text() for label in labels if label.width() < label.sizeHint().width()] == []
    pair.press(Key.Key_X)
    assert focused(CanvasView)


def test_menus_are_about_what_is_under_them(pair: Person) -> None:
    menu = pair.menu_at(pair.title("checks"))
    assert pair.selected() == ["checks"]
    assert "Rename" in [action.text() for action in menu.actions()]
    menu.close()
    menu = pair.menu_at(QPoint(5, 5))
    assert "Add a Schedule" in [action.text() for action in menu.actions()]
    menu.close()
    pair.qtbot.wait(1)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_key_that_is_held_for_a_shell_is_none_of_the_canvas(pair: Person) -> None:
    """Keys count only while the canvas itself has the focus."""
    field = QLineEdit(pair.view.viewport())
    field.show()
    field.setFocus()
    pair.type("/sct")
    pair.press(Key.Key_Backspace)
    assert field.text() == "/sc"
    pair.press(Key.Key_Delete)
    assert sorted(pair.names()) == ["checks", "shell"]


def test_a_wide_window_has_room_for_all_keys_at_once(pair: Person) -> None:
    pair.window.resize(1280, 760)
    pair.press(Key.Key_F1)
    sheet = pair.window.findChild(ShortcutSheet)
    assert sheet is not None
    assert pair.window.pages.rect().contains(sheet.geometry())
    assert not sheet.findChild(QScrollArea).verticalScrollBar().isVisible()


def test_keys_scroll_the_sheet_and_do_not_close_it(pair: Person) -> None:
    pair.window.resize(900, 500)
    pair.press(Key.Key_F1)
    sheet = pair.window.findChild(ShortcutSheet)
    assert sheet is not None
    pair.press(Key.Key_PageDown)
    assert sheet.isVisible()
    assert sheet.findChild(QScrollArea).verticalScrollBar().value() > 0
    pair.press(Key.Key_Escape)
    assert not sheet.isVisible()


def test_the_bar_of_kinds_stays_whole_over_a_low_canvas(pair: Person) -> None:
    window, bar = pair.window, pair.window.workbench.palette
    before = bar.size()
    window.panels.show_history(pair.id_of("checks"))
    window.resize(1280, 720)
    pair.until(lambda: bar.width() > before.width())
    assert window.pages.rect().contains(bar.geometry())
    for button in (*bar.kinds.values(), bar.find_button, bar.undo_button, bar.redo_button, bar.help_button):
        assert bar.rect().contains(button.geometry())
    window.panels.close_history()
    pair.until(lambda: bar.size() == before)


def test_the_sheet_of_keys_stays_within_a_small_window(pair: Person) -> None:
    pair.window.resize(900, 480)
    pair.press(Key.Key_F1)
    sheet = pair.window.findChild(ShortcutSheet)
    assert sheet is not None
    assert pair.window.pages.rect().contains(sheet.geometry())
    bar = sheet.findChild(QScrollArea).verticalScrollBar()
    assert bar.isVisible()

    pair.press(Key.Key_Escape)
    pair.window.resize(1280, 1000)
    pair.press(Key.Key_F1)
    sheet = pair.window.findChildren(ShortcutSheet)[-1]
    bar = sheet.findChild(QScrollArea).verticalScrollBar()
    assert not bar.isVisible()  # all of it is seen where there is room

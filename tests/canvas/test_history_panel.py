"""The history of a Schedule on a real runtime: what happened, and what can be done about it."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable

import pytest
from canvas_world import PATIENCE_MS, Hand, OpenWindow, World
from pytestqt.qtbot import QtBot

from kavor.api.launch import ensure_runtime
from kavor.canvas.panels import history_panel
from kavor.canvas.panels.history_panel import HistoryPanel
from kavor.canvas.panels.history_table import Column
from kavor.canvas.qt import QPointF, Qt, QWidget
from kavor.canvas.view import CanvasView
from kavor.canvas.window import CanvasWindow

Hands = Callable[[CanvasView], Hand]
DAY_MS = 86_400_000


def view_of(window: CanvasWindow) -> CanvasView:
    view = window.view
    assert view is not None
    view.set_zoom(1.0)
    view.centerOn(400, 200)
    return view


def history_of(window: CanvasWindow, schedule: str, qtbot: QtBot) -> HistoryPanel:
    view_of(window)
    window.panels.show_history(schedule)
    panel = window.panels.history
    assert panel is not None
    qtbot.waitUntil(lambda: not panel._asking, timeout=PATIENCE_MS)
    return panel


def column_of(panel: HistoryPanel, column: Column) -> list[str]:
    rows = panel.rows
    return [str(rows.data(rows.index(row, column))) for row in range(rows.rowCount())]


def press(qtbot: QtBot, button: QWidget) -> None:
    assert button.isEnabled()
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def run(world: World, schedule: str) -> int:
    return int(world.client.post(f"/api/schedules/{schedule}/run")["id"])


def until_state(world: World, attempt: int, state: str) -> None:
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while world.client.get(f"/api/attempts/{attempt}")["state"] != state:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def until_at_prompt(world: World, terminal: str) -> None:
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while world.client.get(f"/api/nodes/{terminal}")["session"]["waiting_for"] is not None:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def miss(world: World, schedule: str) -> None:
    """As if nothing had run for two days: its times of then are Missed when the runtime starts."""
    world.client.post(f"/api/schedules/{schedule}/resume")
    world.stop()
    with contextlib.closing(sqlite3.connect(world.home.database)) as database, database:
        database.execute("UPDATE schedules SET next_due = next_due - ?", (2 * DAY_MS,))
    ensure_runtime(world.home)


@pytest.mark.contract("K60", "K61", "K52", "K55")
def test_what_happened_is_told_with_its_evidence(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    place = world.workspace()
    terminal = world.terminal(place, open=True)
    schedule = world.schedule(
        place, target=terminal, payload="printf '\\033[32mgreen\\033[0m\\n'; exit_3 () { return 3; }; exit_3"
    )
    until_at_prompt(world, terminal)
    until_state(world, run(world, schedule), "Failed")
    panel = history_of(open_canvas(), schedule, qtbot)
    assert column_of(panel, Column.RESULT) == ["Failed"]
    assert column_of(panel, Column.PLANNED) == ["–"]
    assert column_of(panel, Column.TRIGGER) == ["manual"]
    assert column_of(panel, Column.EXIT_CODE) == ["3"]
    assert column_of(panel, Column.DELIVERED) != ["–"]
    qtbot.waitUntil(lambda: "green" in panel.details.output.toPlainText(), timeout=PATIENCE_MS)
    assert "\x1b" not in panel.details.output.toPlainText()
    assert "[32m" not in panel.details.output.toPlainText()
    assert "exit_3" in panel.details.payload.toPlainText()


def test_history_opens_by_key_and_by_the_cards_button(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    view = view_of(window)
    hand(view).click(schedule, QPointF(150, 18))
    qtbot.keyClick(view, Qt.Key.Key_H)
    assert window.panels.history is not None
    assert window.below.isVisible()
    qtbot.keyClick(window.panels.history.table, Qt.Key.Key_Escape)
    assert window.panels.history is None
    assert not window.below.isVisible()
    hand(view_of(window)).press_button(schedule, "History")
    assert window.panels.history is not None


def test_rows_come_and_go_on_by_events_and_through_the_filter(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    terminal = world.terminal(place)
    schedule = world.schedule(place, target=terminal)
    panel = history_of(open_canvas(), schedule, qtbot)
    assert panel.rows.rowCount() == 0
    run(world, schedule)  # its session is closed
    qtbot.waitUntil(lambda: column_of(panel, Column.RESULT) == ["Blocked"], timeout=PATIENCE_MS)
    assert column_of(panel, Column.DIAGNOSTIC)[0]
    panel.filter.setCurrentIndex(panel.filter.findData("Completed"))
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 0, timeout=PATIENCE_MS)
    world.client.post(f"/api/sessions/{terminal}/open")
    until_at_prompt(world, terminal)
    run(world, schedule)
    qtbot.waitUntil(lambda: column_of(panel, Column.RESULT) == ["Completed"], timeout=PATIENCE_MS)
    panel.filter.setCurrentIndex(0)
    qtbot.waitUntil(lambda: column_of(panel, Column.RESULT) == ["Completed", "Blocked"], timeout=PATIENCE_MS)


def test_a_long_history_is_read_in_pages(
    open_canvas: OpenWindow, world: World, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_panel, "PAGE", 12)
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    made = [run(world, schedule) for _ in range(30)]
    panel = history_of(open_canvas(), schedule, qtbot)
    assert panel.rows.rowCount() == 12
    assert panel.rows.attempt_at(0).id == made[-1]

    def read_on(count: int) -> None:
        bar = panel.table.verticalScrollBar()
        bar.setValue(bar.maximum())
        qtbot.waitUntil(lambda: panel.rows.rowCount() == count, timeout=PATIENCE_MS)

    read_on(24)
    read_on(30)
    assert panel.rows.attempt_at(29).id == made[0]


@pytest.mark.contract("K58", "K66", "K67", "K+9")
def test_a_missed_time_offers_run_now_and_dismiss(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    miss(world, schedule)
    window = open_canvas()
    panel = history_of(window, schedule, qtbot)
    qtbot.waitUntil(lambda: column_of(panel, Column.RESULT) == ["Missed"], timeout=PATIENCE_MS)
    assert column_of(panel, Column.PLANNED) != ["–"]
    press(qtbot, panel.details.button("Run now"))
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 2, timeout=PATIENCE_MS)
    assert column_of(panel, Column.TRIGGER) == ["manual", "scheduled"]
    panel.table.selectRow(1)
    assert not panel.details.button("Withdraw").isVisible()
    press(qtbot, panel.details.button("Dismiss"))
    qtbot.waitUntil(lambda: column_of(panel, Column.RESULT)[1] == "Missed, dismissed", timeout=PATIENCE_MS)
    assert not panel.details.button("Dismiss").isVisible()
    attempts = world.client.get(f"/api/schedules/{schedule}/history")["attempts"]
    assert [each["dismissed"] for each in attempts] == [False, True]


@pytest.mark.contract("K21", "K66")
def test_a_refusal_is_told_beside_the_attempt_and_the_card_dismisses_it(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    miss(world, schedule)
    window = open_canvas()
    panel = history_of(window, schedule, qtbot)
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 1, timeout=PATIENCE_MS)
    press(qtbot, panel.details.button("Run now"))
    qtbot.waitUntil(panel.details.problem.isVisible, timeout=PATIENCE_MS)
    assert "no target" in panel.details.problem.text()
    view = view_of(window)
    hand(view).press_button(schedule, "Dismiss")
    qtbot.waitUntil(
        lambda: "Dismiss" not in [each.action for each in view.canvas.node_items[schedule].face.buttons],
        timeout=PATIENCE_MS,
    )
    (attempt,) = world.client.get(f"/api/schedules/{schedule}/history")["attempts"]
    assert attempt["dismissed"]


@pytest.mark.contract("K51", "K69")
def test_an_attempt_that_waits_says_for_what_and_can_be_withdrawn(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    terminal = world.terminal(place, open=True)
    busy = world.schedule(place, "busy", target=terminal, payload="sleep 60")
    waits = world.schedule(place, "waits", target=terminal, y=400)
    until_at_prompt(world, terminal)
    until_state(world, run(world, busy), "Delivering")
    attempt = run(world, waits)
    window = open_canvas()
    panel = history_of(window, waits, qtbot)
    assert column_of(panel, Column.RESULT) == ["Pending"]
    assert "busy" in column_of(panel, Column.DIAGNOSTIC)[0]
    view = window.view
    assert view is not None
    assert view.canvas.node_items[waits].face.outcome_detail == "waits: the target is busy"
    press(qtbot, panel.details.button("Withdraw"))
    qtbot.waitUntil(lambda: column_of(panel, Column.RESULT) == ["Blocked"], timeout=PATIENCE_MS)
    assert "withdrawn" in world.client.get(f"/api/attempts/{attempt}")["diagnostic"]


def test_where_there_is_little_room_no_heading_is_cut(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    table = history_of(window, schedule, qtbot).table
    assert not table.isColumnHidden(Column.DIAGNOSTIC)
    window.panels.edit(schedule)  # the form takes its room at the right
    qtbot.waitUntil(lambda: table.isColumnHidden(Column.DIAGNOSTIC), timeout=PATIENCE_MS)
    assert not table.horizontalScrollBar().isVisible()
    window.panels.close_form()
    qtbot.waitUntil(lambda: not table.isColumnHidden(Column.DIAGNOSTIC), timeout=PATIENCE_MS)


@pytest.mark.parametrize("with_form", [False, True])
def test_nothing_that_a_column_shows_is_cut(
    open_canvas: OpenWindow, world: World, qtbot: QtBot, with_form: bool
) -> None:
    place = world.workspace()
    shell = world.terminal(place, open=True)
    schedule = world.schedule(place, target=shell)
    window = open_canvas()
    qtbot.waitUntil(lambda: window.model.sessions[shell].waiting_for is None, timeout=PATIENCE_MS)
    world.client.post(f"/api/schedules/{schedule}/run")
    panel = history_of(window, schedule, qtbot)
    if with_form:
        window.panels.edit(schedule)
    qtbot.waitUntil(lambda: column_of(panel, Column.RESULT) == ["Completed"], timeout=PATIENCE_MS)
    table = panel.table
    qtbot.waitUntil(lambda: table.isColumnHidden(Column.DIAGNOSTIC) is with_form, timeout=PATIENCE_MS)
    assert not table.isColumnHidden(Column.EXIT_CODE)
    for column in (Column.RESULT, Column.PLANNED, Column.TRIGGER, Column.DELIVERED, Column.RAN):
        needed = table.sizeHintForColumn(column)
        assert table.isColumnHidden(column) or table.columnWidth(column) >= needed, column
        assert table.columnWidth(column) >= table.horizontalHeader().sectionSizeHint(column) or (
            table.isColumnHidden(column)
        )
    assert table.columnViewportPosition(Column.EXIT_CODE) + 30 < table.viewport().width()


def test_a_card_does_not_lie_under_what_is_opened_about_it(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    view = view_of(open_canvas())
    card = view.canvas.card_rect(schedule)
    view.centerOn(card.center().x(), card.center().y() - 150)  # low on the canvas
    room = view.viewport().height()
    view.act(schedule, "History")
    qtbot.waitUntil(lambda: view.viewport().height() < room, timeout=PATIENCE_MS)
    qtbot.waitUntil(
        lambda: view.viewport().rect().contains(view.mapFromScene(card).boundingRect()), timeout=PATIENCE_MS
    )

"""The form of a Schedule on a real runtime: what is typed, what is saved, and what is refused where."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from canvas_world import PATIENCE_MS, Hand, OpenWindow, World
from pytestqt.qtbot import QtBot

from kavor.api.client import Client
from kavor.canvas.editor.preview_list import LEAVING_SHOWN
from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.panels.terminal_settings import TerminalSettings
from kavor.canvas.qt import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPointF,
    QScrollArea,
    Qt,
    QWidget,
)
from kavor.canvas.theme import load_theme
from kavor.canvas.view import CanvasView
from kavor.canvas.window import CanvasWindow


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


Hands = Callable[[CanvasView], Hand]
TITLE = QPointF(150, 18)
"""On a card, where no button is."""


def view_of(window: CanvasWindow) -> CanvasView:
    view = window.view
    assert view is not None
    view.set_zoom(1.0)
    view.centerOn(400, 200)
    return view


def editor_of(window: CanvasWindow, schedule: str) -> ScheduleEditor:
    view_of(window)
    window.panels.edit(schedule)
    form = window.panels.form
    assert isinstance(form, ScheduleEditor)
    return form


def words_of(widget: QWidget) -> str:
    labels = widget.findChildren(QLabel)
    return " ".join(label.text() for label in labels if label.isVisible())


def press(qtbot: QtBot, button: QWidget) -> None:
    assert button.isEnabled()
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def type_anew(qtbot: QtBot, field: QWidget, text: str) -> None:
    """Over what is there, key by key."""
    field.setFocus()
    field.selectAll()  # type: ignore[attr-defined]
    qtbot.keyClicks(field, text)


def until_saved(qtbot: QtBot, editor: ScheduleEditor) -> None:
    qtbot.waitUntil(lambda: not editor.is_changed and editor.said.isVisible(), timeout=PATIENCE_MS)


def test_the_form_opens_from_the_card_in_four_ways(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    view = view_of(window)

    def by_double_click() -> None:
        spot = hand(view).spot(schedule, TITLE)
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)

    def by_key(key: Qt.Key) -> Callable[[], None]:
        def press_key() -> None:
            hand(view).click(schedule, TITLE)
            qtbot.keyClick(view, key)

        return press_key

    ways = (
        by_double_click,
        by_key(Qt.Key.Key_Return),
        by_key(Qt.Key.Key_E),
        lambda: hand(view).press_button(schedule, "Edit"),
    )
    for way in ways:
        way()
        assert isinstance(window.panels.form, ScheduleEditor)
        qtbot.keyClick(window.panels.form, Qt.Key.Key_Escape)
        assert window.panels.form is None
        assert not window.side.isVisible()


@pytest.mark.contract("K14", "K16", "K17", "K19", "K33")
def test_what_is_typed_is_previewed_then_saved_and_starts_nothing(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace(), payload="old")
    window = open_canvas()
    editor = editor_of(window, schedule)
    type_anew(qtbot, editor.payload.text, "make check")
    type_anew(qtbot, editor.when.expression, "30 2 28-31 * *")
    type_anew(qtbot, editor.title, "nightly")
    shown = [row.accessibleName() for row in editor.preview.rows if row.isVisible()]
    previewed = [words for words in shown if "Leaves with this change" not in words]
    assert len(previewed) == 10
    assert "Europe/Berlin" in editor.zone_note.words
    assert not editor.act_button.isEnabled()  # only what is saved can be resumed
    assert world.client.get(f"/api/schedules/{schedule}")["payload"] == "old"
    press(qtbot, editor.save_button)
    until_saved(qtbot, editor)
    assert "nothing starts until you resume it" in editor.said.text()
    saved = world.client.get(f"/api/schedules/{schedule}")
    assert (saved["name"], saved["payload"], saved["state"]) == ("nightly", "make check", "Paused")
    assert saved["recurrence"]["expression"] == "30 2 28-31 * *"
    assert world.client.get(f"/api/schedules/{schedule}/history")["attempts"] == []

    coming = world.client.get(f"/api/schedules/{schedule}/next")["occurrences"]
    for shown, row in zip(coming, previewed, strict=True):
        assert shown["local"][11:16] in row
        assert (shown["note"] or "") in row

    press(qtbot, editor.act_button)  # Resume, the deliberate last step
    qtbot.waitUntil(lambda: editor.act_button.text() == "Pause", timeout=PATIENCE_MS)
    assert world.client.get(f"/api/schedules/{schedule}")["state"] == "Running"
    assert editor.said.isHidden()  # "It is Paused" would no longer be true


@pytest.mark.contract("X2")
def test_an_edit_shows_what_comes_and_what_leaves_before_it_is_saved(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace(), recurrence={"cron": "0 9 * * *"})
    editor = editor_of(open_canvas(), schedule)

    def marks() -> list[str]:
        rows = [row.accessibleName() for row in editor.preview.rows if row.isVisible()]
        return ["+" if "Comes" in row else "-" if "Leaves" in row else "=" for row in rows]

    assert marks() == ["="] * 10
    type_anew(qtbot, editor.when.expression, "0 9,18 * * *")
    assert set(marks()) == {"=", "+"}
    assert len(marks()) == 10
    type_anew(qtbot, editor.when.expression, "0 10 * * *")
    assert marks().count("+") == 10
    assert marks().count("-") == LEAVING_SHOWN
    assert "\N{MINUS SIGN}" in words_of(editor.preview)
    assert world.client.get(f"/api/schedules/{schedule}")["recurrence"]["expression"] == "0 9 * * *"
    press(qtbot, editor.save_button)
    until_saved(qtbot, editor)
    assert marks() == ["="] * 10


@pytest.mark.contract("X1", "K34", "K35")
def test_the_preview_says_what_bent_a_time(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    schedule = world.schedule(world.workspace())
    editor = editor_of(open_canvas(), schedule)
    type_anew(qtbot, editor.when.expression, "30 2 25-31 3,10 sun")
    type_anew(qtbot, editor.when.expression, "30 2 * 3 *")
    words = words_of(editor.preview)
    assert "02:30" in words
    type_anew(qtbot, editor.when.expression, "30 2 28 3 *")
    words = words_of(editor.preview)
    assert "moved from 02:30, clocks go forward" in words
    assert "03:00" in words


def test_a_save_while_running_says_how_the_next_time_moved(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    world.client.post(f"/api/schedules/{schedule}/resume")
    editor = editor_of(open_canvas(), schedule)
    type_anew(qtbot, editor.when.expression, "30 10 * * *")
    qtbot.keyClick(editor.when.expression, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    until_saved(qtbot, editor)
    assert "09:00 and is now" in editor.said.text()
    assert "10:30" in editor.said.text()
    assert world.client.get(f"/api/schedules/{schedule}")["state"] == "Running"


def test_what_cannot_be_meant_is_said_as_it_is_typed(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    editor = editor_of(open_canvas(), schedule)
    type_anew(qtbot, editor.when.expression, "61 9 * * *")
    assert "outside 0-59" in editor.when.problem.text()
    assert not editor.save_button.isEnabled()
    type_anew(qtbot, editor.when.expression, "0 10 * * *")
    assert editor.save_button.isEnabled()
    editor.payload.text.setPlainText("rm \u202e file")
    assert "U+202E at offset 3" in editor.payload.problem.text()
    assert not editor.save_button.isEnabled()
    editor.payload.text.setPlainText("")
    assert "empty" in editor.payload.problem.text()
    editor.payload.text.setPlainText("true")
    type_anew(qtbot, editor.title, " ")
    assert not editor.save_button.isEnabled()


def test_cancel_forgets_and_closing_keeps_what_is_typed(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule, other = world.schedule(place), world.schedule(place, "other", y=400)
    window = open_canvas()
    editor = editor_of(window, schedule)
    type_anew(qtbot, editor.payload.text, "unsaved")
    window.panels.edit(other)
    window.panels.edit(schedule)
    assert window.panels.form is editor
    assert editor.payload.payload() == "unsaved"
    press(qtbot, editor.cancel_button)
    assert window.panels.form is None
    assert editor_of(window, schedule).payload.payload() == "true"
    assert world.client.get(f"/api/schedules/{schedule}")["payload"] == "true"


def edit_elsewhere(client: Client, schedule: str, **fields: object) -> None:
    revision = client.get(f"/api/schedules/{schedule}")["revision"]
    client.patch(f"/api/schedules/{schedule}", fields, revision=revision)


def test_a_save_over_a_newer_text_changes_nothing_and_shows_it(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    editor = editor_of(open_canvas(), schedule)
    type_anew(qtbot, editor.payload.text, "mine")
    edit_elsewhere(world.client, schedule, payload="theirs")
    editor.save()  # before this window has heard of it
    qtbot.waitUntil(editor.conflict.isVisible, timeout=PATIENCE_MS)
    assert "theirs" in editor.conflict.words
    assert editor.payload.payload() == "mine"
    assert world.client.get(f"/api/schedules/{schedule}")["payload"] == "theirs"
    press(qtbot, editor.conflict.overwrite_button)
    until_saved(qtbot, editor)
    assert world.client.get(f"/api/schedules/{schedule}")["payload"] == "mine"
    assert not editor.conflict.isVisible()


def test_an_edit_elsewhere_is_told_while_typing_and_can_be_taken(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    editor = editor_of(open_canvas(), schedule)
    edit_elsewhere(world.client, schedule, payload="first")
    qtbot.waitUntil(lambda: editor.payload.payload() == "first", timeout=PATIENCE_MS)  # nothing was typed
    type_anew(qtbot, editor.payload.text, "mine")
    edit_elsewhere(world.client, schedule, payload="second", name="renamed")
    qtbot.waitUntil(editor.conflict.isVisible, timeout=PATIENCE_MS)
    assert "second" in editor.conflict.words
    press(qtbot, editor.conflict.reload_button)
    qtbot.waitUntil(lambda: editor.payload.payload() == "second", timeout=PATIENCE_MS)
    assert not editor.is_changed


def test_a_pause_elsewhere_is_no_conflict(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    schedule = world.schedule(world.workspace())
    world.client.post(f"/api/schedules/{schedule}/resume")
    editor = editor_of(open_canvas(), schedule)
    type_anew(qtbot, editor.payload.text, "mine")
    world.client.post(f"/api/schedules/{schedule}/pause", {"reason": "holiday"})
    qtbot.waitUntil(lambda: "holiday" in words_of(editor), timeout=PATIENCE_MS)
    assert not editor.conflict.isVisible()
    press(qtbot, editor.save_button)
    until_saved(qtbot, editor)
    assert world.client.get(f"/api/schedules/{schedule}")["pause_reason"] == "holiday"


@pytest.mark.contract("K29", "K30", "K32", "X8")
def test_another_zone_is_told_with_both_times_before_a_save_moves_it(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    away = Client(world.home, "America/New_York")
    edit_elsewhere(away, schedule, payload="from New York")
    editor = editor_of(open_canvas(), schedule)
    told = editor.zone_note.words
    assert "Saved in America/New_York; this machine is in Europe/Berlin" in told
    assert "09:00 there" in told
    assert "15:00 here" in told
    assert world.client.get(f"/api/schedules/{schedule}")["zone"] == "America/New_York"
    press(qtbot, editor.save_button)  # nothing is typed: it moves the zone alone
    until_saved(qtbot, editor)
    assert world.client.get(f"/api/schedules/{schedule}")["zone"] == "Europe/Berlin"
    qtbot.waitUntil(lambda: "this machine's zone" in editor.zone_note.words, timeout=PATIENCE_MS)


@pytest.mark.contract("K31")
def test_no_field_of_the_form_holds_the_zone(open_canvas: OpenWindow, world: World) -> None:
    schedule = world.schedule(world.workspace())
    editor = editor_of(open_canvas(), schedule)
    assert "Europe/Berlin" in editor.zone_note.words
    for choice in editor.when.choices.findChildren(QAbstractButton):
        choice.click()
        fields = [*editor.findChildren(QLineEdit), *editor.findChildren(QPlainTextEdit)]
        held = [field.text() if isinstance(field, QLineEdit) else field.toPlainText() for field in fields]
        for box in editor.findChildren(QComboBox):
            held += [box.itemText(number) for number in range(box.count())]
        assert len(held) > 3
        assert not any("Berlin" in text or "UTC" in text for text in held)


def test_policies_are_folded_away_with_their_defaults_said(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    editor = editor_of(open_canvas(), schedule)
    policies = editor.policies
    assert not policies.overlap.isVisible()
    assert "no catch-up, at most 60 s late, waits as long as it takes (the defaults)" in words_of(policies)
    press(qtbot, policies.fold)
    policies.overlap.setCurrentIndex(policies.overlap.findData("replace"))
    policies.catchup.setCurrentIndex(policies.catchup.findData("latest"))
    policies.grace.show_text("5m")
    policies.grace.changed.emit("5m")
    policies.limited.click()
    press(qtbot, editor.save_button)
    until_saved(qtbot, editor)
    saved = world.client.get(f"/api/schedules/{schedule}")
    assert (saved["overlap"], saved["catchup"]) == ("replace", "latest")
    assert (saved["misfire_grace_s"], saved["pending_limit_s"]) == (300, 3600)


def test_policies_that_the_fields_cannot_say_are_left_alone(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace(), misfire_grace_s=1.5)
    editor = editor_of(open_canvas(), schedule)
    type_anew(qtbot, editor.payload.text, "other")
    press(qtbot, editor.save_button)
    until_saved(qtbot, editor)
    assert world.client.get(f"/api/schedules/{schedule}")["misfire_grace_s"] == 1.5


def test_a_form_goes_with_its_schedule(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    editor = editor_of(window, schedule)
    type_anew(qtbot, editor.payload.text, "unsaved")
    window.panels.show_history(schedule)
    world.client.delete(f"/api/nodes/{schedule}")
    qtbot.waitUntil(lambda: window.panels.form is None, timeout=PATIENCE_MS)
    assert window.panels.history is None
    assert not window.side.isVisible()
    assert not window.below.isVisible()


@pytest.mark.contract("K21", "K40")
def test_a_refusal_is_told_at_the_card_with_what_to_do(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    place = world.workspace()
    bare = world.client.post("/api/schedules", {"workspace": place, "name": "bare"})["id"]
    window = open_canvas()
    view = view_of(window)
    hand(view).press_button(bare, "Run now")
    qtbot.waitUntil(window.refusal.isVisible, timeout=PATIENCE_MS)
    assert "no target" in words_of(window.refusal)
    assert "Draw a wire from one of its handles" in words_of(window.refusal)
    card = view.mapFromScene(view.canvas.card_rect(bare)).boundingRect()
    assert abs(window.refusal.geometry().top() - card.bottom()) < 30
    window.refusal.hide()
    hand(view).press_button(bare, "Resume")
    qtbot.waitUntil(window.refusal.isVisible, timeout=PATIENCE_MS)
    assert "payload is empty" in words_of(window.refusal)
    shown = world.client.get(f"/api/schedules/{bare}")
    assert shown["state"] == "Paused"
    assert world.client.get(f"/api/schedules/{bare}/history")["attempts"] == []


@pytest.mark.contract("K42", "K43", "K44", "K46")
def test_resume_pause_and_run_now_by_keys(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    window = open_canvas()
    view = view_of(window)
    hand(view).click(schedule, TITLE)

    def state() -> str:
        return window.model.schedules[schedule].state

    qtbot.keyClick(view, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: state() == "Running", timeout=PATIENCE_MS)
    due = window.model.schedules[schedule].next_due
    qtbot.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.model.schedules[schedule].last_attempt is not None, timeout=PATIENCE_MS)
    assert state() == "Running"
    assert window.model.schedules[schedule].next_due == due
    (attempt,) = world.client.get(f"/api/schedules/{schedule}/history")["attempts"]
    assert attempt["trigger"] == "manual"
    qtbot.keyClick(view, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: state() == "Paused", timeout=PATIENCE_MS)


def test_letters_typed_in_the_form_start_nothing(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    window = open_canvas()
    hand(view_of(window)).click(schedule, TITLE)
    editor = editor_of(window, schedule)
    type_anew(qtbot, editor.payload.text, "rephd")
    type_anew(qtbot, editor.title, "repair")
    assert window.panels.history is None
    shown = world.client.get(f"/api/schedules/{schedule}")
    assert (shown["state"], shown["last_attempt"]) == ("Paused", None)


def test_a_terminals_settings_are_saved_and_say_when_they_hold(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    terminal = world.terminal(world.workspace())
    window = open_canvas()
    view_of(window)
    window.panels.edit(terminal)
    settings = window.panels.form
    assert isinstance(settings, TerminalSettings)
    type_anew(qtbot, settings.title, "build box")
    type_anew(qtbot, settings.shell, "/bin/sh")
    assert "until it is restarted" in words_of(settings)
    press(qtbot, settings.save_button)
    qtbot.waitUntil(lambda: window.model.nodes[terminal].name == "build box", timeout=PATIENCE_MS)
    assert window.model.nodes[terminal].shell == "/bin/sh"
    type_anew(qtbot, settings.directory, "/nowhere/at/all")
    press(qtbot, settings.save_button)
    qtbot.waitUntil(settings.problem.isVisible, timeout=PATIENCE_MS)
    assert "/nowhere/at/all" in settings.problem.text()


def test_a_save_is_a_step_that_is_undone_and_done_again(
    open_canvas: OpenWindow, world: World, hand: Hands, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    editor = editor_of(window, schedule)
    type_anew(qtbot, editor.payload.text, "make check")
    editor.when.choices.button("hourly").click()
    press(qtbot, editor.save_button)
    until_saved(qtbot, editor)
    edit_elsewhere(world.client, schedule, name="renamed meanwhile")
    view = view_of(window)
    view.setFocus()

    def kept() -> tuple[str, str, str]:
        found = world.client.get(f"/api/schedules/{schedule}")
        return found["name"], found["payload"], found["recurrence"]["preset"]

    qtbot.waitUntil(lambda: window.model.nodes[schedule].name == "renamed meanwhile", timeout=PATIENCE_MS)
    qtbot.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: kept() == ("renamed meanwhile", "true", "daily"), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: editor.payload.payload() == "true", timeout=PATIENCE_MS)
    qtbot.keyClick(
        view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    qtbot.waitUntil(lambda: kept() == ("renamed meanwhile", "make check", "hourly"), timeout=PATIENCE_MS)


def test_undo_says_that_a_first_command_stays(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    bare = world.client.post("/api/schedules", {"workspace": world.workspace(), "name": "bare"})["id"]
    window = open_canvas()
    editor = editor_of(window, bare)
    type_anew(qtbot, editor.payload.text, "true")
    press(qtbot, editor.save_button)
    until_saved(qtbot, editor)
    view = view_of(window)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.refusal.isVisible, timeout=PATIENCE_MS)
    assert "cannot be saved without one" in words_of(window.refusal)
    assert world.client.get(f"/api/schedules/{bare}")["payload"] == "true"


def test_what_is_answered_after_a_panel_is_closed_disturbs_nobody(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule, terminal = world.schedule(place), world.terminal(place)
    window = open_canvas()
    editor = editor_of(window, schedule)
    type_anew(qtbot, editor.payload.text, "saved on the way out")
    press(qtbot, editor.save_button)
    press(qtbot, editor.cancel_button)
    window.panels.show_history(schedule)
    window.panels.close_history()
    window.panels.edit(terminal)
    settings = window.panels.form
    assert isinstance(settings, TerminalSettings)
    type_anew(qtbot, settings.title, "renamed")
    press(qtbot, settings.save_button)
    window.panels.close_form()
    qtbot.waitUntil(
        lambda: (
            world.client.get(f"/api/schedules/{schedule}")["payload"] == "saved on the way out"
            and window.model.nodes[terminal].name == "renamed"
        ),
        timeout=PATIENCE_MS,
    )
    qtbot.wait(50)  # an exception in a slot would be told by now
    assert window.panels.form is None


def test_the_tab_key_goes_through_the_form_from_the_payload_to_save(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    schedule = world.schedule(world.workspace())
    window = open_canvas()
    window.activateWindow()
    editor = editor_of(window, schedule)
    qtbot.waitUntil(editor.payload.text.hasFocus, timeout=PATIENCE_MS)
    qtbot.keyClicks(editor.payload.text, "; true")
    reached = []
    for _ in range(20):
        focused = QApplication.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
        if editor.save_button.hasFocus():
            break
    for field in (editor.when.time, editor.when.expression, editor.policies.fold, editor.cancel_button):
        assert field in reached
    qtbot.keyClick(editor.save_button, Qt.Key.Key_Space)
    until_saved(qtbot, editor)
    assert world.client.get(f"/api/schedules/{schedule}")["payload"] in ("; truetrue", "true; true")
    assert editor.act_button.hasFocus()  # what comes next, not what stands first in the window


def test_panels_follow_the_theme_and_the_hour(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    place = world.workspace()
    schedule, other = world.schedule(place, target=world.terminal(place)), world.schedule(place, "other")
    world.client.post(f"/api/schedules/{schedule}/run")
    window = open_canvas()
    aside = editor_of(window, other)
    type_anew(qtbot, aside.payload.text, "unsaved")
    editor = editor_of(window, schedule)
    window.panels.show_history(schedule)
    history = window.panels.history
    assert history is not None
    qtbot.waitUntil(lambda: history.rows.rowCount() == 1, timeout=PATIENCE_MS)
    for name in ("light", "dark"):
        theme = load_theme(name)
        window.set_theme(theme)
        for panel in (editor, history, aside):
            assert theme.card.name() in panel.styleSheet()
    window.panels.tick()
    assert "09:00" in words_of(editor.preview)


def test_a_long_name_of_the_target_cuts_nothing_off_in_the_form(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    target = world.terminal(
        place, "a name that is very much longer than the form is wide, and goes on and on"
    )
    schedule = world.schedule(place, target=target)
    editor = editor_of(open_canvas(), schedule)
    area = editor.findChild(QScrollArea)
    qtbot.waitUntil(lambda: area.widget().width() == area.viewport().width())

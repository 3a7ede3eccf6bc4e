"""Sticky Notes, Files and Specifications on the canvas, over a real runtime and real files."""

from __future__ import annotations

import threading
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from canvas_world import LEFT, Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.cards.document import FileCard
from kavor.canvas.cards.face import Moment
from kavor.canvas.model import Model
from kavor.canvas.qt import QAction, QMenu, QPoint, QTextCursor
from kavor.canvas.texts.text_overlay import TextOverlay
from kavor.canvas.texts.texts import Texts
from kavor.canvas.things import Node, TextFile
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.domain.sticky_note import MAX_CODE_POINTS


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def place(world: World) -> str:
    return world.workspace()


class Desk(Person):
    """A person at a canvas with texts on it."""

    def __init__(self, qtbot: QtBot, open_canvas: OpenWindow, world: World) -> None:
        super().__init__(qtbot, open_canvas())
        self.world = world

    @property
    def texts(self) -> Texts:
        return self.window.live[self.view].texts

    @property
    def overlay(self) -> TextOverlay:
        overlay = self.texts.overlay
        assert overlay is not None
        return overlay

    def open(self, name: str) -> None:
        self.select(name)
        self.view.setFocus()
        self.press(Key.Key_Return)
        self.until(lambda: self.texts.overlay is not None)

    def text_of(self, name: str) -> str:
        return str(self.world.client.get(f"/api/nodes/{self.id_of(name)}/text")["text"])

    def write_elsewhere(self, name: str, text: str) -> None:
        path = f"/api/nodes/{self.id_of(name)}/text"
        self.world.client.put(path, {"text": text}, version=self.world.client.get(path)["version"])

    def face(self, name: str) -> Any:
        return self.view.canvas.face_of(self.id_of(name))

    def menu_action(self, name: str, *words: str) -> QAction:
        """Of the menu of a card, through submenus."""
        menu: QMenu = self.menu_at(self.title(name))
        for word in words[:-1]:
            found = next(action for action in menu.actions() if action.text() == word).menu()
            assert isinstance(found, QMenu)
            menu = found
        return next(action for action in menu.actions() if action.text() == words[-1])


def add(world: World, place: str, kind: str, name: str, **fields: object) -> str:
    body = {"workspace": place, "kind": kind, "name": name, "x": 0, "y": 0, **fields}
    return str(world.client.post("/api/nodes", body)["id"])


# --- Sticky Notes


def test_a_note_is_added_by_key_written_and_undone(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.press(Key.Key_N)
    desk.until_names("Sticky Note")
    desk.until(lambda: desk.selected() == ["Sticky Note"])
    desk.open("Sticky Note")
    desk.type("Before *Friday*")
    desk.press(Key.Key_Escape)
    desk.until(lambda: desk.text_of("Sticky Note") == "Before *Friday*")
    assert desk.texts.overlay is None
    assert desk.view.hasFocus()
    desk.until(lambda: desk.face("Sticky Note").prose == "Before *Friday*")

    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until(lambda: desk.text_of("Sticky Note") == "")
    desk.press(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    desk.until(lambda: desk.text_of("Sticky Note") == "Before *Friday*")


def test_leaving_a_note_for_another_card_saves_it(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "left")
    add(world, place, "sticky-note", "right", x=400)
    desk = Desk(qtbot, open_canvas, world)
    desk.open("left")
    desk.type("kept")
    desk.qtbot.mouseClick(desk.view.viewport(), LEFT, pos=desk.title("right"))
    desk.until(lambda: desk.text_of("left") == "kept")


def test_a_note_that_is_left_again_before_it_was_saved_is_saved_whole(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "plan")
    desk = Desk(qtbot, open_canvas, world)
    goes_on = threading.Event()
    desk.window.link.change(lambda _: goes_on.wait(20), lambda _: None, lambda _: None)
    for words in ("one", " two"):
        desk.open("plan")
        desk.type(words)
        desk.press(Key.Key_Escape)
    goes_on.set()
    desk.until(lambda: desk.text_of("plan") == "one two")
    desk.until(lambda: not desk.texts.unsaved())


def test_two_texts_of_a_note_are_both_there_until_the_person_chooses(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "plan", text="first")
    desk = Desk(qtbot, open_canvas, world)
    desk.open("plan")
    desk.overlay.field.selectAll()
    desk.type("mine")
    desk.write_elsewhere("plan", "theirs")
    desk.until(lambda: desk.overlay.conflict.isVisible())
    assert desk.overlay.conflict.present.toPlainText() == "theirs"
    assert desk.overlay.field.toPlainText() == "mine"

    desk.press(Key.Key_Escape)  # neither is lost by looking away
    assert desk.text_of("plan") == "theirs"
    assert desk.face("plan").calls
    assert "edited elsewhere" in desk.face("plan").outcome.text
    desk.open("plan")
    assert desk.overlay.field.toPlainText() == "mine"
    desk.overlay.conflict.mine_button.click()
    desk.until(lambda: desk.text_of("plan") == "mine")
    assert not desk.overlay.conflict.isVisible()
    desk.press(Key.Key_Escape)
    assert not desk.face("plan").calls


def test_a_new_colour_or_name_meanwhile_is_no_conflict(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    note = add(world, place, "sticky-note", "plan", text="first")
    desk = Desk(qtbot, open_canvas, world)
    desk.open("plan")
    desk.type(" and second")
    node = world.client.get(f"/api/nodes/{note}")
    world.client.patch(f"/api/nodes/{note}", {"colour": "pink"}, revision=node["revision"])
    desk.until(lambda: desk.face("plan").paper == "pink")
    desk.press(Key.Key_Escape)
    desk.until(lambda: desk.text_of("plan") == "first and second")


def test_the_colour_is_chosen_from_the_menu_and_undone(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "plan")
    desk = Desk(qtbot, open_canvas, world)
    assert desk.face("plan").paper == "yellow"
    desk.menu_action("plan", "Colour", "Blue").trigger()
    desk.until(lambda: desk.face("plan").paper == "blue")
    desk.view.setFocus()
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until(lambda: desk.face("plan").paper == "yellow")


def test_a_note_that_is_too_long_says_so_and_keeps_what_was_typed(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "plan")
    desk = Desk(qtbot, open_canvas, world)
    desk.open("plan")
    desk.overlay.field.setPlainText("x" * (MAX_CODE_POINTS + 1))
    assert desk.overlay.problem.isVisible()
    desk.press(Key.Key_Escape)
    assert desk.face("plan").calls
    assert desk.text_of("plan") == ""
    desk.open("plan")
    assert len(desk.overlay.field.toPlainText()) == MAX_CODE_POINTS + 1
    desk.overlay.field.setPlainText("short")
    desk.press(Key.Key_Escape)
    desk.until(lambda: desk.text_of("plan") == "short")


def test_a_deleted_note_comes_back_with_its_words_and_colour(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "plan", text="words", colour="green")
    desk = Desk(qtbot, open_canvas, world)
    desk.select("plan")
    desk.press(Key.Key_Delete)
    desk.until_names()
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until_names("plan")
    assert (desk.face("plan").prose, desk.face("plan").paper) == ("words", "green")


def test_a_note_that_is_not_saved_is_named_before_it_is_deleted(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "plan", text="first")
    desk = Desk(qtbot, open_canvas, world)
    desk.open("plan")
    desk.type(" mine")
    desk.write_elsewhere("plan", "theirs")
    desk.until(lambda: desk.overlay.conflict.isVisible())
    desk.press(Key.Key_Escape)
    desk.press(Key.Key_Delete)
    question = desk.window.workbench.question
    assert question.isVisible()
    question.no.click()
    assert desk.texts.unsaved_names() == ["plan"]


# --- Files and Specifications


@pytest.fixture
def file(world: World, place: str) -> Path:
    path = world.folder / "Lab" / "check.sql"
    path.write_text("select 1;\n")
    add(world, place, "file", "check.sql", path="check.sql")
    return path


def test_a_file_is_asked_for_and_shows_how_it_begins(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    path = world.folder / "Lab" / "notes.txt"
    path.write_text("one\ntwo\n")
    desk = Desk(qtbot, open_canvas, world)
    asked: list[str] = []

    def choose(_: object, folder: str) -> str:
        asked.append(folder)
        return str(path)

    desk.window.workbench.adding.choose_file = choose
    desk.press(Key.Key_F)
    desk.until_names("notes.txt")
    assert asked == [str(path.parent)]
    desk.until(lambda: desk.face("notes.txt").lines == ("one", "two"))
    assert desk.face("notes.txt").role == "notes.txt"


def test_changes_outside_are_noticed(open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.until(lambda: desk.face("check.sql").lines == ("select 1;",))
    file.write_text("select 2;\nselect 3;\n")
    desk.until(lambda: desk.face("check.sql").lines == ("select 2;", "select 3;"))
    file.unlink()
    desk.until(lambda: "no file" in desk.face("check.sql").rows[0].text)


@pytest.mark.usefixtures("qapp")
def test_a_file_of_no_calendars_date_is_there_all_the_same() -> None:
    file = TextFile("/lab/check.sql", exists=True, size=10, modified_at=None)
    node = Node("n", "w", NodeKind.FILE, "check.sql", 0, 0, 1, file=file)
    moment = Moment(Instant(0), date(1970, 1, 1), ZoneInfo("UTC"))
    (row,) = FileCard().face(node, Model(), moment).rows
    assert (row.text, row.sign) == ("10 bytes", "")


@pytest.mark.usefixtures("qapp")
def test_a_file_that_does_not_answer_is_not_shown_as_gone() -> None:
    file = TextFile("/lab/check.sql", exists=None, size=None, modified_at=None)
    node = Node("n", "w", NodeKind.FILE, "check.sql", 0, 0, 1, file=file)
    moment = Moment(Instant(0), date(1970, 1, 1), ZoneInfo("UTC"))
    (row,) = FileCard().face(node, Model(), moment).rows
    assert (row.text, row.sign) == ("It cannot be read just now", "warning")


def test_a_file_is_saved_when_the_person_says_so(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.open("check.sql")
    desk.type("-- ")
    assert file.read_text() == "select 1;\n"
    desk.press(Key.Key_S, Mod.ControlModifier)
    desk.until(lambda: file.read_text() == "-- select 1;\n")
    desk.type("really ")
    desk.press(Key.Key_Escape)
    assert file.read_text() == "-- select 1;\n"
    desk.until(lambda: desk.face("check.sql").calls)
    assert desk.face("check.sql").outcome.text == "Not saved yet"
    desk.open("check.sql")
    assert desk.overlay.field.toPlainText() == "-- really select 1;\n"
    desk.overlay.save_button.click()
    desk.until(lambda: file.read_text() == "-- really select 1;\n")
    desk.press(Key.Key_Escape)
    desk.until(lambda: not desk.texts.unsaved())
    assert desk.face("check.sql").outcome is None


@pytest.mark.parametrize(
    "text", ["one\r\ntwo\r\n", "one\u00a0two\n", "one\u2028two\n", "\ufeffone\n", "one\x00\x0c\x1b[0m\n"]
)
def test_of_a_file_only_what_was_typed_is_different(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot, text: str
) -> None:
    file.write_bytes(text.encode())
    desk = Desk(qtbot, open_canvas, world)
    desk.open("check.sql")
    desk.overlay.field.moveCursor(QTextCursor.MoveOperation.End)
    desk.type("1")
    desk.press(Key.Key_Return)
    desk.press(Key.Key_S, Mod.ControlModifier)
    end = "\r\n" if "\r" in text else "\n"
    desk.until(lambda: file.read_bytes() == f"{text}1{end}".encode())
    desk.press(Key.Key_Backspace)
    desk.press(Key.Key_Backspace)
    desk.press(Key.Key_S, Mod.ControlModifier)
    desk.until(lambda: file.read_bytes() == text.encode())


def test_what_is_taken_back_while_it_is_being_saved_is_saved_as_it_was(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.open("check.sql")
    released = threading.Event()
    desk.window.link.change(lambda _: released.wait(20), lambda _: None, lambda _: None)
    desk.type("-")
    desk.press(Key.Key_S, Mod.ControlModifier)
    desk.press(Key.Key_Backspace)
    desk.press(Key.Key_S, Mod.ControlModifier)
    assert desk.texts.unsaved_names() == ["check.sql"]  # for a window that closes now
    released.set()
    desk.until(lambda: not desk.texts.unsaved())
    assert file.read_text() == "select 1;\n"


def test_what_was_to_be_saved_once_more_is_discarded_with_the_rest(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.open("check.sql")
    released = threading.Event()
    desk.window.link.change(lambda _: released.wait(20), lambda _: None, lambda _: None)
    for text in "-+":
        desk.type(text)
        desk.press(Key.Key_S, Mod.ControlModifier)
    desk.texts.discard_unsaved()
    assert desk.texts.unsaved() == []
    released.set()
    desk.until(lambda: file.read_text() == "-select 1;\n")  # which was on its way


def test_a_file_that_could_not_be_kept_as_it_is_is_not_edited_in_place(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot
) -> None:
    file.write_bytes(b"one\r\ntwo\nthree\rfour\n")
    desk = Desk(qtbot, open_canvas, world)
    desk.select("check.sql")
    desk.view.setFocus()
    desk.press(Key.Key_Return)
    desk.until(desk.window.refusal.isVisible)
    assert desk.texts.overlay is None


def test_a_file_that_was_changed_outside_is_not_written_over(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.open("check.sql")
    desk.type("mine ")
    file.write_text("theirs\n")
    desk.until(lambda: desk.overlay.conflict.isVisible())
    desk.press(Key.Key_S, Mod.ControlModifier)
    assert file.read_text() == "theirs\n"
    desk.overlay.conflict.theirs_button.click()
    assert desk.overlay.field.toPlainText() == "theirs\n"


def test_closing_the_window_asks_for_texts_that_are_not_saved(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.open("check.sql")
    desk.type("typed ")
    question = desk.window.closing.question
    assert not desk.window.close()
    assert question.isVisible()
    question.yes.click()
    desk.until(lambda: file.read_text() == "typed select 1;\n")
    desk.until(lambda: not desk.window.isVisible())


def test_undo_of_a_save_never_loses_a_later_edit(
    open_canvas: OpenWindow, world: World, file: Path, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.open("check.sql")
    desk.type("a")
    desk.press(Key.Key_S, Mod.ControlModifier)
    desk.until(lambda: file.read_text() == "aselect 1;\n")
    desk.until(desk.window.workbench.palette.undo_button.isEnabled)  # the window has heard of it
    desk.press(Key.Key_Escape)
    file.write_text("theirs\n")
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until(lambda: desk.window.refusal.isVisible())
    assert file.read_text() == "theirs\n"


def test_what_can_come_back_comes_back_once_though_a_file_is_gone(
    open_canvas: OpenWindow, world: World, place: str, file: Path, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "left", x=400)
    add(world, place, "sticky-note", "right", x=800)
    desk = Desk(qtbot, open_canvas, world)
    desk.press(Key.Key_A, Mod.ControlModifier)
    desk.press(Key.Key_Delete)
    desk.until_names()
    file.unlink()
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until_names("left", "right")
    desk.until(desk.window.refusal.isVisible)  # and says what did not
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.press(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    desk.until_names()
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until_names("left", "right")


def test_a_specification_is_written_and_its_state_is_chosen(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    desk = Desk(qtbot, open_canvas, world)
    desk.press(Key.Key_I)
    desk.until_names("Specification")
    assert desk.face("Specification").state == "Draft"
    assert desk.face("Specification").rows[0].text == "Not written yet"
    desk.open("Specification")
    desk.type("# Import")
    desk.press(Key.Key_S, Mod.ControlModifier)
    written = world.folder / "Lab" / "Specification.md"
    desk.until(lambda: written.exists() and written.read_text() == "# Import")
    desk.press(Key.Key_Escape)
    desk.until(lambda: desk.face("Specification").prose == "# Import")
    desk.menu_action("Specification", "State", "In review").trigger()
    desk.until(lambda: desk.face("Specification").state == "In review")


# --- Wires


def test_a_guardrail_is_chosen_on_the_wire_and_undone(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    note = add(world, place, "sticky-note", "plan")
    agent = add(world, place, "coding-agent", "reviewer", x=400, provider="scripted", open=False)
    world.client.post("/api/connections", {"a": agent, "b": note})
    desk = Desk(qtbot, open_canvas, world)
    (item,) = desk.view.canvas.connection_items.values()
    middle = desk.view.mapFromScene(item.sign_rect.center())

    def guardrail() -> str | None:
        (connection,) = desk.window.model.connections.values()
        return connection.guardrail

    words = "Guardrail: the agent may read the Sticky Note, and not change it"
    menu = desk.menu_at(middle)
    next(action for action in menu.actions() if action.text() == words).trigger()
    desk.until(lambda: guardrail() == "sticky_note_read_only")
    assert item.toolTip() == words
    desk.view.setFocus()
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until(lambda: guardrail() is None)
    desk.press(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    desk.until(lambda: guardrail() == "sticky_note_read_only")

    desk.view.canvas.clearSelection()
    item.setSelected(True)
    desk.press(Key.Key_Delete)
    desk.until(lambda: desk.connections() == 0)
    desk.press(Key.Key_Z, Mod.ControlModifier)
    desk.until(lambda: desk.connections() == 1)
    assert guardrail() == "sticky_note_read_only"


def test_the_variable_of_a_wire_is_renamed_where_it_stands(
    open_canvas: OpenWindow, world: World, place: str, file: Path, qtbot: QtBot
) -> None:
    shell = world.terminal(place, x=500)
    desk = Desk(qtbot, open_canvas, world)
    world.client.post("/api/connections", {"a": desk.id_of("check.sql"), "b": shell})
    desk.until(lambda: desk.connections() == 1)
    (item,) = desk.view.canvas.connection_items.values()
    menu = desk.menu_at(desk.view.mapFromScene(item.sign_rect.center()) + QPoint(1, 0))
    next(each for each in menu.actions() if each.text() == "Rename the variable CHECK_SQL…").trigger()
    desk.type("QUERY")
    desk.press(Key.Key_Return)

    def variable() -> str | None:
        (connection,) = desk.window.model.connections.values()
        return connection.env

    desk.until(lambda: variable() == "QUERY")
    assert item.toolTip() == "QUERY"


def test_every_allowed_pair_can_be_joined_and_no_other(
    open_canvas: OpenWindow, world: World, place: str, file: Path, qtbot: QtBot
) -> None:
    add(world, place, "sticky-note", "plan", x=0, y=400)
    add(world, place, "coding-agent", "reviewer", x=500, provider="scripted", open=False)
    desk = Desk(qtbot, open_canvas, world)
    for name in ("check.sql", "plan"):
        start = desk.handle("reviewer", 2)
        desk.pull(start, desk.middle(name))
        desk.let_go(desk.middle(name))
    desk.until(lambda: desk.connections() == 2)
    desk.pull(desk.handle("plan", 1), desk.middle("check.sql"))
    desk.let_go(desk.middle("check.sql"))
    assert desk.connections() == 2


def test_the_palette_has_every_kind(open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot) -> None:
    desk = Desk(qtbot, open_canvas, world)
    assert set(desk.window.workbench.palette.kinds) == set(NodeKind)

"""A Terminal used on the canvas: real keys and mouse, a real bash, and what its screen shows."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from canvas_world import LEFT, Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.api.launch import ensure_runtime, wait_until_stopped
from kavor.canvas.cards.cells import GridSize, cell_rect
from kavor.canvas.link import LinkState
from kavor.canvas.qt import QApplication, QInputMethodEvent, QPoint, QPointF, Qt, QWheelEvent
from kavor.canvas.terminal.pace import Attention
from kavor.canvas.terminal.terminal_widget import TerminalWidget
from kavor.canvas.terminal.terminals import Terminals
from kavor.canvas.terminal.viewer import Viewer
from kavor.canvas.view import CanvasView

BACK = (Key.Key_Escape, Mod.ControlModifier | Mod.ShiftModifier)
COPY = (Key.Key_C, Mod.ControlModifier | Mod.ShiftModifier)
PASTE = (Key.Key_V, Mod.ControlModifier | Mod.ShiftModifier)


class Seat(Person):
    """A person before one Terminal, ``shell``, whose bash waits at its prompt."""

    def __init__(self, qtbot: QtBot, window, folder: Path) -> None:  # type: ignore[no-untyped-def]
        super().__init__(qtbot, window)
        self.folder = folder
        self.shell = self.id_of("shell")
        self.view.set_zoom(1.0)
        self.view.show_node(self.shell)

    @property
    def terminals(self) -> Terminals:
        return self.window.terminals[self.view]

    @property
    def viewer(self) -> Viewer:
        return self.terminals.viewers[self.shell]

    @property
    def widget(self) -> TerminalWidget:
        used = self.terminals.used
        assert used is not None
        return used

    @property
    def text(self) -> str:
        viewer = self.terminals.viewers.get(self.shell)
        return "" if viewer is None else viewer.screen.text

    def until_shown(self, words: str) -> None:
        self.until(lambda: words in self.text)

    def until_at_prompt(self) -> None:
        self.until(lambda: self.text.rstrip().endswith(("$", "#")))

    def enter(self) -> None:
        self.until_at_prompt()
        self.qtbot.mouseDClick(self.view.viewport(), LEFT, pos=self.middle("shell"))
        assert self.widget.hasFocus()

    def line(self, text: str) -> None:
        self.type(text)
        self.press(Key.Key_Return)

    def cell(self, column: int, line: int) -> QPoint:
        """Its middle, on the widget."""
        return (cell_rect(column, line).center() + QPointF(10, 10)).toPoint()

    def wheel(self, notches: int, held: Mod = Mod.NoModifier) -> None:
        at = QPointF(self.cell(5, 5))
        event = QWheelEvent(
            at,
            self.widget.mapToGlobal(at),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            held,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self.widget, event)


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def seat(qtbot: QtBot, world: World, open_canvas: OpenWindow) -> Seat:
    world.terminal(world.workspace(), x=0, y=0, open=True)
    return Seat(qtbot, open_canvas(), world.folder / "Lab")


@pytest.fixture
def used(seat: Seat) -> Iterator[Seat]:
    seat.enter()
    yield seat
    QApplication.clipboard().clear()


# --- Into it and back


def test_the_screen_is_in_the_card_without_being_used(seat: Seat) -> None:
    seat.until_at_prompt()
    assert seat.terminals.used is None
    picture = seat.view.viewport().grab().toImage()
    corner = seat.view.content_rect(seat.shell).topLeft() + QPoint(10, 10)
    first_line = picture.copy(corner.x(), corner.y(), 100, 15)
    colours = {
        first_line.pixelColor(x, y).rgb()
        for x in range(first_line.width())
        for y in range(first_line.height())
    }
    assert len(colours) > 3  # letters on the ground


def test_enter_uses_it_and_a_key_goes_back(seat: Seat) -> None:
    seat.until_at_prompt()
    seat.select("shell")
    seat.press(Key.Key_Return)
    assert seat.widget.hasFocus()
    seat.press(*BACK)
    assert seat.terminals.used is None
    assert isinstance(QApplication.focusWidget(), CanvasView)


def test_a_click_into_a_selected_card_uses_it(seat: Seat) -> None:
    seat.until_at_prompt()
    seat.hand.click(seat.shell, QPointF(200, 200))
    assert seat.terminals.used is None  # the first one selects
    seat.qtbot.wait(QApplication.doubleClickInterval() + 50)
    seat.hand.click(seat.shell, QPointF(200, 200))
    assert seat.widget.hasFocus()


def test_a_click_on_the_canvas_goes_back(used: Seat) -> None:
    used.qtbot.mouseClick(used.view.viewport(), LEFT, pos=QPoint(8, 8))
    used.until(lambda: used.terminals.used is None)


def test_enter_on_a_closed_one_opens_it_first(seat: Seat, world: World) -> None:
    world.client.post(f"/api/sessions/{seat.shell}/close")
    seat.until(lambda: seat.view.canvas.node_items[seat.shell].face.state == "closed")
    seat.until(lambda: seat.shell not in seat.terminals.viewers)
    face = seat.view.canvas.node_items[seat.shell].face
    assert "closed" in face.headline
    assert [button.action for button in face.buttons] == ["open"]
    seat.select("shell")
    seat.press(Key.Key_Return)
    seat.until(lambda: seat.terminals.used is not None)
    assert seat.widget.hasFocus()


# --- Keys


def test_what_is_typed_is_run_by_the_shell(used: Seat) -> None:
    used.line("echo $((40 + 2)) > answer.txt; cat answer.txt")
    used.until_shown("\n42")
    assert (used.folder / "answer.txt").read_text() == "42\n"


def test_keys_of_the_canvas_are_the_shells_while_it_is_used(used: Seat) -> None:
    used.type("st/")  # each of them adds or deletes on the canvas
    used.press(Key.Key_Backspace)
    used.press(Key.Key_Home)
    used.type("echo ")
    used.press(Key.Key_Return)
    used.until_shown("\nst")
    assert used.names() == ["shell"]


def test_ctrl_c_and_ctrl_d_reach_the_program(used: Seat) -> None:
    used.line("echo go; cat > heard.txt")
    used.until_shown("\ngo")
    used.line("over and out")
    used.until_shown("over and out")
    used.press(Key.Key_D, Mod.ControlModifier)
    used.until_at_prompt()
    assert (used.folder / "heard.txt").read_text() == "over and out\n"
    used.line("sleep 60; echo $?")
    used.press(Key.Key_C, Mod.ControlModifier)
    used.until_shown("^C")


def test_an_input_method_types_what_it_commits(used: Seat) -> None:
    composing = QInputMethodEvent("にほ", [])
    QApplication.sendEvent(used.widget, composing)
    committed = QInputMethodEvent()
    committed.setCommitString("日本")
    used.type("echo ")
    QApplication.sendEvent(used.widget, committed)
    used.press(Key.Key_Return)
    used.until_shown("\n日本")


@pytest.mark.skipif(shutil.which("vim") is None, reason="vim is not installed")
def test_vim_is_entered_used_and_left(used: Seat) -> None:
    used.line("vim --clean note.txt")
    used.until_shown("~")
    used.press(Key.Key_I)
    used.type("first")
    used.press(Key.Key_Return)
    used.type("second")
    used.press(Key.Key_Up)
    used.press(Key.Key_End)
    used.type(" line")
    used.until_shown("first line")
    used.press(Key.Key_Escape)
    used.line(":wq")
    used.until_at_prompt()
    assert (used.folder / "note.txt").read_text() == "first line\nsecond\n"


def test_less_follows_page_keys_and_the_wheel(used: Seat) -> None:
    used.line("seq 1 500 | less")
    used.until_shown("\n20")
    used.press(Key.Key_PageDown)
    used.until(lambda: not used.text.startswith("1\n"))
    used.press(Key.Key_End)
    used.until_shown("500")
    used.press(Key.Key_Home)
    used.until(lambda: used.text.startswith("1\n"))
    used.press(Key.Key_Q)
    used.until_at_prompt()


# --- Paste, marking, copy


def paste(seat: Seat, text: str) -> None:
    QApplication.clipboard().setText(text)
    seat.press(*PASTE)


def test_one_line_is_pasted_at_once(used: Seat) -> None:
    paste(used, "echo pasted")
    used.until_shown("echo pasted")
    assert not used.terminals.guard.question.isVisible()


def test_several_lines_are_asked_about_once(used: Seat) -> None:
    question = used.terminals.guard.question
    paste(used, "echo one\necho two\n")
    assert question.isVisible()
    used.press(Key.Key_Escape)
    assert not question.isVisible()
    assert used.widget.hasFocus()
    paste(used, "echo three\necho four\n")
    assert question.isVisible()
    used.press(Key.Key_Return)
    used.until_shown("echo four")
    assert "echo one" not in used.text
    assert used.widget.hasFocus()
    paste(used, "echo five\necho six\n")
    assert not question.isVisible()
    used.until_shown("echo six")


def test_marked_text_is_copied(used: Seat) -> None:
    used.line("clear; printf 'alpha /usr/bin beta\\ngamma\\n'")
    used.until(lambda: used.text.startswith("alpha"))
    used.qtbot.mousePress(used.widget, LEFT, pos=used.cell(0, 0))
    used.qtbot.mouseMove(used.widget, pos=used.cell(2, 1))
    used.qtbot.mouseRelease(used.widget, LEFT, pos=used.cell(2, 1))
    used.press(*COPY)
    assert QApplication.clipboard().text() == "alpha /usr/bin beta\ngam"
    used.type("x")
    assert not used.widget.marking.is_there  # the text may move now


def test_two_clicks_mark_a_word_and_three_a_line(used: Seat) -> None:
    used.line("clear; printf 'alpha /usr/bin beta\\n'")
    used.until(lambda: used.text.startswith("alpha"))
    at = used.cell(8, 0)
    used.qtbot.mouseClick(used.widget, LEFT, pos=at)
    used.qtbot.mouseDClick(used.widget, LEFT, pos=at)
    assert used.widget.marking.text == "/usr/bin"
    used.qtbot.mouseClick(used.widget, LEFT, pos=at)
    assert used.widget.marking.text == "alpha /usr/bin beta"


def test_a_program_that_wants_the_mouse_gets_it(used: Seat) -> None:
    used.line("printf '\\e[?1000h\\e[?1006h'; clear; cat -v")
    used.until(lambda: bool(used.viewer.screen.modes & 64) and used.text == "")
    used.qtbot.mouseClick(used.widget, LEFT, pos=used.cell(4, 2))
    used.until_shown("^[[<0;5;3M")
    used.qtbot.mouseDClick(used.widget, LEFT, Mod.ShiftModifier, pos=used.cell(4, 0))
    assert used.widget.marking.text  # Shift keeps it from the program


# --- Scrollback


def test_the_wheel_scrolls_the_text_and_not_the_canvas(used: Seat) -> None:
    used.line("seq 1 300")
    used.until_shown("\n300")
    used.until(lambda: used.viewer.screen.scrollback > 200)
    before = used.view.mapToScene(QPoint(0, 0))
    used.wheel(30)
    assert used.viewer.is_scrolled
    shown = lambda: used.viewer.row(used.viewer.top).text.strip()  # noqa: E731
    used.until(lambda: shown().isdecimal())
    number = int(shown())
    used.wheel(-1)
    used.until(lambda: shown() == str(number + 3))
    assert used.view.mapToScene(QPoint(0, 0)) == before
    used.type("x")
    assert not used.viewer.is_scrolled  # what is typed is seen


def test_what_was_read_of_another_size_is_read_again(used: Seat) -> None:
    used.line("for i in {1..100}; do printf '%0100d\\n' $i; done")
    used.until(lambda: used.viewer.screen.scrollback > 150)  # two rows for each line
    used.wheel(30)
    used.until(lambda: bool(used.viewer.row(used.viewer.top).text.strip()))
    used.viewer.resize(GridSize(120, 24))
    used.until(lambda: used.viewer.size.columns == 120)
    used.wheel(10)

    def numbers() -> list[int]:
        rows = [used.viewer.row(used.viewer.top + line).text.strip() for line in range(20)]
        return [int(row) for row in rows if len(row) == 100]

    used.until(lambda: len(numbers()) == 20)
    assert numbers() == list(range(numbers()[0], numbers()[0] + 20))


def test_with_ctrl_the_wheel_zooms(used: Seat) -> None:
    used.wheel(1, Mod.ControlModifier)
    assert used.view.zoom > 1.0


# --- Size


def test_the_corner_of_the_card_resizes_the_shell(seat: Seat) -> None:
    seat.until_at_prompt()
    card = seat.view.canvas.card_rect(seat.shell)
    corner = seat.view.mapFromScene(card.bottomRight() - QPointF(6, 6))
    seat.hand.drag(corner, corner + QPoint(70, 45))
    seat.until(lambda: seat.viewer.size == GridSize(90, 27))
    grown = seat.view.canvas.card_rect(seat.shell).size() - card.size()
    assert (grown.width(), grown.height()) == (70, 45)
    seat.enter()
    seat.line("stty size")
    seat.until_shown("27 90")


def test_keys_resize_the_one_in_use(used: Seat) -> None:
    used.press(Key.Key_Right, Mod.ControlModifier | Mod.ShiftModifier)
    used.until(lambda: used.viewer.size == GridSize(82, 24))
    used.until(lambda: used.widget.geometry() == used.view.content_rect(used.shell))


# --- Who is looked at


def test_far_out_nobody_is_looked_at_and_nearer_again(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kavor.canvas.terminal.looks.LINGER_S", 0.1)
    seat.until_at_prompt()
    seat.view.set_zoom(0.3)
    seat.until(lambda: not seat.terminals.viewers)
    seat.view.set_zoom(0.6)
    seat.until_at_prompt()


def test_out_of_view_it_is_not_looked_at(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kavor.canvas.terminal.looks.LINGER_S", 0.1)
    seat.until_at_prompt()
    seat.view.pan_by(QPoint(5000, 0))
    seat.until(lambda: not seat.terminals.viewers)


def test_only_so_many_are_looked_at_at_once(
    seat: Seat, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kavor.canvas.terminal.looks.MOST_AT_ONCE", 1)
    second = world.terminal(seat.window.workspace_id or "", "second", x=0, y=460, open=True)
    seat.until_names("second", "shell")
    seat.until_at_prompt()
    seat.view.show_node(second)
    monkeypatch.setattr("kavor.canvas.terminal.looks.LINGER_S", 0.1)
    seat.until(lambda: set(seat.terminals.viewers) == {second})  # the one in the middle


def test_an_exit_of_the_shell_is_said_on_the_card(used: Seat) -> None:
    used.line("exit 3")
    used.until(lambda: used.terminals.used is None)
    used.until(lambda: "ended" in used.view.canvas.node_items[used.shell].face.headline)
    assert not used.terminals.viewers
    assert isinstance(QApplication.focusWidget(), CanvasView)


def test_a_terminal_that_opens_late_does_not_take_the_keys_from_what_is_selected_by_then(
    seat: Seat, world: World
) -> None:
    world.client.post(f"/api/sessions/{seat.shell}/close")
    seat.until(lambda: seat.window.model.sessions[seat.shell].state == "closed")
    seat.select("shell")
    seat.press(Key.Key_Return)
    assert seat.terminals.used is None  # its shell is on its way
    seat.view.canvas.clearSelection()
    seat.until(lambda: seat.shell in seat.terminals.viewers and seat.viewer.is_here)
    seat.until_at_prompt()
    assert seat.terminals.used is None


def test_a_deleted_terminal_takes_its_screen_along(used: Seat, world: World) -> None:
    world.client.delete(f"/api/nodes/{used.shell}")
    used.until(lambda: not used.terminals.viewers)
    assert used.terminals.used is None


# --- The runtime goes and comes


def test_without_a_runtime_the_last_screen_stays_and_says_so(seat: Seat, world: World) -> None:
    seat.enter()
    seat.line("echo still here")
    seat.until_shown("\nstill here")
    world.client.post("/api/runtime/stop", {"end_sessions": False})
    seat.until(lambda: not seat.terminals.viewers and seat.window.link.state is LinkState.GONE)
    assert seat.terminals.used is None
    seat.until(lambda: "runtime" in seat.terminals.frozen[seat.shell])
    assert wait_until_stopped(world.home, 15)
    ensure_runtime(world.home)
    seat.until_shown("\nstill here")  # the same shell, looked at again
    assert not seat.terminals.frozen


# --- A flood


def test_a_flood_is_paced_and_clicks_are_answered(used: Seat) -> None:
    used.line("yes")
    used.until(lambda: used.text.count("y\n") > 20)
    granted: list[float] = []
    viewer, grant = used.viewer, used.viewer._grant

    def count(frames: int) -> None:
        granted.extend([time.monotonic()] * frames)
        grant(frames)

    viewer._pace._grant = count
    used.qtbot.wait(1000)
    assert 2 <= len(granted) <= 130  # two frames in 16 ms at the most
    viewer.attend(Attention.IN_BACKGROUND)
    used.qtbot.wait(100)
    granted.clear()
    used.qtbot.wait(1000)
    assert len(granted) <= 5
    viewer.attend(Attention.IN_USE)
    used.press(Key.Key_C, Mod.ControlModifier)
    used.until_at_prompt()

"""The parts of a terminal's screen on the canvas: cells, colours, the picture, keys, marking, pace."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from kavor.canvas.cards.cells import CELL_HEIGHT, CELL_WIDTH, GridSize, cell_at, cell_rect
from kavor.canvas.qt import QColor, QEvent, QImage, QKeyEvent, QObject, QPainter, QRectF, QSizeF, Qt
from kavor.canvas.terminal import box_drawing
from kavor.canvas.terminal.colours import ScreenColours
from kavor.canvas.terminal.history import CHUNK, History
from kavor.canvas.terminal.keys import bytes_of
from kavor.canvas.terminal.pace import Attention, Pace
from kavor.canvas.terminal.row_cells import cells_of
from kavor.canvas.terminal.screen_picture import RowPainter
from kavor.canvas.terminal.selection import Selection, Spot, Unit
from kavor.canvas.theme import load_theme
from kavor.terminal_frames import RGB, Attributes, Modes, Row, Run, Scrollback

Key, Mod = Qt.Key, Qt.KeyboardModifier


def plain(text: str, *, y: int = 0, wraps: bool = False) -> Row:
    return Row(y, wraps, (Run(len(text), text),) if text else ())


# --- Cells


@given(st.integers(20, 400), st.integers(4, 200))
def test_a_card_of_a_size_holds_a_screen_of_that_size(columns: int, lines: int) -> None:
    assert GridSize.within(GridSize(columns, lines).content) == GridSize(columns, lines)


def test_a_screen_is_never_too_small_or_too_large_to_use() -> None:
    assert GridSize.within(QSizeF(0, 0)) == GridSize(20, 4)
    assert GridSize.within(QSizeF(1e6, 1e6)) == GridSize(400, 200)


@given(st.integers(-3, 300), st.integers(-3, 100))
def test_the_middle_of_a_cell_is_in_it(column: int, line: int) -> None:
    assert cell_at(cell_rect(column, line).center()) == (column, line)


def test_a_wide_character_has_two_cells_and_a_grapheme_as_many_as_it_says() -> None:
    row = Row(0, False, (Run(2, "ab"), Run(4, "日本"), Run(-2, "👍🏽"), Run(-1, "e\u0301")))
    assert cells_of(row, 11) == ["a", "b", "日", "", "本", "", "👍🏽", "", "e\u0301", " ", " "]


# --- Colours


@pytest.fixture
def colours() -> ScreenColours:
    return ScreenColours(load_theme("dark"))


def test_colours_are_the_defaults_the_palettes_or_their_own(colours: ScreenColours) -> None:
    ink = colours.ink(Run(1, "x"), reversed_screen=False)
    assert (ink.text, ink.ground) == (colours.text, None)
    ink = colours.ink(Run(1, "x", RGB | 0x123456, 1 + 232), reversed_screen=False)
    assert (ink.text, ink.ground) == (QColor("#123456"), QColor("#080808"))
    ink = colours.ink(Run(1, "x", 1 + 16 + 36 * 5 + 6 * 2 + 1), reversed_screen=False)
    assert ink.text == QColor(255, 135, 95)


def test_inverse_exchanges_the_two_and_a_reversed_screen_does_it_again(colours: ScreenColours) -> None:
    inverse = Run(1, "x", attributes=Attributes.INVERSE)
    ink = colours.ink(inverse, reversed_screen=False)
    assert (ink.text, ink.ground) == (colours.ground, colours.text)
    assert colours.ink(inverse, reversed_screen=True).ground is None


# --- The picture


Paint = Callable[[Row], QImage]


@pytest.fixture
def paint(qtbot: QtBot, colours: ScreenColours) -> Paint:
    def painted(row: Row) -> QImage:
        image = QImage(round(40 * CELL_WIDTH), round(CELL_HEIGHT), QImage.Format.Format_RGB32)
        image.fill(QColor("magenta"))
        painter = QPainter(image)
        RowPainter(colours).paint_row(painter, row, 0, 40, reversed_screen=False)
        painter.end()
        return image

    return painted


def inked(image: QImage, ground: QColor, column: int, cells: int = 1) -> bool:
    """Whether anything is drawn in these cells."""
    area = cell_rect(column, 0, cells).toRect()
    return any(
        image.pixelColor(x, y) != ground
        for x in range(area.left(), area.right() + 1)
        for y in range(area.height())
    )


def test_letters_stand_in_their_own_cells(paint: Paint, colours: ScreenColours) -> None:
    image = paint(Row(0, False, (Run(5, "M   M"), Run(2, "日"), Run(1, "M"), Run(2, "  "), Run(1, "M"))))
    drawn = [inked(image, colours.ground, column) for column in range(12)]
    assert drawn == [True, False, False, False, True, True, True, True, False, False, True, False]


def test_a_row_paints_over_what_was_there(paint: Paint, colours: ScreenColours) -> None:
    image = paint(plain(""))
    assert not inked(image, colours.ground, 0, 40)


def test_invisible_text_is_not_drawn_and_a_ground_is(paint: Paint, colours: ScreenColours) -> None:
    hidden = Run(3, "MMM", attributes=Attributes.INVISIBLE)
    image = paint(Row(0, False, (hidden, Run(3, "   ", background=1 + 9))))
    assert not inked(image, colours.ground, 0, 3)
    assert image.pixelColor(30, 7) == QColor("#ff8f94")


@pytest.mark.parametrize("char", [chr(code) for code in range(0x2500, 0x25A0)])
def test_lines_and_blocks_are_ours_or_the_fonts_and_are_seen(char: str, qtbot: QtBot) -> None:
    if not box_drawing.draws(char):
        assert 0x2504 <= ord(char) <= 0x250B or ord(char) in (
            0x254C,
            0x254D,
            0x254E,
            0x254F,
            *range(0x2571, 0x2574),
        )
        return
    image = QImage(14, 30, QImage.Format.Format_RGB32)
    image.fill(QColor("black"))
    painter = QPainter(image)
    box_drawing.draw(painter, char, QRectF(0, 0, 14, 30), QColor("white"))
    painter.end()
    assert any(image.pixelColor(x, y).value() for x in range(14) for y in range(30))


def test_lines_reach_the_sides_they_are_named_for(qtbot: QtBot) -> None:
    def edges(char: str) -> str:
        image = QImage(14, 30, QImage.Format.Format_RGB32)
        image.fill(QColor("black"))
        painter = QPainter(image)
        box_drawing.draw(painter, char, QRectF(0, 0, 14, 30), QColor("white"))
        painter.end()
        lit = {
            "l": any(image.pixelColor(0, y).value() for y in range(30)),
            "r": any(image.pixelColor(13, y).value() for y in range(30)),
            "u": any(image.pixelColor(x, 0).value() for x in range(14)),
            "d": any(image.pixelColor(x, 29).value() for x in range(14)),
        }
        return "".join(side for side, there in lit.items() if there)

    shapes = {
        "─": "lr",
        "│": "ud",
        "┌": "rd",
        "╯": "lu",
        "╬": "lrud",
        "┠": "rud",
        "╼": "lr",
        "╚": "ru",
        "┷": "lru",
    }
    assert {char: edges(char) for char in shapes} == shapes


# --- Keys


@pytest.mark.parametrize(
    ("key", "held", "text", "modes", "typed"),
    [
        (Key.Key_A, Mod.NoModifier, "a", 0, b"a"),
        (Key.Key_A, Mod.ShiftModifier, "A", 0, b"A"),
        (Key.Key_C, Mod.ControlModifier, "\x03", 0, b"\x03"),
        (Key.Key_Space, Mod.ControlModifier, " ", 0, b"\0"),
        (Key.Key_BracketLeft, Mod.ControlModifier, "\x1b", 0, b"\x1b"),
        (Key.Key_F, Mod.AltModifier, "f", 0, b"\x1bf"),
        (Key.Key_At, Mod.GroupSwitchModifier, "@", 0, b"@"),
        (Key.Key_Odiaeresis, Mod.NoModifier, "ö", 0, "ö".encode()),
        (Key.Key_Backtab, Mod.ShiftModifier, "", 0, b"\x1b[Z"),
        (Key.Key_Up, Mod.NoModifier, "", 0, b"\x1b[A"),
        (Key.Key_Up, Mod.NoModifier, "", Modes.APPLICATION_CURSOR, b"\x1bOA"),
        (Key.Key_Right, Mod.ControlModifier, "", 0, b"\x1b[1;5C"),
        (Key.Key_Enter, Mod.KeypadModifier, "\r", 0, b"\r"),
        (Key.Key_5, Mod.KeypadModifier, "5", 0, b"5"),
        (Key.Key_F12, Mod.NoModifier, "", 0, b"\x1b[24~"),
        (Key.Key_Shift, Mod.ShiftModifier, "", 0, b""),
        (Key.Key_Control, Mod.ControlModifier, "", 0, b""),
    ],
)
def test_a_key_types_what_a_terminal_types(key: Key, held: Mod, text: str, modes: int, typed: bytes) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, key.value, held, text)
    assert bytes_of(event, Modes(modes)) == typed


# --- Marking


def marked(rows: list[Row], start: Spot, end: Spot, unit: Unit = Unit.CHARACTER) -> str:
    return Selection(start, end, unit, 20).text(lambda number: rows[number])


def test_a_line_that_wraps_is_copied_as_one() -> None:
    rows = [plain("x" * 20, wraps=True), plain("yy"), plain(""), plain("z")]
    assert marked(rows, Spot(0, 18), Spot(3, 5)) == "xxyy\n\nz"


def test_it_does_not_matter_in_which_direction_one_marks() -> None:
    rows = [plain("hello world"), plain("again")]
    assert marked(rows, Spot(1, 1), Spot(0, 6)) == marked(rows, Spot(0, 6), Spot(1, 1)) == "world\nag"


def test_words_are_paths_and_addresses_too() -> None:
    rows = [Row(0, False, (Run(4, "see "), Run(13, "/tmp/a-b.txt!"), Run(2, "日")))]
    assert marked(rows, Spot(0, 8), Spot(0, 8), Unit.WORD) == "/tmp/a-b.txt"
    assert marked(rows, Spot(0, 18), Spot(0, 18), Unit.WORD) == "日"
    assert marked(rows, Spot(0, 8), Spot(0, 0), Unit.WORD) == "see /tmp/a-b.txt"


# --- What lies above the screen


def test_rows_above_are_asked_for_once_in_chunks() -> None:
    history = History()
    assert history.to_ask(CHUNK - 10, 24, 1000) == [(0, CHUNK), (CHUNK, CHUNK)]
    assert history.to_ask(CHUNK - 10, 24, 1000) == []
    history.take(Scrollback(1, 1000, [plain("one", y=CHUNK + 1)]))
    row = history.row(CHUNK + 1)
    assert row is not None
    assert row.text == "one"
    history.forget()
    assert history.to_ask(990, 10, 1000) == [(800, CHUNK)]


def test_a_chunk_that_was_not_full_is_asked_for_again_when_rows_are_missing() -> None:
    history = History()
    assert history.to_ask(0, 24, 50) == [(0, 50)]
    history.take(Scrollback(1, 50, [plain("", y=number) for number in range(50)]))
    assert history.to_ask(40, 24, 70) == [(0, 70)]


# --- Pace


@pytest.fixture
def granted() -> list[int]:
    return []


@pytest.fixture
def pace(qtbot: QtBot, granted: list[int]) -> Pace:
    parent = QObject()
    made = Pace(granted.append, parent)
    made.parent_kept = parent  # type: ignore[attr-defined]
    return made


def test_a_frame_after_a_pause_is_paid_at_once_and_a_flood_later(
    pace: Pace, granted: list[int], qtbot: QtBot
) -> None:
    assert pace.begin() == 2
    pace.taken()
    assert granted == [1]
    pace.taken()
    pace.taken()
    assert granted == [1]
    qtbot.waitUntil(lambda: granted == [1, 2])


def test_in_the_background_one_frame_is_on_its_way(pace: Pace, granted: list[int], qtbot: QtBot) -> None:
    pace.begin()
    pace.attend(Attention.IN_BACKGROUND)
    pace.taken()
    assert sum(granted) == 0  # of two on their way, one is left
    pace.taken()
    qtbot.waitUntil(lambda: granted == [1])
    pace.attend(Attention.IN_USE)
    assert granted == [1, 1]  # looked at again: two on their way

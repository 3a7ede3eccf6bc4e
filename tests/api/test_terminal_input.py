"""Keys, pastes and the mouse, as the bytes that a program under its modes expects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.api.terminal_input import (
    Key,
    Modifiers,
    MouseAction,
    MouseButton,
    encode_focus,
    encode_key,
    encode_mouse,
    encode_paste,
    encode_text,
)
from kavor.terminal_frames import Modes

NONE = Modes(0)
PRESS, RELEASE, MOVE = MouseAction.PRESS, MouseAction.RELEASE, MouseAction.MOVE


@pytest.mark.parametrize(
    ("key", "modifiers", "modes", "data"),
    [
        (Key.UP, 0, 0, b"\x1b[A"),
        (Key.UP, 0, Modes.APPLICATION_CURSOR, b"\x1bOA"),
        (Key.UP, Modifiers.CTRL, Modes.APPLICATION_CURSOR, b"\x1b[1;5A"),
        (Key.HOME, Modifiers.SHIFT, 0, b"\x1b[1;2H"),
        (Key.F1, 0, 0, b"\x1bOP"),
        (Key.F5, Modifiers.SHIFT | Modifiers.ALT, 0, b"\x1b[15;4~"),
        (Key.DELETE, 0, 0, b"\x1b[3~"),
        (Key.TAB, Modifiers.SHIFT, 0, b"\x1b[Z"),
        (Key.ENTER, 0, 0, b"\r"),
        (Key.ENTER, Modifiers.ALT, 0, b"\x1b\r"),
        (Key.BACKSPACE, 0, 0, b"\x7f"),
        (Key.BACKSPACE, Modifiers.CTRL, 0, b"\x08"),
        (Key.ESCAPE, 0, 0, b"\x1b"),
    ],
)
def test_keys(key: Key, modifiers: int, modes: int, data: bytes) -> None:
    assert encode_key(key, Modifiers(modifiers), Modes(modes)) == data


def test_every_key_has_bytes() -> None:
    assert all(encode_key(key) for key in Key)


@pytest.mark.parametrize(
    ("text", "modifiers", "data"),
    [
        ("é", 0, "é".encode()),
        ("c", Modifiers.CTRL, b"\x03"),
        ("[", Modifiers.CTRL, b"\x1b"),
        (" ", Modifiers.CTRL, b"\0"),
        ("/", Modifiers.CTRL, b"\x1f"),
        ("é", Modifiers.CTRL, "é".encode()),
        ("x", Modifiers.ALT, b"\x1bx"),
        ("x", Modifiers.ALT | Modifiers.CTRL, b"\x1b\x18"),
    ],
)
def test_text(text: str, modifiers: int, data: bytes) -> None:
    assert encode_text(text, Modifiers(modifiers)) == data


def test_a_paste_is_one_text_between_its_brackets() -> None:
    pasted = encode_paste("echo ok\n\tls\r\nend", Modes.BRACKETED_PASTE)
    assert pasted == b"\x1b[200~echo ok\r\tls\rend\x1b[201~"
    assert encode_paste("a\nb") == b"a\rb"


@given(st.text(), st.booleans())
def test_no_paste_ends_its_own_brackets_or_presses_other_keys(text: str, bracketed: bool) -> None:
    data = encode_paste(text, Modes.BRACKETED_PASTE if bracketed else NONE)
    if bracketed:
        assert data.startswith(b"\x1b[200~")
        assert data.endswith(b"\x1b[201~")
        data = data[6:-6]
    shown = data.decode()
    assert not [char for char in shown if (ord(char) < 32 and char not in "\r\t") or 0x7F <= ord(char) < 0xA0]


@pytest.mark.parametrize("closing", ["\x1b[201~", "\x9b201~"])
def test_what_would_close_the_brackets_becomes_text(closing: str) -> None:
    pasted = encode_paste(f"echo ok{closing}; touch pwned\r", Modes.BRACKETED_PASTE)
    assert pasted.count(b"\x1b") == 2
    assert b"201~; touch pwned" in pasted


@pytest.mark.parametrize(
    ("action", "button", "modes", "data"),
    [
        (PRESS, MouseButton.LEFT, Modes.MOUSE_BUTTONS | Modes.MOUSE_SGR, b"\x1b[<0;3;5M"),
        (RELEASE, MouseButton.LEFT, Modes.MOUSE_BUTTONS | Modes.MOUSE_SGR, b"\x1b[<0;3;5m"),
        (PRESS, MouseButton.WHEEL_DOWN, Modes.MOUSE_BUTTONS | Modes.MOUSE_SGR, b"\x1b[<65;3;5M"),
        (PRESS, MouseButton.RIGHT, Modes.MOUSE_BUTTONS, b"\x1b[M\x22\x23\x25"),
        (RELEASE, MouseButton.RIGHT, Modes.MOUSE_BUTTONS, b"\x1b[M\x23\x23\x25"),
        (RELEASE, MouseButton.LEFT, Modes.MOUSE_PRESS, b""),
        (MOVE, MouseButton.LEFT, Modes.MOUSE_BUTTONS | Modes.MOUSE_SGR, b""),
        (MOVE, MouseButton.LEFT, Modes.MOUSE_DRAG | Modes.MOUSE_SGR, b"\x1b[<32;3;5M"),
        (MOVE, MouseButton.NONE, Modes.MOUSE_DRAG | Modes.MOUSE_SGR, b""),
        (MOVE, MouseButton.NONE, Modes.MOUSE_MOTION | Modes.MOUSE_SGR, b"\x1b[<35;3;5M"),
        (PRESS, MouseButton.LEFT, NONE, b""),
        (PRESS, MouseButton.WHEEL_UP, NONE, b""),
        (PRESS, MouseButton.WHEEL_UP, Modes.ALTERNATE_SCREEN | Modes.ALTERNATE_SCROLL, 3 * b"\x1b[A"),
    ],
)
def test_the_mouse(action: MouseAction, button: MouseButton, modes: Modes, data: bytes) -> None:
    assert encode_mouse(action, button, 2, 4, modes) == data


def test_held_keys_are_told_with_the_mouse_and_far_places_only_in_the_new_form() -> None:
    new, old = Modes.MOUSE_BUTTONS | Modes.MOUSE_SGR, Modes.MOUSE_BUTTONS
    assert encode_mouse(PRESS, MouseButton.LEFT, 0, 0, new, Modifiers.CTRL) == b"\x1b[<16;1;1M"
    assert encode_mouse(PRESS, MouseButton.LEFT, 300, 0, new) == b"\x1b[<0;301;1M"
    assert encode_mouse(PRESS, MouseButton.LEFT, 300, 0, old) == b""


def test_focus_is_told_to_who_asked() -> None:
    assert encode_focus(gained=True, modes=NONE) == b""
    assert encode_focus(gained=True, modes=Modes.FOCUS_REPORTS) == b"\x1b[I"
    assert encode_focus(gained=False, modes=Modes.FOCUS_REPORTS) == b"\x1b[O"

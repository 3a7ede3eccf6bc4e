"""What a person does at a terminal, as the bytes that its program expects under the modes it has set.

The forms are xterm's. Every function is pure: the modes are those of the newest frame.
"""

from __future__ import annotations

import re
from enum import IntFlag, StrEnum

from kavor.terminal_frames import ANY_MOUSE, Modes


class Modifiers(IntFlag):
    """Held keys, with the values that the sequences carry."""

    SHIFT = 1
    ALT = 2
    CTRL = 4


NONE_HELD = Modifiers(0)
NO_MODES = Modes(0)


class Key(StrEnum):
    """Keys that have no text of their own."""

    ENTER = "Enter"
    TAB = "Tab"
    BACKSPACE = "Backspace"
    ESCAPE = "Escape"
    UP = "Up"
    DOWN = "Down"
    RIGHT = "Right"
    LEFT = "Left"
    HOME = "Home"
    END = "End"
    INSERT = "Insert"
    DELETE = "Delete"
    PAGE_UP = "PageUp"
    PAGE_DOWN = "PageDown"
    F1 = "F1"
    F2 = "F2"
    F3 = "F3"
    F4 = "F4"
    F5 = "F5"
    F6 = "F6"
    F7 = "F7"
    F8 = "F8"
    F9 = "F9"
    F10 = "F10"
    F11 = "F11"
    F12 = "F12"


class MouseButton(StrEnum):
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    NONE = "none"
    """Motion without a button."""
    WHEEL_UP = "wheel up"
    WHEEL_DOWN = "wheel down"


class MouseAction(StrEnum):
    PRESS = "press"
    RELEASE = "release"
    MOVE = "move"


_CURSOR_KEYS = {
    Key.UP: "A",
    Key.DOWN: "B",
    Key.RIGHT: "C",
    Key.LEFT: "D",
    Key.HOME: "H",
    Key.END: "F",
}
_FUNCTION_KEYS = {Key.F1: "P", Key.F2: "Q", Key.F3: "R", Key.F4: "S"}
_NUMBERED_KEYS = {
    Key.INSERT: 2,
    Key.DELETE: 3,
    Key.PAGE_UP: 5,
    Key.PAGE_DOWN: 6,
    Key.F5: 15,
    Key.F6: 17,
    Key.F7: 18,
    Key.F8: 19,
    Key.F9: 20,
    Key.F10: 21,
    Key.F11: 23,
    Key.F12: 24,
}
_BUTTONS = {
    MouseButton.LEFT: 0,
    MouseButton.MIDDLE: 1,
    MouseButton.RIGHT: 2,
    MouseButton.NONE: 3,
    MouseButton.WHEEL_UP: 64,
    MouseButton.WHEEL_DOWN: 65,
}
_MOTION = 32
_OLD_FORM_LIMIT = 223
"""The old form has one byte for a coordinate."""

_CONTROLS_OF_A_PASTE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]")


def encode_key(key: Key, modifiers: Modifiers = NONE_HELD, modes: Modes = NO_MODES) -> bytes:
    """A key that has no text of its own."""
    if key in _CURSOR_KEYS:
        return _letter_key(_CURSOR_KEYS[key], modifiers, "O" if modes & Modes.APPLICATION_CURSOR else "[")
    if key in _FUNCTION_KEYS:
        return _letter_key(_FUNCTION_KEYS[key], modifiers, "O")
    if key in _NUMBERED_KEYS:
        held = f";{1 + modifiers}" if modifiers else ""
        return f"\x1b[{_NUMBERED_KEYS[key]}{held}~".encode()
    return _control_key(key, modifiers)


def _letter_key(letter: str, modifiers: Modifiers, plain: str) -> bytes:
    return f"\x1b[1;{1 + modifiers}{letter}".encode() if modifiers else f"\x1b{plain}{letter}".encode()


def _control_key(key: Key, modifiers: Modifiers) -> bytes:
    if key is Key.TAB and modifiers & Modifiers.SHIFT:
        return b"\x1b[Z"
    plain = {Key.ENTER: b"\r", Key.TAB: b"\t", Key.BACKSPACE: b"\x7f", Key.ESCAPE: b"\x1b"}[key]
    if key is Key.BACKSPACE and modifiers & Modifiers.CTRL:
        plain = b"\x08"
    return b"\x1b" + plain if modifiers & Modifiers.ALT else plain


def encode_text(text: str, modifiers: Modifiers = NONE_HELD) -> bytes:
    """What a key that has text types, such as ``a``, ``É`` or, with Ctrl held, ``c``."""
    data = text.encode()
    if modifiers & Modifiers.CTRL and len(text) == 1:
        data = _with_ctrl(text)
    return b"\x1b" + data if modifiers & Modifiers.ALT else data


def _with_ctrl(text: str) -> bytes:
    letter = text.upper()
    if "@" <= letter <= "_":
        return bytes([ord(letter) & 0x1F])
    return {" ": b"\0", "/": b"\x1f", "?": b"\x7f", "2": b"\0", "6": b"\x1e"}.get(text, text.encode())


def encode_paste(text: str, modes: Modes = NO_MODES) -> bytes:
    """Pasted text: control characters become spaces, so that no paste can end its own frame or press keys
    other than Enter and Tab."""
    lines = text.replace("\r\n", "\r").replace("\n", "\r")
    data = _CONTROLS_OF_A_PASTE.sub(" ", lines).encode()
    return b"\x1b[200~" + data + b"\x1b[201~" if modes & Modes.BRACKETED_PASTE else data


def encode_focus(*, gained: bool, modes: Modes) -> bytes:
    """Empty unless the program wants to know."""
    if not modes & Modes.FOCUS_REPORTS:
        return b""
    return b"\x1b[I" if gained else b"\x1b[O"


def encode_mouse(
    action: MouseAction,
    button: MouseButton,
    x: int,
    y: int,
    modes: Modes,
    modifiers: Modifiers = NONE_HELD,
) -> bytes:
    """What the mouse did over cell ``x``, ``y``, counted from 0 at the top left; empty where the program
    does not want to know. On the alternate screen a wheel may be cursor keys instead."""
    wheel = button in (MouseButton.WHEEL_UP, MouseButton.WHEEL_DOWN)
    if not _wants(action, button, modes):
        return _wheel_as_keys(button, modes) if wheel and not modes & ANY_MOUSE else b""
    code = _BUTTONS[button] + (_MOTION if action is MouseAction.MOVE else 0)
    if modes & ANY_MOUSE != Modes.MOUSE_PRESS:  # which tells of no held keys
        code += 4 * bool(modifiers & Modifiers.SHIFT) + 8 * bool(modifiers & Modifiers.ALT)
        code += 16 * bool(modifiers & Modifiers.CTRL)
    if modes & Modes.MOUSE_SGR:
        return f"\x1b[<{code};{x + 1};{y + 1}{'m' if action is MouseAction.RELEASE else 'M'}".encode()
    if action is MouseAction.RELEASE:
        code |= 3
    if max(x, y) >= _OLD_FORM_LIMIT:
        return b""
    return b"\x1b[M" + bytes((32 + code, 33 + x, 33 + y))


def _wants(action: MouseAction, button: MouseButton, modes: Modes) -> bool:
    if action is MouseAction.MOVE:
        held = button is not MouseButton.NONE
        return bool(modes & Modes.MOUSE_MOTION or (held and modes & Modes.MOUSE_DRAG))
    if action is MouseAction.RELEASE:
        return bool(modes & ANY_MOUSE & ~Modes.MOUSE_PRESS)
    return bool(modes & ANY_MOUSE)


def _wheel_as_keys(button: MouseButton, modes: Modes) -> bytes:
    if not (modes & Modes.ALTERNATE_SCREEN and modes & Modes.ALTERNATE_SCROLL):
        return b""
    return 3 * encode_key(Key.UP if button is MouseButton.WHEEL_UP else Key.DOWN, modes=modes)

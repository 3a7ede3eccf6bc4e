"""Qt's keys as a terminal's."""

from __future__ import annotations

import sys

from kavor.api.terminal_input import Key, Modifiers, encode_key, encode_text
from kavor.canvas.qt import QKeyEvent, Qt
from kavor.terminal_frames import Modes

_NAMED = {
    Qt.Key.Key_Return: Key.ENTER,
    Qt.Key.Key_Enter: Key.ENTER,
    Qt.Key.Key_Tab: Key.TAB,
    Qt.Key.Key_Backtab: Key.TAB,
    Qt.Key.Key_Backspace: Key.BACKSPACE,
    Qt.Key.Key_Escape: Key.ESCAPE,
    Qt.Key.Key_Up: Key.UP,
    Qt.Key.Key_Down: Key.DOWN,
    Qt.Key.Key_Right: Key.RIGHT,
    Qt.Key.Key_Left: Key.LEFT,
    Qt.Key.Key_Home: Key.HOME,
    Qt.Key.Key_End: Key.END,
    Qt.Key.Key_Insert: Key.INSERT,
    Qt.Key.Key_Delete: Key.DELETE,
    Qt.Key.Key_PageUp: Key.PAGE_UP,
    Qt.Key.Key_PageDown: Key.PAGE_DOWN,
    **{Qt.Key(Qt.Key.Key_F1.value + number): Key(f"F{number + 1}") for number in range(12)},
}

if sys.platform == "darwin":  # where Qt calls Command Control, and Control Meta
    _CTRL = Qt.KeyboardModifier.MetaModifier
else:
    _CTRL = Qt.KeyboardModifier.ControlModifier


def held(keys: Qt.KeyboardModifier) -> Modifiers:
    found = Modifiers(0)
    if keys & Qt.KeyboardModifier.ShiftModifier:
        found |= Modifiers.SHIFT
    if keys & Qt.KeyboardModifier.AltModifier:
        found |= Modifiers.ALT
    if keys & _CTRL:
        found |= Modifiers.CTRL
    return found


def bytes_of(event: QKeyEvent, modes: Modes) -> bytes:
    """What the key types; empty for one that types nothing, as a modifier alone."""
    modifiers = held(event.modifiers())
    named = _NAMED.get(Qt.Key(event.key()))
    if named is not None:
        return encode_key(named, modifiers | _shift_of_backtab(event), modes)
    if modifiers & Modifiers.CTRL and 0x20 <= event.key() < 0x7F:
        return encode_text(chr(event.key()).lower(), modifiers)
    text = event.text()
    if not text:
        return b""
    return encode_text(text, modifiers & Modifiers.ALT)


def _shift_of_backtab(event: QKeyEvent) -> Modifiers:
    return Modifiers.SHIFT if event.key() == Qt.Key.Key_Backtab else Modifiers(0)

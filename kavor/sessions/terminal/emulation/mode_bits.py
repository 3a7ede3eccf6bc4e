"""The private modes a viewer must know of, as the bits of a frame."""

from __future__ import annotations

from collections.abc import Callable

from kavor.sessions.terminal.private_modes import KEYPAD
from kavor.terminal_frames import Modes

SYNCHRONIZED_OUTPUT = 2026

_BITS = {
    1: Modes.APPLICATION_CURSOR,
    5: Modes.REVERSE_VIDEO,
    9: Modes.MOUSE_PRESS,
    KEYPAD: Modes.APPLICATION_KEYPAD,
    1000: Modes.MOUSE_BUTTONS,
    1002: Modes.MOUSE_DRAG,
    1003: Modes.MOUSE_MOTION,
    1004: Modes.FOCUS_REPORTS,
    1006: Modes.MOUSE_SGR,
    1007: Modes.ALTERNATE_SCROLL,
    2004: Modes.BRACKETED_PASTE,
}


def mode_bits(is_on: Callable[[int], bool], *, alternate_screen: bool) -> Modes:
    bits = sum(bit for number, bit in _BITS.items() if is_on(number))
    return Modes(bits | (Modes.ALTERNATE_SCREEN if alternate_screen else 0))

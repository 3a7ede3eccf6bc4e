"""The keys of the canvas: one table, from which the actions, the menus and the sheet of keys are made.

They count only while the canvas itself has the keyboard: no key typed into a field or a shell is one.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from kavor.canvas.qt import QKeySequence, translate


@dataclass(frozen=True)
class Shortcut:
    """``command`` names what it does; the first of ``keys`` is the one that is shown."""

    command: str
    words: str
    keys: tuple[str, ...]

    @property
    def shown(self) -> str:
        return shown_keys(self.keys[0])


@dataclass(frozen=True)
class Group:
    title: str
    shortcuts: tuple[Shortcut, ...]


@dataclass(frozen=True)
class Gesture:
    """What the hand does; only told, for it needs no key."""

    words: str
    how: str


def shown_keys(keys: str) -> str:
    """As this system writes them."""
    shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    return shown.replace("Backtab", "Tab")


def groups() -> tuple[Group, ...]:
    return (
        Group(
            translate("Keys", "Add and connect"),
            (
                Shortcut("quick add", translate("Keys", "Add at the pointer…"), ("/", "A")),
                Shortcut("add schedule", translate("Keys", "Add a Schedule"), ("S",)),
                Shortcut("add coding-agent", translate("Keys", "Add a CodingAgent"), ("G",)),
                Shortcut("add terminal", translate("Keys", "Add a Terminal"), ("T",)),
                Shortcut("add specification", translate("Keys", "Add a Specification"), ("I",)),
                Shortcut("add file", translate("Keys", "Add a File"), ("F",)),
                Shortcut("add sticky-note", translate("Keys", "Add a Sticky Note"), ("N",)),
                Shortcut("connect", translate("Keys", "Connect to…"), ("C",)),
            ),
        ),
        Group(
            translate("Keys", "Edit"),
            (
                Shortcut("open", translate("Keys", "Open"), ("Return", "Enter")),
                Shortcut("rename", translate("Keys", "Rename"), ("F2",)),
                Shortcut("delete", translate("Keys", "Delete"), ("Del", "Backspace")),
                Shortcut("undo", translate("Keys", "Undo"), ("Ctrl+Z",)),
                Shortcut("redo", translate("Keys", "Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
                Shortcut("select all", translate("Keys", "Select all"), ("Ctrl+A",)),
            ),
        ),
        Group(
            translate("Keys", "Find"),
            (
                Shortcut("find", translate("Keys", "Find"), ("Ctrl+F",)),
                Shortcut("next asking", translate("Keys", "Next agent that asks"), ("Q",)),
                Shortcut("help", translate("Keys", "This sheet"), ("?", "Shift+?", "F1")),
                Shortcut("menu", translate("Keys", "Menu"), ("Shift+F10", "Menu")),
            ),
        ),
    )


def gestures() -> tuple[Gesture, ...]:
    return (
        Gesture(translate("Keys", "Next card, card before"), "Tab, " + shown_keys("Shift+Tab")),
        Gesture(translate("Keys", "Move the selected cards, or the canvas"), translate("Keys", "Arrows")),
        Gesture(translate("Keys", "Move them further"), translate("Keys", "Shift + arrows")),
        Gesture(translate("Keys", "Go to the next card that way"), translate("Keys", "Alt + arrows")),
        Gesture(translate("Keys", "Add here"), translate("Keys", "Double click")),
        Gesture(translate("Keys", "Leave a gesture or the selection"), shown_keys("Esc")),
        Gesture(translate("Keys", "Move the canvas"), translate("Keys", "Space + drag, or the wheel")),
        Gesture(translate("Keys", "Zoom at the pointer"), translate("Keys", "Ctrl + wheel, or pinch")),
        Gesture(translate("Keys", "Connect"), translate("Keys", "Drag from a handle")),
        Gesture(translate("Keys", "Select several"), translate("Keys", "Shift + click, or drag a box")),
    )


def with_agents_and_texts() -> tuple[Gesture, ...]:
    """While an agent or a text is in use."""
    return (
        Gesture(
            translate("Keys", "Write to an agent, edit a text"), translate("Keys", "Enter, or double click")
        ),
        Gesture(translate("Keys", "Send, new line"), f"{shown_keys('Return')}, {shown_keys('Shift+Return')}"),
        Gesture(translate("Keys", "Save a text"), shown_keys("Ctrl+S")),
        Gesture(translate("Keys", "Back to the canvas"), shown_keys("Esc")),
    )


def in_a_terminal() -> tuple[Gesture, ...]:
    """While keys and mouse go to a shell."""
    copy, paste = ("Ctrl+C", "Ctrl+V") if sys.platform == "darwin" else ("Ctrl+Shift+C", "Ctrl+Shift+V")
    return (
        Gesture(translate("Keys", "Use the selected one"), translate("Keys", "Enter, or a click into it")),
        Gesture(translate("Keys", "Back to the canvas"), shown_keys("Ctrl+Shift+Esc")),
        Gesture(translate("Keys", "Copy, paste"), f"{shown_keys(copy)}, {shown_keys(paste)}"),
        Gesture(translate("Keys", "Scroll"), translate("Keys", "Shift + Page Up, or the wheel")),
        Gesture(
            translate("Keys", "Larger, smaller"), translate("Keys", "Ctrl + Shift + arrows, or the corner")
        ),
        Gesture(translate("Keys", "Mark despite a program"), translate("Keys", "Shift + drag")),
    )

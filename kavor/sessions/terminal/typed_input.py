"""What a person has typed since the line was last known to be empty, and what can be said of it.

The host never guesses what a line editor makes of a key. It knows when the line is certainly empty; for
the rest it may ask the editor, but only where the asking cannot be taken for typing.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Protocol

_MOST_REMEMBERED = 4096
_LINE_END = re.compile(rb"[\r\n\x03\x04]")

# Keys after which readline is back in its main loop, where a private key is read as one: text, the usual
# editing and history keys, cursor keys, pasted text. Not: a search, a quoted key, a prefix, an argument.
_PLAIN_KEYS = re.compile(
    rb"(?:[\x20-\xff]|[\x00-\x0b\x0d\x0a\x0c\x0e-\x10\x14\x15\x17\x19]"
    rb"|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[A-Za-z]|\x1b[bfdulcty.\x7f\x08])*\Z"
)
_PLAIN_TEXT = re.compile(rb"[\x20-\x7e\x80-\xff]+\Z")
# After Tab there may be a menu, which cursor keys move in and which another key would close.
_PERHAPS_IN_A_MENU = re.compile(rb"\t(?:\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[A-Za-z]|[\t\x02\x06\x0e\x10])*\Z")


class Line(Enum):
    """What is known of the line being edited at the prompt."""

    EMPTY = auto()
    FILLED = auto()
    ASK = auto()
    """Only the shell itself can show it, and may be asked or looked at."""


class PersonsInput(Protocol):
    """What the session must know of a person's typing, whatever the shell."""

    vi: bool
    """The editor is in vi mode, where a lone Escape ends any command that was begun."""

    def typed(self, data: bytes, *, at_prompt: bool) -> None: ...

    def answered_a_query(self) -> None:
        """A terminal's answer went the way of typing; whoever asked may not have read it."""
        ...

    def line_taken(self, *, by_delivery: bool = False) -> None:
        """The shell has taken one line, run or given up; the rest waits for the next prompt."""
        ...

    def prompt_shown(self) -> None: ...

    def told(self, *, empty: bool) -> None:
        """The shell itself has shown whether its line is empty."""
        ...

    @property
    def line(self) -> Line: ...

    @property
    def line_sent(self) -> bool:
        """A line was ended at this prompt in a shell that does not say when it takes one."""
        ...


class TypedInput:
    """For a shell whose line editor can be asked."""

    def __init__(self) -> None:
        self._line = bytearray()
        """Typed at the present prompt."""
        self._ahead = False
        """Something was typed before this prompt showed; the editor may or may not have got it."""
        self._certainly_filled = False
        self.vi = False

    def typed(self, data: bytes, *, at_prompt: bool) -> None:
        if not at_prompt:
            self._ahead = True
            return
        self._certainly_filled = False
        self._line += data
        del self._line[:-_MOST_REMEMBERED]

    def answered_a_query(self) -> None:
        self._ahead = True

    def line_taken(self, *, by_delivery: bool = False) -> None:
        if by_delivery:
            rest = bytes(self._line)
        else:
            end = _LINE_END.search(self._line)
            rest = bytes(self._line[end.end() :]) if end else b""
        self._ahead = self._ahead or bool(rest)
        self._line.clear()
        self._certainly_filled = False

    def prompt_shown(self) -> None:
        """Nothing is known by that: the editor itself will say what it has got."""

    def told(self, *, empty: bool) -> None:
        self._ahead = False
        self._line.clear()
        self._certainly_filled = not empty

    @property
    def line(self) -> Line:
        if self._certainly_filled:
            return Line.FILLED
        if not self._line:
            return Line.ASK if self._ahead else Line.EMPTY
        if not self._ahead and _PLAIN_TEXT.match(self._line):
            return Line.FILLED
        keys = bytes(self._line)
        if self.vi and keys.endswith(b"\x1b"):
            return Line.ASK
        if _PERHAPS_IN_A_MENU.search(keys):
            return Line.FILLED
        return Line.ASK if _PLAIN_KEYS.match(keys) else Line.FILLED

    @property
    def line_sent(self) -> bool:
        return False

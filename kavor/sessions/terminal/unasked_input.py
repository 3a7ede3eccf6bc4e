"""What a person has typed to a shell that cannot be asked about its line.

The line is followed only through the few keys that mean the same to every line editor and to the terminal
itself: text, Backspace, Ctrl-U. After any other key it counts as filled until it is ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kavor.sessions.terminal.typed_input import Line

_LINE_END = re.compile(rb"[\r\n\x03\x04]")
_SIGNAL = re.compile(rb".*[\x1a\x1c]", re.DOTALL)
_FOLLOWED = re.compile(rb"[\x20-\xff]*\Z")
_KILL = b"\x15"
_BACKSPACE = "\x7f"
_MOST_REMEMBERED = 4096


class UnaskedInput:
    """Since nothing marks the start of a command, a line that was ended is on its way until the prompt."""

    vi = False

    def __init__(self, keys_send_signals: Callable[[], bool]) -> None:
        """``keys_send_signals``: whether Ctrl-Z and its kin are signals now, which empty the line."""
        self._keys_send_signals = keys_send_signals
        self._keys = bytearray()
        """Typed at the present prompt."""
        self._lines_sent = 0
        """Ended since the prompt was shown. Without a prompt they are all on their way."""
        self._rest = bytearray()
        """Typed behind the last of those."""
        self._ahead = False
        """Something was typed while no prompt was there: whether a program has read it is not known."""
        self._stranded = False
        """… and that is the beginning of a line, if none has."""

    def typed(self, data: bytes, *, at_prompt: bool) -> None:
        *lines, rest = _LINE_END.split(data)
        on_its_way = bool(self._lines_sent) or not at_prompt
        self._ahead = self._ahead or on_its_way or len(lines) > 1 or bool(lines and rest)
        self._lines_sent += len(lines)
        if lines:
            self._rest[:] = rest
        elif on_its_way:
            self._rest += rest
        else:
            self._keys += rest
        if self._rest and self._keys_send_signals():
            self._rest[:] = _SIGNAL.sub(b"", self._rest)
        del self._keys[:-_MOST_REMEMBERED], self._rest[:-_MOST_REMEMBERED]

    def answered_a_query(self) -> None:
        self._ahead = True
        self._rest += b"?"

    def line_taken(self, *, by_delivery: bool = False) -> None:
        """The prompt that follows tells the same."""

    def prompt_shown(self) -> None:
        self._stranded = bool(self._rest)
        self._keys.clear()
        self._rest.clear()
        self._lines_sent = 0

    def told(self, *, empty: bool) -> None:
        if empty:
            self._ahead = False

    @property
    def line_sent(self) -> bool:
        return self._lines_sent > 0

    @property
    def line(self) -> Line:
        *killed, keys = bytes(self._keys).split(_KILL)
        if not all(_FOLLOWED.match(part) for part in [*killed, keys]):
            return Line.FILLED
        if (self._stranded and not killed) or _text_of(keys):
            return Line.FILLED
        return Line.ASK if self._ahead else Line.EMPTY


def _text_of(keys: bytes) -> str:
    """What is left of a line after its Backspaces."""
    text: list[str] = []
    for char in keys.decode("utf-8", "replace"):
        if char != _BACKSPACE:
            text.append(char)
        elif text:
            text.pop()
    return "".join(text)

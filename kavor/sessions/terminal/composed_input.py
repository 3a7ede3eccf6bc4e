"""What a person has begun to write into the input of a program that cannot be asked about it.

Only Enter is sure to send it off, and only where it is not part of the text itself. After a key whose effect
is not known the input counts as begun until then.
"""

from __future__ import annotations

import re

_MOST_REMEMBERED = 64 * 1024

_KEY = re.compile(
    rb"(?P<paste>\x1b\[200~.*?\x1b\[201~)"
    rb"|(?P<report>\x1b\[[IO]|\x1b\[<\d+;\d+;\d+[Mm]|\x1b\[M...)"  # the focus, the mouse
    rb"|(?P<newline>\x1b\r|\\\r|\n)"  # as these programs take a line's end into the text
    rb"|(?P<enter>\r)"
    rb"|(?P<rubout>[\x08\x7f])"
    rb"|(?P<text>[\x20-\x7e]|[\xc0-\xff][\x80-\xbf]*)"
    rb"|(?P<escape>\x1b\Z)"  # the key; it writes nothing
    rb"|(?P<other>\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b.|.)",
    re.DOTALL,
)
_PASTE_BEGINS = b"\x1b[200~"
_COMPLETED = re.compile(r"@\S*\Z")
"""Behind this, Enter may choose what to put in, and send nothing."""


class ComposedInput:
    """``clear_key`` empties the program's input, where such a key is known."""

    def __init__(self, clear_key: bytes) -> None:
        self._clear_key = clear_key
        self._text = ""
        self._in_doubt = False
        self._pasting = b""
        """A paste whose end has not come yet."""

    @property
    def begun(self) -> bool:
        """Whether something may stand there that was not sent off."""
        return bool(self._text or self._in_doubt or self._pasting)

    def left_over(self) -> None:
        """Something was put in beside what a person types, and not sent off."""
        self._in_doubt = True

    def typed(self, data: bytes) -> None:
        if self._clear_key and data.endswith(self._clear_key):
            self._empty()
            return
        data = self._pasting + data
        self._pasting = b""
        paste = data.rfind(_PASTE_BEGINS)
        if paste >= 0 and b"\x1b[201~" not in data[paste:]:
            data, self._pasting = data[:paste], data[paste:][:_MOST_REMEMBERED]
        for key in _KEY.finditer(data):
            self._took(str(key.lastgroup), key[0])

    def _took(self, kind: str, key: bytes) -> None:
        if kind == "enter" and not _COMPLETED.search(self._text):
            self._empty()
        elif kind == "rubout":
            self._text = self._text[:-1]
        elif kind in ("paste", "newline", "enter"):
            self._text += "\n"
        elif kind == "text":
            self._text = (self._text + key.decode(errors="replace"))[-_MOST_REMEMBERED:]
        elif kind == "other":
            self._in_doubt = True

    def _empty(self) -> None:
        self._text, self._in_doubt, self._pasting = "", False, b""

"""How a text stands in a field, whose lines have but one way to end, and is read back from it."""

from __future__ import annotations

from dataclasses import dataclass

_MARK = "\ufeff"
"""What some programs begin a file with, to say that it is Unicode."""
_DOS, _UNIX = "\r\n", "\n"


@dataclass(frozen=True)
class Spelling:
    """What of a text its field does not show, and every save keeps."""

    mark: str = ""
    line_end: str = _UNIX

    @classmethod
    def of(cls, text: str) -> Spelling:
        return cls(_MARK if text.startswith(_MARK) else "", _DOS if _DOS in text else _UNIX)

    def for_field(self, text: str) -> str:
        return text.removeprefix(self.mark).replace(self.line_end, _UNIX)

    def from_field(self, shown: str) -> str:
        return self.mark + shown.replace(_UNIX, self.line_end)


def is_kept_by_a_field(text: str) -> bool:
    """Whether a text that is edited in a field is the same where nothing was typed."""
    spelling = Spelling.of(text)
    return spelling.from_field(spelling.for_field(text)) == text

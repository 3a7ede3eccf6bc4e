"""What a Sticky Note may say: Markdown, written by persons and agents alike."""

from __future__ import annotations

from enum import StrEnum

from kavor.domain.errors import BadInput

MAX_CODE_POINTS = 64_000

_FIRST_AFTER_C0 = 0x20
_LAST_C1 = 0x9F
_DELETE = 0x7F


class Colour(StrEnum):
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PINK = "pink"


def parse_colour(text: str) -> Colour:
    """Raises BadInput."""
    try:
        return Colour(text.strip().lower())
    except ValueError:
        raise BadInput(
            f"{text!r} is not a colour of a Sticky Note", "use one of: " + ", ".join(Colour)
        ) from None


def check_note(text: str) -> str:
    """The text as it will be kept: line ends as ``\\n``. Raises BadInput for one that is too long, or has
    control characters other than newline and tab."""
    normal = text.replace("\r\n", "\n")
    if len(normal) > MAX_CODE_POINTS:
        raise BadInput(
            f"the text is {len(normal):,} characters long; a Sticky Note holds {MAX_CODE_POINTS:,}",
            "shorten it, or put it into a File",
        )
    for offset, char in enumerate(normal):
        if _is_control(char):
            raise BadInput(
                f"the text has the control character U+{ord(char):04X} at offset {offset}",
                "remove that character",
            )
    return normal


def appended(text: str, more: str) -> str:
    """A note with ``more`` on a line of its own at its end. Raises BadInput where that cannot be kept."""
    between = "" if not text or text.endswith("\n") else "\n"
    return check_note(f"{text}{between}{more}")


def _is_control(char: str) -> bool:
    code = ord(char)
    return (code < _FIRST_AFTER_C0 and char not in "\n\t") or _DELETE <= code <= _LAST_C1

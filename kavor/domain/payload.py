"""What may be delivered as a payload.

The rule is refuse, not repair: a command that had to be changed is not the command its author wrote.
"""

from __future__ import annotations

from kavor.domain.errors import BadInput

MAX_PAYLOAD_BYTES = 256 * 1024
"""The longest payload, in bytes of UTF-8."""

_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def check_payload(text: str) -> str:
    """The payload as it will be delivered: line ends as ``\\n``, none around it.

    Raises BadInput naming the first offending character and its offset (in code points) for control
    characters (C0 except newline and tab, DEL, C1), bidirectional controls and lone surrogates, and for
    a payload that is empty or longer than MAX_PAYLOAD_BYTES.
    """
    normal = text.replace("\r\n", "\n")
    for offset, char in enumerate(normal):
        fault = _fault(char)
        if fault:
            raise BadInput(
                f"the payload has {fault} U+{ord(char):04X} at offset {offset}",
                "remove that character; Kavor delivers exactly what is written, or nothing",
            )
    trimmed = normal.strip("\n")
    if not trimmed.strip():
        raise BadInput("the payload is empty", "write the command or prompt to deliver")
    size = len(trimmed.encode())
    if size > MAX_PAYLOAD_BYTES:
        raise BadInput(
            f"the payload is {size:,} bytes long; at most {MAX_PAYLOAD_BYTES:,} can be delivered",
            "put the text in a file and let the payload name it",
        )
    return trimmed


def _fault(char: str) -> str:
    code = ord(char)
    if char in "\n\t":
        return ""
    if code < 0x20 or 0x7F <= code <= 0x9F:
        return "the control character"
    if char in _BIDI_CONTROLS:
        return "the bidirectional control"
    if 0xD800 <= code <= 0xDFFF:
        return "the lone surrogate"
    return ""

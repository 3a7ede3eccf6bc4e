"""Text in a few lines, where Qt would draw one."""

from __future__ import annotations

from kavor.canvas.qt import QFont, QTextLayout


def broken_lines(text: str, font: QFont, width: float, most: int) -> list[str]:
    """At most so many, broken between words; what has no room is with the last one."""
    words = " ".join(text.split())
    layout = QTextLayout(words, font)
    starts: list[int] = []
    layout.beginLayout()
    while len(starts) < most and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    ends = [*starts[1:], None]
    return [_between(words, start, end) for start, end in zip(starts, ends, strict=False)]


def _between(words: str, start: int, end: int | None) -> str:
    """Places are counted as Qt does, in UTF-16."""
    units = words.encode("utf-16-le", "surrogatepass")
    return units[2 * start : None if end is None else 2 * end].decode("utf-16-le", "replace").strip()

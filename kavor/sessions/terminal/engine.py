"""The emulation engine: `python -m kavor.sessions.terminal.engine ghostty|avt`.

A process of its own for one look at a screen, since libghostty-vt aborts on hostile output. It reads the
sizes as one line of JSON and then the raw output, and prints the screen's lines. Answers that a terminal
would send are not sent: the output is a recording.
"""

from __future__ import annotations

import codecs
import importlib
import json
import sys
from collections.abc import Iterable
from typing import Any, Protocol

from kavor.sessions.terminal.recording import Resize


class Engine(Protocol):
    """A terminal without a window."""

    def feed(self, data: bytes) -> None: ...

    def resize(self, columns: int, rows: int) -> None: ...

    def lines(self) -> list[str]:
        """The screen's rows, from the top."""
        ...


class Ghostty:
    """libghostty-vt: the most faithful, and not safe against every output."""

    def __init__(self, columns: int, rows: int) -> None:
        ghostty: Any = importlib.import_module("pyghostty")
        self._terminal = ghostty.Terminal(columns, rows, scrollback=0)

    def feed(self, data: bytes) -> None:
        self._terminal.feed(data)

    def resize(self, columns: int, rows: int) -> None:
        self._terminal.resize(columns, rows)

    def lines(self) -> list[str]:
        text: str = self._terminal.text()
        return text.split("\n")


class Avt:
    """asciinema's avt: simpler, in Rust without unsafe code, on every platform."""

    def __init__(self, columns: int, rows: int) -> None:
        avt: Any = importlib.import_module("avt")
        self._terminal = avt.Vt(columns, rows, 0)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> None:
        self._terminal.feed_str(self._decoder.decode(data))

    def resize(self, columns: int, rows: int) -> None:
        self._terminal.resize(columns, rows)

    def lines(self) -> list[str]:
        return [line.text for line in self._terminal.view()]


ENGINES: dict[str, type[Ghostty] | type[Avt]] = {"ghostty": Ghostty, "avt": Avt}


def play(engine: Engine, data: bytes, resizes: Iterable[Resize]) -> str:
    """Feed a recording; its screen as text, trailing blanks of each line and empty last lines cut."""
    position = 0
    for resize in resizes:
        engine.feed(data[position : resize.offset])
        engine.resize(resize.columns, resize.rows)
        position = resize.offset
    engine.feed(data[position:])
    return "\n".join(line.rstrip() for line in engine.lines()).rstrip("\n")


def main() -> int:
    sizes = [Resize(**size) for size in json.loads(sys.stdin.buffer.readline())]
    data = sys.stdin.buffer.read()
    engine = ENGINES[sys.argv[1]](sizes[0].columns, sizes[0].rows)
    sys.stdout.buffer.write(play(engine, data, sizes[1:]).encode("utf-8", "replace"))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""One look at a recording: `python -m kavor.sessions.terminal.emulation.look ENGINE WHAT`.

It reads the sizes as one line of JSON and then the raw output, and prints what is asked for: ``screen`` and
``everything`` as lines of text, ``cursor`` as row and column in JSON, ``checkpoint`` as output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence

from kavor.sessions.terminal.emulation.engine import Engine, make_engine
from kavor.sessions.terminal.recording import Resize
from kavor.terminal_frames import Row


def play(engine: Engine, data: bytes, resizes: Iterable[Resize]) -> None:
    """Feed a recording, with the changes of size that follow its first."""
    position = 0
    for resize in resizes:
        engine.feed(data[position : resize.offset])
        engine.resize(resize.columns, resize.rows)
        position = resize.offset
    engine.feed(data[position:])


def screen_rows(engine: Engine) -> Sequence[Row]:
    """All of them; for an engine that was not asked for its rows before."""
    rows = {row.y: row for row in engine.changed_rows()}
    return [rows.get(y, Row(y, False, ())) for y in range(engine.size[1])]


def as_text(rows: Iterable[Row]) -> bytes:
    """Trailing blanks of each line and empty last lines cut."""
    return "\n".join(row.text.rstrip() for row in rows).rstrip("\n").encode("utf-8", "replace")


def _screen(engine: Engine) -> bytes:
    return as_text(screen_rows(engine))


def _everything(engine: Engine) -> bytes:
    return as_text([*engine.read_scrollback(0, engine.scrollback), *screen_rows(engine)])


def _cursor(engine: Engine) -> bytes:
    screen_rows(engine)
    return json.dumps([engine.cursor.y + 1, engine.cursor.x + 1]).encode()


def _checkpoint(engine: Engine) -> bytes:
    return engine.checkpoint()


_LOOKS: dict[str, Callable[[Engine], bytes]] = {
    "screen": _screen,
    "everything": _everything,
    "cursor": _cursor,
    "checkpoint": _checkpoint,
}


def main() -> int:
    name, what = sys.argv[1:]
    sizes = [Resize(**size) for size in json.loads(sys.stdin.buffer.readline())]
    engine = make_engine(name, sizes[0].columns, sizes[0].rows)
    play(engine, sys.stdin.buffer.read(), sizes[1:])
    sys.stdout.buffer.write(_LOOKS[what](engine))
    return 0


if __name__ == "__main__":
    sys.exit(main())

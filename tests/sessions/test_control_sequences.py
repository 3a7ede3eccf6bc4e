"""Single control sequences that vim, htop, less, git, tmux and fzf use show the same as in xterm.js
(tests/oracle/sequences.py): text, style of every cell, and the cursor. Where an engine differs, it says how.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kavor.sessions.terminal.emulation.engine import IN_ORDER, make_engine
from kavor.sessions.terminal.emulation.look import as_text, screen_rows
from kavor.terminal_frames import UNDERLINE_SHIFT, Attributes, Row

COLUMNS, ROWS = 20, 6
CASES = Path(__file__).parent.parent / "cases" / "sequences.jsonl"
NAMES = {
    Attributes.BOLD: "bold",
    Attributes.FAINT: "faint",
    Attributes.ITALIC: "italic",
    Attributes.INVERSE: "inverse",
    Attributes.INVISIBLE: "invisible",
    Attributes.STRIKETHROUGH: "strikethrough",
}

DIFFERENT: dict[str, dict[str, str]] = {
    "ghostty": {
        "EL after the last column": "the wrap that waited is given up, as in xterm",
        "TBC of one": "CSI g without a number clears no tab stop",
        "DECSTR": "a soft reset leaves the style",
        "OSC 8 is not shown": "a link is not underlined: that is for the viewer",
    },
    "avt": {
        "DECAWM off and on": "a wrap that waited before it was switched on stays given up",
        "REP of a wide character": "it is not repeated",
        "IL outside the region does nothing": "it scrolls what lies below",
        "a combining accent": "it has a cell of its own",
        "a zero-width joiner": "it has a cell of its own",
        "DECALN": "the cursor stays where it was",
        "SGR attributes": "faint takes boldness away",
        "conceal": "it is not known",
        "OSC 8 is not shown": "a link is not underlined: that is for the viewer",
    },
}
"""What an engine makes otherwise, and what that is."""


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def styles(row: Row) -> Iterator[list[object]]:
    """Each cell that is not plain: line, column, colours, attributes. Of a blank its ground alone is seen."""
    x = 0
    for run in row.runs:
        names = [name for bit, name in NAMES.items() if run.attributes & bit]
        if run.attributes >> UNDERLINE_SHIFT:
            names.append("underline")
        signs = list(run.text) if run.cells > 0 else [run.text]
        for sign in signs:
            shown = sorted(names)
            foreground = run.foreground
            if not sign.strip() and not {"inverse", "underline"} & set(names):
                foreground, shown = 0, []
            if foreground or run.background or shown:
                yield [row.y, x, foreground, run.background, shown]
            x += abs(run.cells) // len(signs)


@pytest.mark.parametrize("engine_name", IN_ORDER)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_a_sequence_shows_what_it_shows_in_the_reference(case: dict[str, Any], engine_name: str) -> None:
    engine = make_engine(engine_name, COLUMNS, ROWS)
    engine.feed(case["output"].encode())
    rows = screen_rows(engine)
    seen = (
        as_text(rows).decode(),
        [engine.cursor.x, engine.cursor.y],
        [style for row in rows for style in styles(row)],
    )
    expected = (
        case["screen"],
        [min(case["cursor"][0], COLUMNS - 1), case["cursor"][1]],
        [[*style[:4], sorted(style[4].split())] for style in case["styles"]],
    )
    if case["name"] in DIFFERENT[engine_name]:
        assert seen != expected, "it is alike by now: take it off the list"
    else:
        assert seen == expected


def test_every_difference_is_of_a_case() -> None:
    names = {case["name"] for case in cases()}
    assert all(names.issuperset(different) for different in DIFFERENT.values())

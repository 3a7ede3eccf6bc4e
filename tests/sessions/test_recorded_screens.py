"""Recorded sessions of tools people use end in the same screen as in xterm.js (tests/oracle/screens.py)."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kavor.sessions.terminal.emulation.engine import IN_ORDER, make_engine
from kavor.sessions.terminal.emulation.look import as_text, screen_rows
from kavor.terminal_frames import Attributes, Row

CASES = Path(__file__).parent.parent / "cases" / "screens.jsonl"


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("engine_name", IN_ORDER)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_a_recorded_session_ends_in_the_reference_screen(case: dict[str, Any], engine_name: str) -> None:
    engine = make_engine(engine_name, case["columns"], case["rows"])
    output = zlib.decompress(base64.b64decode(case["output"]))
    for start in range(0, len(output), 1000):
        engine.feed(output[start : start + 1000])
    assert as_text(screen_rows(engine)).decode() == case["screen"]
    cursor = engine.cursor
    assert [cursor.x, cursor.y] == case["cursor"]


def visible(rows: Sequence[Row]) -> list[list[tuple[object, ...]]]:
    """Cell by cell. Of a blank, the colour it would be written in and boldness are not seen."""
    seen = []
    for row in rows:
        cells: list[tuple[object, ...]] = []
        for run in row.runs:
            each = run.width // max(1, len(run.text)) if run.cells > 0 else run.width
            for sign in run.text if run.cells > 0 else [run.text]:
                attributes = run.attributes
                foreground = run.foreground
                if sign == " ":
                    attributes &= ~(Attributes.BOLD | Attributes.FAINT | Attributes.ITALIC)
                    foreground = foreground if attributes else 0
                cells.append((sign, each, foreground, run.background, attributes))
        while cells and cells[-1] == (" ", 1, 0, 0, 0):
            cells.pop()
        seen.append(cells)
    return seen


@pytest.mark.parametrize("engine_name", IN_ORDER)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_a_checkpoint_gives_the_same_screen(case: dict[str, Any], engine_name: str) -> None:
    first = make_engine(engine_name, case["columns"], case["rows"])
    first.feed(zlib.decompress(base64.b64decode(case["output"])))
    second = make_engine(engine_name, case["columns"], case["rows"])
    second.feed(first.checkpoint())
    assert visible(screen_rows(second)) == visible(screen_rows(first))
    assert (second.cursor, second.modes, second.title) == (first.cursor, first.modes, first.title)

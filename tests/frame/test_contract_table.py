"""The table in docs/contract.md is whole, and every line said to work has a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs/contract.md"

LAST_NUMBER = {"K": 81, "K+": 15, "S": 72, "L": 78, "M": 35, "M+": 6, "X": 16}
"""Each series of numbers and where it ends."""

NUMBERS = [f"{series}{n}" for series, last in LAST_NUMBER.items() for n in range(1, last + 1)]

ROW = re.compile(r"^\| ([A-Z]\+?\d+) \| (.+) \| (.+) \|$", re.MULTILINE)


def rows() -> list[tuple[str, str, str]]:
    """(number, behaviour, state) of every line, in order."""
    return ROW.findall(TABLE.read_text(encoding="utf-8").partition("## Breaking a rule")[0])


def states() -> dict[str, str]:
    return {number: state for number, _, state in rows()}


def marked_numbers(source: Path) -> Iterator[str]:
    """What the ``contract(…)`` markers of one test file name."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.contract":
            for argument in node.args:
                yield str(ast.literal_eval(argument))


def files_by_number() -> dict[str, set[str]]:
    named: dict[str, set[str]] = {}
    for source in sorted((ROOT / "tests").rglob("test_*.py")):
        for number in marked_numbers(source):
            named.setdefault(number, set()).add(str(source.relative_to(ROOT)))
    return named


def test_every_number_has_its_one_row() -> None:
    listed = [number for number, _, _ in rows()]
    assert listed == NUMBERS


def test_every_state_is_one_of_three() -> None:
    odd = {
        number: state
        for number, state in states().items()
        if state not in ("works", "not yet") and not re.fullmatch(r"otherwise: .{10,}", state)
    }
    assert not odd


def test_every_line_that_works_has_a_test() -> None:
    tested = files_by_number()
    unproved = [number for number, state in states().items() if state == "works" and number not in tested]
    assert not unproved


def test_no_test_names_an_unknown_line() -> None:
    unknown = {number: files for number, files in files_by_number().items() if number not in NUMBERS}
    assert not unknown


def test_every_broken_rule_names_a_test_that_exists() -> None:
    section = TABLE.read_text(encoding="utf-8").split("## Breaking a rule", 1)[1]
    known = {
        node.name
        for source in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    named = set(re.findall(r"`(test_\w+)`", section))
    assert named <= known

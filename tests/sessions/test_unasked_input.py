"""What the host concludes from typing into a shell that cannot be asked about its line."""

from __future__ import annotations

import pytest

from kavor.sessions.terminal.typed_input import Line
from kavor.sessions.terminal.unasked_input import UnaskedInput


def after(*pieces: bytes, signals: bool = True) -> UnaskedInput:
    typed = UnaskedInput(lambda: signals)
    for piece in pieces:
        typed.typed(piece, at_prompt=True)
    return typed


@pytest.mark.parametrize(
    "keys", [b"", b"abc\x7f\x7f\x7f", b"abc\x15", b"\x7f", "é你".encode() + b"\x7f\x7f", b"a\x15\x15"]
)
def test_a_line_that_can_be_followed_to_nothing_is_empty(keys: bytes) -> None:
    assert after(keys).line is Line.EMPTY


@pytest.mark.parametrize(
    "keys", [b"a", b" ", b"ab\x7f", b"abc\x15d", b"\x1b[A", b"a\x17", b"\t", b"\x1b[A\x15", "é".encode()]
)
def test_any_other_line_is_filled(keys: bytes) -> None:
    assert after(keys).line is Line.FILLED


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\x03", b"\x04"])
def test_a_line_is_on_its_way_until_the_prompt(end: bytes) -> None:
    typed = after(b"make" + end)
    assert typed.line_sent
    typed.prompt_shown()
    assert not typed.line_sent
    assert typed.line is Line.EMPTY


def test_lines_typed_ahead_must_be_looked_for() -> None:
    for typed in (after(b"make\rcat\r"), after(b"make\r", b"cat\r")):
        typed.prompt_shown()
        assert typed.line is Line.ASK
        typed.told(empty=True)
        assert typed.line is Line.EMPTY


def test_the_beginning_of_a_line_typed_ahead_is_unfinished_until_it_ends_or_is_killed() -> None:
    for ending in (b"\r", b"\x15"):
        typed = after(b"make\r", b"ec")
        typed.prompt_shown()
        assert typed.line is Line.FILLED
        typed.typed(ending, at_prompt=True)
        typed.prompt_shown()
        assert typed.line is Line.ASK


@pytest.mark.parametrize(("signals", "line"), [(True, Line.ASK), (False, Line.FILLED)])
def test_a_key_that_is_a_signal_is_nothing_typed(signals: bool, line: Line) -> None:
    typed = after(b"make\r", b"junk\x1a", signals=signals)
    typed.prompt_shown()
    assert typed.line is line


def test_what_was_typed_before_the_first_prompt_must_be_looked_for() -> None:
    typed = UnaskedInput(lambda: True)
    typed.typed(b"early\r", at_prompt=False)
    typed.prompt_shown()
    assert typed.line is Line.ASK

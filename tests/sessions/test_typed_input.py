"""What the host concludes from what a person typed."""

from __future__ import annotations

import pytest

from kavor.sessions.terminal.typed_input import Line, TypedInput


def after(*pieces: bytes) -> TypedInput:
    typed = TypedInput()
    for piece in pieces:
        typed.typed(piece, at_prompt=True)
    return typed


def test_nothing_typed_is_an_empty_line() -> None:
    assert TypedInput().line is Line.EMPTY


@pytest.mark.parametrize("text", [b"a", b"echo hi", "é你".encode()])
def test_plain_text_is_a_filled_line(text: bytes) -> None:
    assert after(text).line is Line.FILLED


@pytest.mark.parametrize(
    "keys",
    [
        b"abc\x7f\x7f\x7f",
        b"abc\x15",
        b"\x1b[A",
        b"\x1bOB",
        b"ls\t\x15",
        b"x\r",
        b"\x1b[200~pasted\x1b[201~\x15",
        b"\x1bb",
    ],
)
def test_after_editing_keys_only_the_editor_can_say(keys: bytes) -> None:
    assert after(keys).line is Line.ASK


@pytest.mark.parametrize(
    "keys", [b"\x12find", b"\x16", b"\x18", b"\x1d", b"\x1b", b"\x1b5", b"\x1b[", b"\x1b[1;"]
)
def test_the_editor_is_not_asked_in_the_middle_of_a_key_or_a_search(keys: bytes) -> None:
    assert after(keys).line is Line.FILLED


@pytest.mark.parametrize("keys", [b"ls\t", b"ls \t\t", b"ls \t\x1b[B\x1b[B\x0e"])
def test_a_menu_of_completions_is_not_closed_by_a_question(keys: bytes) -> None:
    assert after(keys).line is Line.FILLED


def test_escape_in_vi_mode_is_no_middle() -> None:
    typed = after(b"\x1b")
    typed.vi = True
    assert typed.line is Line.ASK


def test_a_line_that_was_taken_leaves_nothing() -> None:
    typed = after(b"echo hi\r")
    typed.line_taken()
    assert typed.line is Line.EMPTY


@pytest.mark.parametrize("ahead", [b"a\rb", b"a\rb\r", b"a\x03b"])
def test_what_followed_the_line_that_was_taken_is_still_to_come(ahead: bytes) -> None:
    typed = after(ahead)
    typed.line_taken()
    assert typed.line is Line.ASK


def test_a_delivered_line_takes_nothing_of_what_was_typed() -> None:
    typed = after(b"ls\r")
    typed.line_taken(by_delivery=True)
    assert typed.line is Line.ASK


def test_what_was_typed_before_the_prompt_may_have_gone_to_a_program() -> None:
    typed = TypedInput()
    typed.typed(b"q", at_prompt=False)
    assert typed.line is Line.ASK
    typed.told(empty=True)
    assert typed.line is Line.EMPTY


def test_the_editors_word_holds_until_the_next_key() -> None:
    typed = after(b"\x1b[A")
    typed.told(empty=False)
    assert typed.line is Line.FILLED
    typed.typed(b"\x15", at_prompt=True)
    assert typed.line is Line.ASK

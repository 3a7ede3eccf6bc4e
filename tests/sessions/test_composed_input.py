"""What a person has begun to write into a program's input, as far as the bytes tell."""

from __future__ import annotations

import pytest

from kavor.sessions.terminal.composed_input import ComposedInput


def begun(*typed: bytes, clear_key: bytes = b"\x03") -> bool:
    composed = ComposedInput(clear_key)
    for data in typed:
        composed.typed(data)
    return composed.begun


@pytest.mark.contract("K+6")
@pytest.mark.parametrize(
    "typed",
    [
        [b"h"],
        ["é".encode()],
        [b"sent off\r", b"and more"],
        [b"\x1b[200~a paste\rof lines\r\x1b[201~"],
        [b"\x1b[200~a paste", b" in two"],
        [b"\x1b[200~a paste", b" in two\r", b"\x1b[201~"],
        [b"more\x1b\r"],  # Alt-Enter
        [b"more\\\r"],
        [b"more\n"],
        [b"\x1b[A"],  # it may have brought an old prompt back
        [b"\t"],
        [b"look at @READ\r"],  # it may have put the rest of a name in
        [b"ab\x7f"],
        [b"\x1bb"],
    ],
)
def test_it_is_begun(typed: list[bytes]) -> None:
    assert begun(*typed)


@pytest.mark.parametrize(
    "typed",
    [
        [],
        [b"sent off\r"],
        [b"letter", b" by ", b"letter", b"\r"],
        [b"\x1b[200~a paste\rof lines\x1b[201~", b"\r"],
        [b"\x1b[200~a pa", b"ste\x1b[201~\r"],
        [b"more\\\rand all of it\r"],
        [b"\x1b[A\r"],
        [b"look at @READ\r", b"\r"],
        [b"ab\x7f\x7f"],
        ["é\x7f".encode()],
        [b"\x1b"],
        [b"\x1b[I", b"\x1b[O", b"\x1b[<35;10;10M", b"\x1b[<0;1;1m"],  # the focus, the mouse
        [b"no, not this\x03"],
        [b"\x1b[200~not this", b"\x03"],
    ],
)
def test_it_is_not_begun(typed: list[bytes]) -> None:
    assert not begun(*typed)


def test_where_no_key_empties_it_for_sure_ctrl_c_does_not() -> None:
    assert begun(b"text\x03", clear_key=b"")

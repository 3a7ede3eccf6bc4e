"""Payloads: delivered exactly as written, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.domain.errors import BadInput
from kavor.domain.payload import MAX_PAYLOAD_BYTES, check_payload

plain_text = st.text(
    st.characters(
        exclude_categories=("Cc", "Cs"),
        exclude_characters="\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "make check",
        "printf 'a\tb\n'\nprintf c",
        "echo 'größer als ½ — 東京 🦊'",
        "  indented, and kept so  ",
    ],
)
def test_what_is_plain_stays_as_it_is(text: str) -> None:
    assert check_payload(text) == text


def test_line_ends_become_newlines_and_none_is_left_around() -> None:
    assert check_payload("\r\n\nfirst\r\nsecond\n\n") == "first\nsecond"


@pytest.mark.parametrize("text", ["", "\n", " \t\n ", "\r\n"])
def test_an_empty_payload_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="empty"):
        check_payload(text)


@pytest.mark.parametrize("code", [0x00, 0x03, 0x08, 0x0B, 0x0D, 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x9F])
def test_a_control_character_is_refused_where_it_stands(code: int) -> None:
    with pytest.raises(BadInput) as refusal:
        check_payload(f"echo {chr(code)}[2J")
    assert refusal.value.message == f"the payload has the control character U+{code:04X} at offset 5"
    assert refusal.value.hint


@pytest.mark.parametrize("char", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_what_turns_the_reading_direction_is_refused(char: str) -> None:
    with pytest.raises(BadInput, match=f"bidirectional control U\\+{ord(char):04X} at offset 3"):
        check_payload(f"rm {char}x")


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(BadInput, match="lone surrogate U\\+DC80 at offset 1"):
        check_payload("a\udc80")


def test_the_size_limit_counts_bytes_and_is_exact() -> None:
    fits = "é" * (MAX_PAYLOAD_BYTES // 2)
    assert check_payload(fits) == fits
    with pytest.raises(BadInput, match="262,145 bytes long"):
        check_payload(fits + "x")


@given(plain_text.filter(lambda text: text.strip()))
def test_checking_twice_changes_nothing(text: str) -> None:
    once = check_payload(text)
    assert check_payload(once) == once
    assert once == text

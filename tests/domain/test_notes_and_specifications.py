"""What a Sticky Note may hold, and the states of a Specification."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.domain.errors import BadInput
from kavor.domain.specification import SpecificationState, parse_state
from kavor.domain.sticky_note import MAX_CODE_POINTS, Colour, appended, check_note, parse_colour

kept_texts = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=300)


@given(kept_texts)
def test_every_text_without_control_characters_is_kept_as_it_is(text: str) -> None:
    assert check_note(text) == text


def test_its_length_is_counted_in_code_points() -> None:
    whole = "🪁" * MAX_CODE_POINTS
    assert check_note(whole) == whole
    with pytest.raises(BadInput, match=r"64,001 characters long"):
        check_note(whole + "x")


@pytest.mark.parametrize("char", ["\0", "\x1b", "\r", "\x7f", "\x9b"])
def test_a_control_character_is_refused_and_named(char: str) -> None:
    with pytest.raises(BadInput, match=f"U\\+{ord(char):04X} at offset 3"):
        check_note(f"abc{char}d")


def test_line_ends_of_other_systems_become_ours() -> None:
    assert check_note("one\r\ntwo\tx\n") == "one\ntwo\tx\n"


@pytest.mark.parametrize(
    ("text", "more", "expected"),
    [("", "a", "a"), ("a", "b", "a\nb"), ("a\n", "b", "a\nb"), ("a\n\n", "b\n", "a\n\nb\n")],
)
def test_what_is_appended_begins_on_a_line_of_its_own(text: str, more: str, expected: str) -> None:
    assert appended(text, more) == expected


@given(kept_texts, kept_texts)
def test_appending_changes_nothing_that_was_there(text: str, more: str) -> None:
    joined = appended(text, more)
    assert joined.startswith(text)
    assert joined.endswith(more)


def test_a_note_that_would_be_too_long_is_not_appended_to() -> None:
    with pytest.raises(BadInput):
        appended("x" * MAX_CODE_POINTS, "y")


def test_four_colours() -> None:
    assert [parse_colour(colour.upper()) for colour in Colour] == list(Colour)
    with pytest.raises(BadInput, match="'red'"):
        parse_colour("red")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("draft", SpecificationState.DRAFT),
        ("READY", SpecificationState.READY),
        ("in progress", SpecificationState.IN_PROGRESS),
        ("in_review", SpecificationState.IN_REVIEW),
        (" In-Progress ", SpecificationState.IN_PROGRESS),
        ("Done", SpecificationState.DONE),
    ],
)
def test_five_states_in_any_spelling(text: str, state: SpecificationState) -> None:
    assert parse_state(text) is state


@pytest.mark.parametrize("text", ["", "finished", "inprogress"])
def test_another_state_is_bad_input_and_the_five_are_named(text: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_state(text)
    assert "Draft, Ready, In progress, In review, Done" in refusal.value.hint

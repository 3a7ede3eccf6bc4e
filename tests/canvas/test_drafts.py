"""Two who edit one text: whatever was typed is kept, and whatever was saved elsewhere is seen."""

from __future__ import annotations

import string
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kavor.canvas.texts.draft import Draft, Text

words = st.text(string.ascii_lowercase, max_size=3)


def test_what_changed_elsewhere_is_taken_up_while_nothing_is_typed() -> None:
    draft = Draft.of(Text("one", "1"))
    draft.meet(Text("two", "2"))
    assert (draft.typed, draft.base.version, draft.conflict) == ("two", "2", None)


def test_another_version_of_the_same_text_is_no_conflict() -> None:
    draft = Draft.of(Text("one", "1"))
    draft.typed = "one and more"
    draft.meet(Text("one", "2"))  # it was renamed
    assert (draft.typed, draft.base.version, draft.conflict) == ("one and more", "2", None)


def test_of_two_texts_the_person_chooses() -> None:
    draft = Draft.of(Text("one", "1"))
    draft.typed = "mine"
    draft.meet(Text("theirs", "2"))
    assert draft.conflict == Text("theirs", "2")
    assert draft.typed == "mine"

    theirs = replace(draft)
    theirs.take_theirs()
    assert (theirs.typed, theirs.is_changed, theirs.conflict) == ("theirs", False, None)

    draft.keep_mine()
    assert (draft.typed, draft.base.version, draft.conflict) == ("mine", "2", None)
    assert draft.is_changed


@given(base=words, typed=words, meets=st.lists(words, max_size=5))
def test_no_text_is_ever_lost(base: str, typed: str, meets: list[str]) -> None:
    draft = Draft.of(Text(base, "0"))
    draft.typed = typed
    wrote = typed != base
    for number, present in enumerate(meets, 1):
        draft.meet(Text(present, str(number)))
        assert draft.base.text == present or (draft.conflict is not None and draft.conflict.text == present)
        if wrote and draft.conflict is not None:
            assert draft.typed == typed  # and both are there
        assert draft.conflict is None or draft.is_changed

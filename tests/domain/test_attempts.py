"""The ten states of an attempt, and the ways between them."""

from __future__ import annotations

from itertools import product

import pytest

from kavor.domain.attempts import (
    AT_WORK,
    FINAL,
    FIRST,
    OPEN,
    TRANSITIONS,
    AttemptState,
    ImpossibleTransition,
    check_transition,
)

S = AttemptState


@pytest.mark.contract("K51")
def test_the_states_are_exactly_the_ten_words() -> None:
    assert [str(state) for state in S] == [
        "Pending",
        "Delivering",
        "Completed",
        "Needs attention",
        "Fired",
        "Failed",
        "Interrupted",
        "Blocked",
        "Missed",
        "Coalesced",
    ]


def test_every_state_is_either_open_or_final() -> None:
    assert set(S) == OPEN | FINAL
    assert not OPEN & FINAL
    assert AT_WORK < OPEN


@pytest.mark.contract("K71", "K79")
@pytest.mark.parametrize("old", sorted(FINAL))
def test_nothing_follows_a_final_state(old: AttemptState) -> None:
    for new in S:
        with pytest.raises(ImpossibleTransition):
            check_transition(old, new)


def test_every_state_can_be_reached_from_one_an_attempt_is_recorded_in() -> None:
    reached = set(FIRST)
    while more := {new for old in reached for new in TRANSITIONS.get(old, ())} - reached:
        reached |= more
    assert reached == set(S)


@pytest.mark.contract("K53")
def test_what_needs_attention_may_still_complete() -> None:
    check_transition(S.DELIVERING, S.NEEDS_ATTENTION)
    check_transition(S.NEEDS_ATTENTION, S.COMPLETED)


def test_a_transition_outside_the_table_is_refused_by_name() -> None:
    allowed = {(old, new) for old, news in TRANSITIONS.items() for new in news}
    for old, new in product(S, S):
        if (old, new) not in allowed:
            with pytest.raises(ImpossibleTransition, match=f"from {old} to {new}"):
                check_transition(old, new)


def test_nothing_waits_that_was_never_in_the_slot_or_declined() -> None:
    assert {old for old, news in TRANSITIONS.items() if S.PENDING in news} == {S.DELIVERING}

"""One line of work and one slot per target."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.domain.attempts import AttemptState
from kavor.domain.schedule import Overlap
from kavor.domain.slot import Line, Placement, Waiting, place

S = AttemptState


def arrive(
    line: Line,
    attempt_id: int,
    *,
    ready: bool = True,
    schedule: str = "s1",
    overlap: Overlap = Overlap.COALESCE,
) -> Placement:
    return place(line, ready=ready, attempt_id=attempt_id, schedule_id=schedule, overlap=overlap)


def test_an_idle_target_is_handed_the_attempt_at_once() -> None:
    line = Line()
    assert arrive(line, 1) == Placement(S.DELIVERING)
    assert line == Line(at_work=1)


@pytest.mark.contract("K59", "K69", "K70")
def test_one_waits_while_the_target_works_and_every_later_one_is_coalesced() -> None:
    line = Line(at_work=1)
    assert arrive(line, 2, schedule="s2") == Placement(S.PENDING)
    assert arrive(line, 3, schedule="s3") == Placement(S.COALESCED, holder=2)
    assert arrive(line, 4, schedule="s2") == Placement(S.COALESCED, holder=2)
    assert line == Line(at_work=1, waiting=Waiting(2, "s2"))


def test_a_target_that_is_not_ready_lets_the_first_wait() -> None:
    line = Line()
    assert arrive(line, 1, ready=False).state is S.PENDING
    assert line.at_work is None


def test_nobody_passes_the_attempt_that_waits() -> None:
    """Ready, and nothing at work: the slot is about to be handed over, and keeps its turn."""
    line = Line(waiting=Waiting(1, "s1"))
    assert arrive(line, 2, schedule="s2") == Placement(S.COALESCED, holder=1)


def test_replace_puts_out_the_older_attempt_of_the_same_schedule() -> None:
    line = Line(at_work=1, waiting=Waiting(2, "s1"))
    assert arrive(line, 3, overlap=Overlap.REPLACE) == Placement(S.PENDING, replaces=2)
    assert line.waiting == Waiting(3, "s1")


def test_replace_never_puts_out_another_schedule() -> None:
    line = Line(at_work=1, waiting=Waiting(2, "s2"))
    assert arrive(line, 3, overlap=Overlap.REPLACE) == Placement(S.COALESCED, holder=2)
    assert line.waiting == Waiting(2, "s2")


@given(
    st.lists(
        st.tuples(st.booleans(), st.sampled_from("abc"), st.sampled_from(Overlap)), min_size=1, max_size=12
    )
)
def test_whoever_arrives_the_line_never_shortens_and_each_is_in_one_place(
    arrivals: list[tuple[bool, str, Overlap]],
) -> None:
    line = Line()
    states: dict[int, AttemptState] = {}
    for attempt_id, (ready, schedule, overlap) in enumerate(arrivals, start=1):
        before = replace(line)
        placement = arrive(line, attempt_id, ready=ready, schedule=schedule, overlap=overlap)
        states[attempt_id] = placement.state
        if placement.replaces is not None:
            states[placement.replaces] = S.COALESCED
        if before.at_work is not None:
            assert line.at_work == before.at_work
        if placement.holder is not None:
            assert line.waiting is not None
            assert placement.holder == line.waiting.attempt_id
    assert [n for n, s in states.items() if s is S.PENDING] == (
        [line.waiting.attempt_id] if line.waiting else []
    )
    assert [n for n, s in states.items() if s is S.DELIVERING] == ([line.at_work] if line.at_work else [])

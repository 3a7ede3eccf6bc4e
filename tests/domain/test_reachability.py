"""What a Node reaches, against a slow and obvious way to find out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.domain.reachability import component

IDS = "abcdefghij"

graphs = st.sets(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)).filter(lambda pair: pair[0] != pair[1]),
    max_size=14,
)


def slowly(start: str, pairs: set[tuple[str, str]]) -> set[str]:
    """Go over all pairs until one whole round adds nothing."""
    reached = {start}
    while True:
        more = {end for pair in pairs if reached & set(pair) for end in pair} - reached
        if not more:
            return reached
        reached |= more


@pytest.mark.contract("K7")
@given(graphs, st.sampled_from(IDS))
def test_it_is_all_that_connections_lead_to(pairs: set[tuple[str, str]], start: str) -> None:
    assert component(start, pairs) == slowly(start, pairs)


@given(graphs, st.sampled_from(IDS), st.sampled_from(IDS))
def test_two_nodes_reach_the_same_or_nothing_of_each_other(
    pairs: set[tuple[str, str]], one: str, other: str
) -> None:
    """So it is symmetric, and it is transitive."""
    mine, theirs = component(one, pairs), component(other, pairs)
    assert one in mine
    assert (other in mine) == (one in theirs)
    assert mine == theirs if other in mine else not mine & theirs


@pytest.mark.contract("K12")
@given(graphs, st.sampled_from(IDS))
def test_the_direction_of_a_connection_means_nothing(pairs: set[tuple[str, str]], start: str) -> None:
    assert component(start, pairs) == component(start, {(b, a) for a, b in pairs})


@given(graphs, st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(IDS))
def test_one_more_connection_takes_nothing_away(
    pairs: set[tuple[str, str]], start: str, one: str, other: str
) -> None:
    assert component(start, pairs) <= component(start, pairs | {(one, other)})


def test_a_long_chain_is_no_matter_of_depth() -> None:
    pairs = [(str(number), str(number + 1)) for number in range(20_000)]
    assert len(component("0", pairs)) == 20_001

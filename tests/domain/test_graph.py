"""Which pairs of Nodes may be joined."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import TARGET_KINDS, NodeKind, check_pair, ordered, parse_kind

K = NodeKind

ALLOWED = {
    (K.CODING_AGENT, K.SPECIFICATION),
    (K.CODING_AGENT, K.STICKY_NOTE),
    (K.CODING_AGENT, K.TERMINAL),
    (K.CODING_AGENT, K.FILE),
    (K.CODING_AGENT, K.CODING_AGENT),
    (K.TERMINAL, K.FILE),
    (K.TERMINAL, K.SPECIFICATION),
    (K.SCHEDULE, K.CODING_AGENT),
    (K.SCHEDULE, K.TERMINAL),
}
"""Decision 17, written out a second time."""


@pytest.mark.contract("K12", "K73", "K+4")
@pytest.mark.parametrize(("one", "other"), list(product(NodeKind, NodeKind)))
def test_a_pair_may_be_joined_or_not_in_either_order(one: NodeKind, other: NodeKind) -> None:
    if (one, other) in ALLOWED or (other, one) in ALLOWED:
        check_pair("n1", one, "n2", other)
        return
    with pytest.raises(Refused) as refusal:
        check_pair("n1", one, "n2", other)
    assert one.label in refusal.value.message
    assert other.label in refusal.value.message


@pytest.mark.contract("K+4")
@pytest.mark.parametrize("kind", NodeKind)
def test_a_node_cannot_be_joined_to_itself(kind: NodeKind) -> None:
    with pytest.raises(Refused, match="itself"):
        check_pair("n1", kind, "n1", kind)


@pytest.mark.contract("K73")
def test_what_a_schedule_may_aim_at_is_what_it_may_be_joined_to() -> None:
    joined = {other for one, other in ALLOWED if one is K.SCHEDULE}
    assert joined == TARGET_KINDS


@pytest.mark.contract("K12")
@given(st.text(), st.text())
def test_a_pair_has_one_spelling(a: str, b: str) -> None:
    assert ordered(a, b) == ordered(b, a)
    assert sorted(ordered(a, b)) == sorted((a, b))


@pytest.mark.parametrize("spelling", ["coding-agent", "CodingAgent", "CODING_AGENT", " coding agent "])
def test_a_kind_is_read_from_any_of_its_spellings(spelling: str) -> None:
    assert parse_kind(spelling) is K.CODING_AGENT


def test_every_kind_is_read_from_its_label() -> None:
    assert [parse_kind(kind.label) for kind in NodeKind] == list(NodeKind)


def test_another_word_is_refused_with_the_kinds_there_are() -> None:
    with pytest.raises(BadInput) as refusal:
        parse_kind("reviewer")
    assert all(kind in refusal.value.hint for kind in NodeKind)

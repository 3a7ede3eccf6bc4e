"""Which Guardrail a Connection may have, and what it forbids."""

from __future__ import annotations

import itertools

import pytest

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.guardrails import Guardrail, check_change, fitting_guardrails, parse_guardrail

K = NodeKind

RESOURCES = {
    K.SPECIFICATION: Guardrail.SPECIFICATION_READ_ONLY,
    K.STICKY_NOTE: Guardrail.STICKY_NOTE_READ_ONLY,
    K.TERMINAL: Guardrail.TERMINAL_READ_ONLY,
    K.FILE: Guardrail.FILE_READ_ONLY,
}


@pytest.mark.parametrize(("one", "other"), list(itertools.product(K, K)))
def test_one_guardrail_fits_a_coding_agent_and_each_of_its_resources(one: NodeKind, other: NodeKind) -> None:
    expected = ()
    if one is K.CODING_AGENT and other in RESOURCES:
        expected = (RESOURCES[other],)
    if other is K.CODING_AGENT and one in RESOURCES:
        expected = (RESOURCES[one],)
    assert fitting_guardrails(one, other) == expected


def test_it_is_named_from_either_end_and_in_any_case() -> None:
    for text in ("file_read_only", "File_Read_Only", " file-read-only "):
        assert parse_guardrail(text, K.CODING_AGENT, K.FILE) is Guardrail.FILE_READ_ONLY
        assert parse_guardrail(text, K.FILE, K.CODING_AGENT) is Guardrail.FILE_READ_ONLY
    assert parse_guardrail("none", K.CODING_AGENT, K.FILE) is None


@pytest.mark.parametrize(
    ("text", "one", "other", "hint"),
    [
        ("file_read_only", K.CODING_AGENT, K.TERMINAL, "use terminal_read_only"),
        ("file_read_only", K.TERMINAL, K.FILE, "binds a CodingAgent and one of its resources"),
        ("file_read_only", K.CODING_AGENT, K.CODING_AGENT, "binds a CodingAgent and one of its resources"),
        ("read_only", K.CODING_AGENT, K.FILE, "use one of: specification_read_only"),
        ("", K.CODING_AGENT, K.FILE, "use one of"),
    ],
)
def test_one_that_does_not_fit_is_bad_input(text: str, one: NodeKind, other: NodeKind, hint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_guardrail(text, one, other)
    assert hint in refusal.value.hint


@pytest.mark.parametrize("guardrail", Guardrail)
def test_a_change_is_refused_and_the_rule_is_named(guardrail: Guardrail) -> None:
    with pytest.raises(Refused, match=guardrail.value):
        check_change(guardrail, "plan")
    check_change(None, "plan")

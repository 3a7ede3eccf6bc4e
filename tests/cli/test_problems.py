"""A problem document becomes the error it was raised as in the runtime."""

from __future__ import annotations

import pytest

from kavor.api.connection import EditedElsewhere, error_from_problem
from kavor.domain import errors

KINDS = [
    errors.BadInput,
    errors.NotFound,
    errors.Ambiguous,
    errors.Refused,
    errors.Unreachable,
    errors.Conflict,
    errors.StorageFailed,
    errors.HomeUnusable,
]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_comes_back_as_itself(kind: type[errors.KavorError]) -> None:
    problem = {
        "type": f"urn:kavor:problem:{kind.kind}",
        "title": "title",
        "status": kind.status,
        "detail": "what is wrong",
        "hint": "what to do",
        "exit_code": kind.exit_code,
    }
    error = error_from_problem(problem)
    assert type(error) is kind
    assert (error.message, error.hint) == ("what is wrong", "what to do")


def test_a_conflict_brings_what_is_there_now() -> None:
    problem = {"type": "urn:kavor:problem:conflict", "detail": "edited", "present": {"revision": 4}}
    error = error_from_problem(problem)
    assert isinstance(error, EditedElsewhere)
    assert error.exit_code == 5
    assert error.present == {"revision": 4}


def test_candidates_are_kept() -> None:
    error = error_from_problem({"type": "urn:kavor:problem:ambiguous", "candidates": ["a", "b"]})
    assert isinstance(error, errors.Ambiguous)
    assert error.candidates == ("a", "b")


@pytest.mark.parametrize("code", [1, 2, 3, 4, 5])
def test_an_unknown_kind_keeps_its_exit_code(code: int) -> None:
    assert error_from_problem({"type": "urn:kavor:problem:new", "exit_code": code}).exit_code == code

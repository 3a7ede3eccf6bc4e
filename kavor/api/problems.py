"""Errors on the wire: RFC 9457 problem documents."""

from __future__ import annotations

from typing import Any

from kavor.domain.errors import Ambiguous, KavorError


def problem_of(error: KavorError) -> dict[str, Any]:
    """The document of an error; :mod:`kavor.api.client` makes the same error of it again."""
    problem: dict[str, Any] = {
        "type": f"urn:kavor:problem:{error.kind}",
        "title": error.kind.replace("-", " "),
        "status": error.status,
        "detail": error.message,
        "hint": error.hint,
        "exit_code": error.exit_code,
    }
    if isinstance(error, Ambiguous):
        problem["candidates"] = list(error.candidates)
    return problem

"""Errors on the wire: RFC 9457 problem documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse

from kavor.domain.errors import Ambiguous, KavorError

MEDIA_TYPE = "application/problem+json"

_LONGEST_REASON = 120
"""Bytes; WebSocket allows 123."""

SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "hint", "exit_code"],
    "properties": {
        "type": {"type": "string", "description": "urn:kavor:problem: and the kind"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong"},
        "hint": {"type": "string", "description": "What to do"},
        "exit_code": {"type": "integer", "description": "The one a command that meets this ends with"},
        "candidates": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Of kind ambiguous: what the name may mean",
        },
        "present": {
            "type": ["object", "null"],
            "description": "Of kind conflict: what is there now, as a GET answers it",
        },
    },
}


def problem_of(error: KavorError) -> dict[str, Any]:
    """The document of an error; `connection` makes the same error of it again."""
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


def problem_response(
    error: KavorError, *, headers: Mapping[str, str] | None = None, **more: object
) -> JSONResponse:
    """The answer that an error is, with ``more`` in its document."""
    return JSONResponse(
        {**problem_of(error), **more},
        status_code=error.status,
        headers=dict(headers or {}),
        media_type=MEDIA_TYPE,
    )


def close_reason(error: KavorError) -> str:
    """What a WebSocket can say of an error as it is closed."""
    return error.message.encode()[:_LONGEST_REASON].decode(errors="ignore")

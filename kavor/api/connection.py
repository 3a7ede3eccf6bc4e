"""What every connection of a face to the runtime shares: the socket, how long it waits, and what a refusal
arrives as: the error class it was raised with there."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from kavor.domain.errors import (
    AlreadyRunning,
    Ambiguous,
    BadInput,
    Conflict,
    HomeUnusable,
    KavorError,
    NotAdmitted,
    NotFound,
    Refused,
    StorageFailed,
    Unreachable,
)
from kavor.home import Home

Document = dict[str, Any]
"""One JSON object of the API."""

ANSWER_LIMIT_S = 30.0
"""How long a request may take before the runtime counts as unreachable."""

_PROBLEM_TYPE = "urn:kavor:problem:"

_ERRORS: tuple[type[KavorError], ...] = (
    BadInput,
    NotFound,
    Ambiguous,
    Refused,
    NotAdmitted,
    AlreadyRunning,
    Unreachable,
    Conflict,
    StorageFailed,
    HomeUnusable,
    KavorError,
)
_BY_KIND = {error.kind: error for error in _ERRORS}
_BY_EXIT_CODE = {error.exit_code: error for error in (KavorError, BadInput, Refused, Unreachable, Conflict)}


class EditedElsewhere(Conflict):
    """A Conflict that brings along what is there now, as a GET would answer it."""

    def __init__(self, message: str, hint: str, present: Document) -> None:
        super().__init__(message, hint)
        self.present = present


def open_socket(home: Home, timeout_s: float) -> socket.socket:
    """A connection to the runtime's socket. Raises OSError when nobody listens."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(timeout_s)
    try:
        connection.connect(str(home.socket))
    except OSError:
        connection.close()
        raise
    return connection


def error_from_problem(problem: Mapping[str, Any]) -> KavorError:
    """The error that a problem document (RFC 9457) stands for."""
    kind = str(problem.get("type", "")).removeprefix(_PROBLEM_TYPE)
    error = _BY_KIND.get(kind) or _BY_EXIT_CODE.get(problem.get("exit_code", 1)) or KavorError
    message = str(problem.get("detail") or problem.get("title") or "the runtime refused, without saying why")
    hint = str(problem.get("hint") or "")
    if error is Conflict and isinstance(problem.get("present"), dict):
        return EditedElsewhere(message, hint, problem["present"])
    if error is Ambiguous:
        return Ambiguous(message, hint, [str(candidate) for candidate in problem.get("candidates") or ()])
    return error(message, hint)


def unreachable(error: Exception, home: Home) -> Unreachable:
    if isinstance(error, FileNotFoundError | ConnectionRefusedError):
        return Unreachable("no runtime is running", "start it with: kavor runtime start")
    if isinstance(error, TimeoutError):
        return Unreachable(
            f"the runtime did not answer within {ANSWER_LIMIT_S:g} s",
            f"look into {home.runtime_log}; what was asked may still be done",
        )
    if isinstance(error, PermissionError):
        return Unreachable(f"the socket {home.socket} may not be opened", "it belongs to another user")
    return Unreachable(
        "the runtime went away while it was asked", "look whether it was done before you ask again"
    )

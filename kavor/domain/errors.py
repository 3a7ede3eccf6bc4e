"""Errors that a person is meant to read: what is wrong, and what to do about it.

Each kind has one exit code on the command line and one status in the HTTP API, so that a script
can tell a typing mistake from a rule that said no.
"""

from __future__ import annotations

from collections.abc import Sequence


class KavorError(Exception):
    """Something went wrong that has a name. ``hint`` says what to do; it may be empty."""

    exit_code = 1
    status = 500
    kind = "failed"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[KavorError], tuple[str, str]]:
        return type(self), (self.message, self.hint)


class BadInput(KavorError):
    """What was given cannot be meant: a bad expression, an empty payload, an unknown zone."""

    exit_code = 2
    status = 422
    kind = "bad-input"


class NotFound(BadInput):
    """No such Workspace, Node, Schedule or attempt."""

    status = 404
    kind = "not-found"


class Ambiguous(BadInput):
    """A name that several things carry; ``candidates`` are their ids with names."""

    status = 422
    kind = "ambiguous"

    def __init__(self, message: str, hint: str = "", candidates: Sequence[str] = ()) -> None:
        super().__init__(message, hint)
        self.candidates = tuple(candidates)


class Refused(KavorError):
    """A rule of the contract says no: Run now without a target, an unsupported pair…"""

    exit_code = 3
    status = 403
    kind = "refused"


class AlreadyRunning(Refused):
    """Another runtime serves this home."""

    kind = "already-running"


class NotAdmitted(Refused):
    """Whoever asks is not known. It says no more, so that nothing can be learned by trying."""

    status = 401
    kind = "unauthorized"

    def __init__(self, message: str = "unauthorized", hint: str = "") -> None:
        super().__init__(message, hint)


class Unreachable(KavorError):
    """The runtime does not answer."""

    exit_code = 4
    status = 503
    kind = "unreachable"


class Conflict(KavorError):
    """Somebody else edited it meanwhile; nothing was changed."""

    exit_code = 5
    status = 409
    kind = "conflict"


class StorageFailed(KavorError):
    """The database cannot be read or written: a full disk, a damaged or foreign file."""

    exit_code = 1
    status = 507
    kind = "storage"


class HomeUnusable(KavorError):
    """Kavor's own folder cannot serve: it is not writable, or not the user's alone."""

    exit_code = 1
    status = 500
    kind = "home"

"""The seam between the runtime and live targets: open, close, state, deliver → outcome.

The runtime decides *that* an attempt is to be delivered and records it first; a session alone decides
*whether this moment* is safe, because only it sees every byte a person types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from kavor.domain.attempts import AttemptState
from kavor.domain.instant import Instant


class WaitingFor(StrEnum):
    """Why an open session takes no delivery just now (decision 19)."""

    STARTING = "starting"
    BUSY = "busy"
    UNFINISHED_INPUT = "unfinished input"
    ALTERNATE_SCREEN = "alternate screen"


@dataclass(frozen=True)
class SessionSpec:
    """How a session is to be started. ``id`` is the id of its Node."""

    id: str
    directory: str
    shell: str | None = None
    """Path or name of the shell; None takes the user's login shell."""
    environment: Mapping[str, str] = field(default_factory=dict)
    columns: int = 80
    rows: int = 24


@dataclass(frozen=True)
class SessionState:
    """What is known of one session now."""

    id: str
    open: bool
    waiting_for: WaitingFor | None
    """None in an open session means: a delivery is safe now."""
    pid: int | None = None
    started_at: Instant | None = None
    exit_code: int | None = None
    """Of a session that ended: the shell's exit code (negative: the signal); None where not known."""
    diagnostic: str = ""
    """Of a session that ended: how."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What its SessionSpec gave it when it was started."""

    @property
    def ready(self) -> bool:
        return self.open and self.waiting_for is None


@dataclass(frozen=True)
class Evidence:
    """What was seen of a delivered command."""

    output: str = ""
    """The end of its output, at most 64 KB, control sequences kept."""
    truncated: bool = False
    duration_ms: int | None = None
    """From the shell's own start mark to its end mark, on the monotonic clock."""


@dataclass(frozen=True)
class Outcome:
    """How a delivery ended, as far as it was observed. ``state`` is final and never guessed."""

    key: str
    state: AttemptState
    exit_code: int | None = None
    diagnostic: str = ""
    evidence: Evidence = Evidence()
    delivered_at: Instant | None = None
    finished_at: Instant | None = None


@dataclass(frozen=True)
class HandOver:
    """The answer to one ``deliver``."""

    accepted: bool
    """True: the bytes reached the target; exactly one Outcome with this key follows, or followed."""
    waiting_for: WaitingFor | None = None
    """Not accepted: why. Not one byte was written, and the same key may be offered again."""
    delivered_at: Instant | None = None
    closed: bool = False
    """Not accepted because no such session is open."""


class SessionsLost(Exception):
    """The process that holds the sessions is gone; nothing more can be observed through it."""


class Listener(Protocol):
    """Who hears of sessions. Called on the event loop; must not block."""

    def session_changed(self, state: SessionState) -> None: ...

    def outcome_observed(self, outcome: Outcome) -> None:
        """Given again after each reconnection until it is acknowledged."""
        ...

    def attention_needed(self, key: str, question: str) -> None:
        """The target works on this delivery no further until a person has answered; its Outcome follows."""
        ...

    def sessions_lost(self) -> None:
        """The holder of the sessions died; every session it held is gone with it."""
        ...


class Sessions(Protocol):
    """All sessions of one kind. Every method may raise SessionsLost."""

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        """Take up what lives on from before; its sessions are returned, its unacknowledged outcomes are
        given to the listener before this returns."""
        ...

    async def stop(self, *, end_sessions: bool) -> None:
        """Let go. Sessions live on unless ``end_sessions``."""
        ...

    async def open(self, spec: SessionSpec) -> SessionState:
        """Start a session; one that is open already is left as it is and answered."""
        ...

    async def close(self, session_id: str) -> SessionState: ...

    async def deliver(self, session_id: str, key: str, text: str) -> HandOver:
        """Hand a payload over if this moment is safe. Idempotent by ``key``."""
        ...

    async def known(self, keys: Sequence[str]) -> Mapping[str, bool]:
        """For each key, whether it was ever accepted here (its outcome has come or is still to come)."""
        ...

    async def acknowledge(self, keys: Sequence[str]) -> None:
        """These outcomes are on record."""
        ...

    async def survivors(self, session_id: str) -> Sequence[tuple[int, str]]:
        """Processes of a session whose shell or holder is gone that live on: (pid, short command line)."""
        ...

    async def type(self, session_id: str, data: bytes) -> None:
        """Bytes as if typed by a person."""
        ...

    async def tail(self, session_id: str, max_bytes: int) -> bytes:
        """The end of the raw output, our own marks cut out."""
        ...

    async def screen(self, session_id: str, *, whole: bool = False) -> str:
        """The screen as lines of text, trailing blanks cut; with ``whole``, what scrolled out of it too."""
        ...

"""The seam between a session and the way its agent is spoken to: ACP, or a socket.

The session knows turns, questions and outcomes; a harness knows one protocol, and a newer protocol is a new
harness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import Option


class Gone(Exception):
    """The agent is no longer there to be spoken to; the text says how it went."""


@dataclass(frozen=True)
class TurnEnd:
    """How a turn ended, as the agent says."""

    state: AttemptState
    diagnostic: str = ""


@dataclass(frozen=True)
class Call:
    """What is told of one tool call; None where this telling says nothing of it."""

    id: str
    title: str | None = None
    kind: str | None = None
    status: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    """Its input and output, where told."""


class Observer(Protocol):
    """Who hears what an agent does, in its order. Called on the event loop; does not block."""

    def prompted(self, text: str) -> None:
        """Of a conversation that is taken up again: what was asked then."""
        ...

    def said(self, text: str, message: str | None = None) -> None:
        """The next piece of a message; ``message`` tells one from the next where the agent does."""
        ...

    def thought(self, text: str) -> None: ...

    def called(self, call: Call) -> None: ...

    def planned(self, entries: Sequence[Mapping[str, Any]]) -> None: ...

    def noticed(self, text: str) -> None:
        """Something a person should know, of which the agent says nothing."""
        ...

    def model_failed(self, reason: str) -> None:
        """During a turn, whatever its end will say."""
        ...

    async def asked(self, text: str, options: Sequence[Option]) -> str | None:
        """Have a person answer. The id of an option; None for no answer, and at the end of the turn."""
        ...

    def gone(self, diagnostic: str, exit_code: int | None = None) -> None:
        """The agent ended, and nobody had asked it to."""
        ...


class Harness(Protocol):
    """One agent. Raises Gone from any call once it has ended."""

    @property
    def pid(self) -> int | None: ...

    async def start(self) -> str | None:
        """Until it takes prompts. The agent's id of its conversation, where it has such a thing. Raises
        KavorError with what a person can do about it."""
        ...

    async def prompt(self, key: str, text: str) -> TurnEnd:
        """One turn, to its end."""
        ...

    async def cancel(self) -> None:
        """Ask it to stop; the turn ends soon, or never."""
        ...

    async def close(self) -> None:
        """End it, and everything it started."""
        ...

    @property
    def errors(self) -> bytes:
        """The end of what it printed beside its protocol."""
        ...

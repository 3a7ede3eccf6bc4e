"""The seam between the runtime and live targets: open, close, state, deliver → outcome.

The runtime decides *that* an attempt is to be delivered and records it first; a session alone decides
*whether this moment* is safe, because only it sees every byte a person types.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from kavor.domain.attempts import AttemptState
from kavor.domain.instant import Instant


class WaitingFor(StrEnum):
    """Why an open session takes no delivery just now (decision 19)."""

    STARTING = "starting"
    BUSY = "busy"
    ANSWER = "an answer"
    """An agent has asked something, and works no further until a person has answered."""
    UNFINISHED_INPUT = "unfinished input"
    ALTERNATE_SCREEN = "alternate screen"


@dataclass(frozen=True)
class Program:
    """A program with a screen of its own that stands in a session where else a shell does: an agent's."""

    provider: str
    command: tuple[str, ...]
    """Its absolute path, and its arguments."""
    environment: Mapping[str, str] = field(repr=False)
    """What it starts with, in place of the environment that shells here inherit."""
    files: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By name: what is written for it into the session's private folder."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """What its notices mean: a pattern for their beginning → began, asks, went on, ended or failed. The first
    that fits counts. None at all: the end of its work cannot be observed."""
    ready_mark: str = ""
    """A pattern that its screen has somewhere when a prompt may be given; empty: it is not looked for."""
    quiet_ms: int = 1_000
    """How long its screen must have been still to be taken to wait for a prompt."""
    takes_pastes: bool = True
    """Whether it tells pasted text from typed keys, and switches that on once it is ready."""
    stop_key: str = "\x1b"
    """What a person types to stop its work."""
    clear_key: str = ""
    """What a person types to empty its input; empty: nothing that is known does."""
    turn_limit_ms: int = 7_200_000


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
    program: Program | None = None
    """What is started in place of a shell."""


@dataclass(frozen=True)
class ToolsAccess:
    """Where an agent's session finds Kavor's tools, and the word that lets it in."""

    url: str
    """Of an MCP server on this machine, streamable HTTP."""
    token: str = field(repr=False)
    """This session's alone. Never on a command line, and never in a log."""


@dataclass(frozen=True)
class AgentSpec:
    """How the session of a CodingAgent is to be started. ``id`` is the id of its Node."""

    id: str
    directory: str
    provider: str
    """The name of a provider, see `kavor.sessions.agent.providers`."""
    command: tuple[str, ...] = ()
    """Of the provider "custom": the program and its arguments; of a way in: empty."""
    model: str | None = None
    """The provider's own name of a model; None leaves it to the provider's configuration."""
    environment: Mapping[str, str] = field(default_factory=dict)
    conversation: str | None = None
    """The provider's own id of a conversation to take up again."""
    turn_limit_ms: int = 7_200_000
    """How long one turn may take; what takes longer is stopped."""
    tools: ToolsAccess | None = None


@dataclass(frozen=True)
class Option:
    """One answer that may be given to a question."""

    id: str
    label: str
    kind: Literal["allow_once", "allow_always", "reject_once", "reject_always"]


@dataclass(frozen=True)
class Question:
    """What an agent asks a person before it works on."""

    id: str
    key: str | None
    """Of the delivery it works on; None where it asks on its own account."""
    text: str
    options: tuple[Option, ...] = ()


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
    """What its spec gave it when it was started."""
    conversation: str | None = None
    """Of an agent: the provider's own id of the conversation, with which it can be taken up again."""
    question: Question | None = None
    """Of an agent: what it waits for a person to answer."""
    provider: str | None = None
    """Of an agent: the name of its provider."""
    running: str | None = None
    """Of a shell: what runs in it, by an id that nothing else has; of a delivery, its key."""
    own_screen: bool = False
    """Of an agent: whether a person sees its own screen and types there, as in a Terminal."""

    @property
    def ready(self) -> bool:
        return self.open and self.waiting_for is None


MOST_TOOL_CALLS = 200
"""Of one turn that are kept, the first and the last of them."""


@dataclass(frozen=True)
class ToolCall:
    """One tool that an agent called, as it tells; or what it did through one of Kavor's, as Kavor saw it."""

    title: str
    kind: str
    """As its protocol sorts them: read, edit, execute, fetch…"""
    status: str
    """pending, in_progress, completed or failed; as Kavor saw it also interrupted, fired or refused."""
    detail: str = ""
    """As Kavor saw it: the exit code of a command, or why it was refused."""


@dataclass(frozen=True)
class Evidence:
    """What was seen of a delivered command or prompt."""

    output: str = ""
    """The end of a command's output, control sequences kept, or an agent's last message; at most 64 KB."""
    truncated: bool = False
    duration_ms: int | None = None
    """From the shell's own start mark to its end mark, or of the agent's turn; on the monotonic clock."""
    tool_calls: tuple[ToolCall, ...] = ()
    """What an agent called, oldest first, and then what Kavor saw of it; at most MOST_TOOL_CALLS of each."""


@dataclass(frozen=True)
class Entry:
    """One thing in an agent's transcript. A change gives it the next version, and keeps its number."""

    number: int
    """From 1, in the order in which entries began."""
    version: int
    """From 1, in the order in which entries changed; no two are alike in one session."""
    kind: Literal["prompt", "text", "thought", "tool", "plan", "question", "notice"]
    text: str
    data: Mapping[str, Any]
    """By kind – tool: id, kind, status, and its input and output where told, or a detail where Kavor saw it;
    plan: entries; question: id, options, answer."""
    at: Instant
    """When it began."""
    key: str | None = None
    """Of the delivery it belongs to."""


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

    def attention_needed(self, key: str, question: Question) -> None:
        """The target works on this delivery no further until a person has answered; its Outcome follows."""
        ...

    def attention_settled(self, key: str) -> None:
        """It has its answer, and works on."""
        ...

    def transcript_changed(self, session_id: str) -> None:
        """There are new entries; told at most some ten times a second for each session."""
        ...

    def sessions_lost(self, session_ids: Collection[str]) -> None:
        """The holder of these sessions died, and they are gone with it."""
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

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
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


class ScreenSessions(Sessions, Protocol):
    """Sessions with a screen: of shells, and of programs that stand in a shell's place."""

    async def cancel(self, session_id: str) -> None:
        """Stop the turn of a program; its Outcome follows. Nothing happens where none is under way."""
        ...

    async def interrupt(self, session_id: str, running: str) -> bool:
        """Ctrl-C for what runs in a shell under this id, and for nothing else: False, and nothing happens,
        where that has ended."""
        ...


class AgentSessions(Sessions, Protocol):
    """Sessions of CodingAgents: they ask, they can be stopped, and they have a transcript."""

    def holds(self, session_id: str) -> bool:
        """Whether this is, or was, the session of an agent."""
        ...

    async def answer(self, session_id: str, question_id: str, option_id: str | None) -> None:
        """A person's answer; None leaves the question without one, and the agent does not do it.

        Raises NotFound for a question that is not open, BadInput for an option that it does not have.
        """
        ...

    async def cancel(self, session_id: str) -> None:
        """Stop the turn under way; its Outcome follows. Nothing happens where none is."""
        ...

    async def interrupt(self, session_id: str, running: str) -> bool:
        """As :meth:`ScreenSessions.interrupt`."""
        ...

    def tools_listed(self, session_id: str) -> None:
        """This session's agent has asked which tools Kavor has for it. Some begin their first turn without
        them else, so that the first delivery waits for this."""
        ...

    def note_call(self, session_id: str, key: str | None, call: ToolCall) -> int:
        """Put what an agent did through one of Kavor's tools into its transcript; the entry's number."""
        ...

    def change_call(self, session_id: str, entry: int, call: ToolCall) -> None:
        """It has gone on since."""
        ...

    def transcript(self, session_id: str, after_version: int = 0) -> tuple[Sequence[Entry], int]:
        """The entries that are newer than this version, by number, and the latest version. It is kept in
        memory, as long as the runtime runs."""
        ...

"""What the model holds: the API's documents as values. Instants are milliseconds since the epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kavor.domain.graph import NodeKind, parse_kind
from kavor.domain.instant import Instant, parse_instant

Document = Mapping[str, Any]


def _instant(text: str | None) -> Instant | None:
    return None if text is None else parse_instant(text)


@dataclass(frozen=True)
class Workspace:
    id: str
    name: str
    directory: str

    @classmethod
    def read(cls, document: Document) -> Workspace:
        return cls(document["id"], document["name"], document["directory"])


@dataclass(frozen=True)
class Note:
    """What a Sticky Note says: Markdown, on paper of one of four colours."""

    text: str
    colour: str


@dataclass(frozen=True)
class TextFile:
    """What stands at the path of a File or a Specification."""

    path: str
    exists: bool | None
    """None where it cannot be read just now."""
    size: int | None
    modified_at: Instant | None


@dataclass(frozen=True)
class Agent:
    """How a CodingAgent is set up."""

    provider: str
    command: tuple[str, ...]
    model: str | None
    keep_open: bool
    allow_editing: bool
    turn_limit_s: float


@dataclass(frozen=True)
class Node:
    """``x`` and ``y`` are the top left corner of its card, in the canvas's own units (pixels at 100 %)."""

    id: str
    workspace: str
    kind: NodeKind
    name: str
    x: float
    y: float
    revision: int
    shell: str | None = None
    directory: str | None = None
    note: Note | None = None
    file: TextFile | None = None
    state: str = ""
    """Of a Specification."""
    agent: Agent | None = None

    @classmethod
    def read(cls, document: Document) -> Node:
        return cls(
            id=document["id"],
            workspace=document["workspace"],
            kind=parse_kind(document["kind"]),
            name=document["name"],
            x=document["x"],
            y=document["y"],
            revision=document["revision"],
            shell=document.get("shell"),
            directory=document.get("directory"),
            note=Note(document["text"], document["colour"]) if "colour" in document else None,
            file=_file(document) if "file" in document else None,
            state=document.get("state", ""),
            agent=_agent(document) if "provider" in document else None,
        )

    def at(self, x: float, y: float) -> Node:
        return replace(self, x=x, y=y)


def _file(document: Document) -> TextFile:
    found = document["file"]
    return TextFile(document["path"], found["exists"], found["size"], _instant(found["modified_at"]))


def _agent(document: Document) -> Agent:
    return Agent(
        provider=document["provider"],
        command=tuple(document["command"]),
        model=document["model"],
        keep_open=document["keep_open"],
        allow_editing=document["allow_editing"],
        turn_limit_s=document["turn_limit_s"],
    )


@dataclass(frozen=True)
class Connection:
    """Undirected: A–B is B–A."""

    id: int
    a: str
    b: str
    env: str | None
    """The environment variable that it carries into a Terminal."""
    guardrail: str | None

    @classmethod
    def read(cls, document: Document) -> Connection:
        return cls(document["id"], document["a"], document["b"], document["env"], document["guardrail"])

    def other(self, node_id: str) -> str:
        return self.b if node_id == self.a else self.a


@dataclass(frozen=True)
class Attempt:
    id: int
    schedule: str
    target: str | None
    target_name: str | None
    trigger: str
    state: str
    nominal_at: Instant | None
    created_at: Instant
    delivered_at: Instant | None
    finished_at: Instant | None
    lateness_ms: int | None
    duration_ms: int | None
    exit_code: int | None
    missed_count: int | None
    holder: int | None
    """On Coalesced: the attempt in the slot."""
    dismissed: bool
    waiting_for: str | None
    diagnostic: str
    actions: tuple[str, ...]

    @classmethod
    def read(cls, document: Document) -> Attempt:
        return cls(
            id=document["id"],
            schedule=document["schedule"],
            target=document["target"],
            target_name=document["target_name"],
            trigger=document["trigger"],
            state=document["state"],
            nominal_at=_instant(document["nominal_at"]),
            created_at=parse_instant(document["created_at"]),
            delivered_at=_instant(document["delivered_at"]),
            finished_at=_instant(document["finished_at"]),
            lateness_ms=document["lateness_ms"],
            duration_ms=document["duration_ms"],
            exit_code=document["exit_code"],
            missed_count=document["missed_count"],
            holder=document["holder"],
            dismissed=document["dismissed"],
            waiting_for=document["waiting_for"],
            diagnostic=document["diagnostic"],
            actions=tuple(document["actions"]),
        )


@dataclass(frozen=True)
class Schedule:
    id: str
    workspace: str
    state: str
    pause_reason: str | None
    recurrence: Document
    description: str
    zone: str
    next_due: Instant | None
    payload: str
    target: str | None
    overlap: str
    catchup: str
    misfire_grace_s: float
    pending_limit_s: float | None
    revision: int
    actions: tuple[str, ...]
    last_attempt: Attempt | None

    @classmethod
    def read(cls, document: Document) -> Schedule:
        target, last = document["target"], document["last_attempt"]
        return cls(
            id=document["id"],
            workspace=document["workspace"],
            state=document["state"],
            pause_reason=document["pause_reason"],
            recurrence=document["recurrence"],
            description=document["description"],
            zone=document["zone"],
            next_due=_instant(document["next_due"]),
            payload=document["payload"],
            target=None if target is None else target["id"],
            overlap=document["overlap"],
            catchup=document["catchup"],
            misfire_grace_s=document["misfire_grace_s"],
            pending_limit_s=document["pending_limit_s"],
            revision=document["revision"],
            actions=tuple(document["actions"]),
            last_attempt=None if last is None else Attempt.read(last),
        )

    def after(self, attempt: Attempt) -> Schedule:
        """With this as its latest attempt, unless a later one is known."""
        if self.last_attempt is not None and self.last_attempt.id > attempt.id:
            return self
        return replace(self, last_attempt=attempt)


@dataclass(frozen=True)
class Option:
    """One answer that may be given to a question; ``kind`` begins with allow or reject."""

    id: str
    label: str
    kind: str


@dataclass(frozen=True)
class Question:
    """What an agent asks a person before it works on."""

    id: str
    text: str
    options: tuple[Option, ...]

    @classmethod
    def read(cls, document: Document) -> Question:
        options = tuple(Option(each["id"], each["label"], each["kind"]) for each in document["options"])
        return cls(document["id"], document["text"], options)


@dataclass(frozen=True)
class Session:
    """``state`` is open, closed (on purpose) or ended."""

    node: str
    state: str
    waiting_for: str | None
    started_at: Instant | None
    exit_code: int | None
    diagnostic: str
    question: Question | None = None
    """Of an agent."""
    own_screen: bool = False
    """Of an agent that is looked at and typed to as a Terminal is."""

    @classmethod
    def read(cls, document: Document) -> Session:
        return cls(
            node=document["node"],
            state=document["state"],
            waiting_for=document["waiting_for"],
            started_at=_instant(document["started_at"]),
            exit_code=document["exit_code"],
            diagnostic=document["diagnostic"],
            question=None if document.get("question") is None else Question.read(document["question"]),
            own_screen=document.get("own_screen", False),
        )

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
        )

    def at(self, x: float, y: float) -> Node:
        return replace(self, x=x, y=y)


@dataclass(frozen=True)
class Connection:
    """Undirected: A–B is B–A."""

    id: int
    a: str
    b: str
    env: str | None

    @classmethod
    def read(cls, document: Document) -> Connection:
        return cls(document["id"], document["a"], document["b"], document["env"])

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
class Session:
    """``state`` is open, closed (on purpose) or ended."""

    node: str
    state: str
    waiting_for: str | None
    started_at: Instant | None
    exit_code: int | None
    diagnostic: str

    @classmethod
    def read(cls, document: Document) -> Session:
        return cls(
            node=document["node"],
            state=document["state"],
            waiting_for=document["waiting_for"],
            started_at=_instant(document["started_at"]),
            exit_code=document["exit_code"],
            diagnostic=document["diagnostic"],
        )

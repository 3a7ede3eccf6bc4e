"""What the runtime and the PTY host say to each other over the host's socket.

A message is one line of JSON; where it has ``"bytes": n``, n raw bytes follow it. The client asks with
``{"id", "ask", …}`` and gets ``{"id", "answer"}`` or ``{"id", "error"}``; the host also tells, unasked,
``{"tell": "state" | "outcome", …}``. The first question is ``hello`` with the version.
"""

from __future__ import annotations

import json
from asyncio import StreamReader
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kavor.domain import errors
from kavor.domain.attempts import AttemptState
from kavor.domain.errors import KavorError
from kavor.domain.instant import Instant
from kavor.sessions.session import (
    Evidence,
    HandOver,
    Option,
    Outcome,
    Program,
    Question,
    SessionSpec,
    SessionState,
    WaitingFor,
)

VERSION = 3

LONGEST_MESSAGE = 8 * 1024 * 1024
"""In bytes, for the line and for what follows it."""

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Message:
    """One message, with the raw bytes that came with it."""

    content: Json
    attached: bytes = b""


def encode(content: Json, attached: bytes = b"") -> bytes:
    if attached:
        content = {**content, "bytes": len(attached)}
    return json.dumps(content, separators=(",", ":")).encode() + b"\n" + attached


async def read_message(reader: StreamReader) -> Message | None:
    """The next message, or None when the other side has closed. Raises ValueError for what is none."""
    line = await reader.readline()
    if not line.endswith(b"\n"):
        return None
    content, attached = decode_head(line)
    return Message(content, await reader.readexactly(attached) if attached else b"")


def decode_head(line: bytes | bytearray) -> tuple[Json, int]:
    """A message without what follows it, and how many bytes that is. Raises ValueError for what is none."""
    content = json.loads(line)
    if not isinstance(content, dict):
        raise ValueError("a message is a JSON object")
    attached = int(content.get("bytes", 0))
    if not 0 <= attached <= LONGEST_MESSAGE:
        raise ValueError(f"{attached} bytes cannot come with a message")
    return content, attached


def spec_to_json(spec: SessionSpec) -> Json:
    return {**asdict(spec), "environment": dict(spec.environment)}


def spec_from_json(data: Json) -> SessionSpec:
    program = data["program"]
    if program is not None:
        program = Program(**{**program, "command": tuple(program["command"])})
    return SessionSpec(**{**data, "program": program})


def state_to_json(state: SessionState) -> Json:
    return asdict(state)


def state_from_json(data: Json) -> SessionState:
    question = data["question"]
    if question is not None:
        options = tuple(Option(**option) for option in question["options"])
        question = Question(**{**question, "options": options})
    return SessionState(**{**data, "waiting_for": _waiting_for(data["waiting_for"]), "question": question})


def hand_over_to_json(answer: HandOver) -> Json:
    return asdict(answer)


def hand_over_from_json(data: Json) -> HandOver:
    return HandOver(**{**data, "waiting_for": _waiting_for(data["waiting_for"])})


def outcome_to_json(outcome: Outcome) -> Json:
    return asdict(outcome)


def outcome_from_json(data: Json) -> Outcome:
    return Outcome(
        **{
            **data,
            "state": AttemptState(data["state"]),
            "evidence": Evidence(**{**data["evidence"], "tool_calls": ()}),
            "delivered_at": _instant(data["delivered_at"]),
            "finished_at": _instant(data["finished_at"]),
        }
    )


def error_to_json(error: KavorError) -> Json:
    return {"class": type(error).__name__, "message": error.message, "hint": error.hint}


def error_from_json(data: Json) -> KavorError:
    known = getattr(errors, data["class"], KavorError)
    return (
        known(data["message"], data["hint"]) if issubclass(known, KavorError) else KavorError(data["message"])
    )


def _waiting_for(value: str | None) -> WaitingFor | None:
    return None if value is None else WaitingFor(value)


def _instant(value: int | None) -> Instant | None:
    return None if value is None else Instant(value)

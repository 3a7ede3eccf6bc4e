"""How messages to agents, their turns and their transcripts are shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from kavor.domain.instant import Instant, format_instant
from kavor.domain.messages import MessageState
from kavor.runtime.transcripts import EntryView, entry_view, not_kept
from kavor.runtime.turn import Work, WorkKind
from kavor.sessions.session import Entry
from kavor.store.conversations import MessageRow, TurnRow


class SenderView(TypedDict):
    kind: str
    """person or agent."""
    id: str | None
    """Of an agent: its Node."""
    name: str


class MessageView(TypedDict):
    id: int
    agent: str
    """The Node it is for."""
    sender: SenderView
    text: str
    hops: int
    """How many messages between agents, this one among them, lie between it and a person or a Schedule."""
    created_at: str
    delivered_at: str | None
    finished_at: str | None
    state: str
    waiting_for: str | None
    """While it is queued."""
    diagnostic: str
    actions: list[str]


class TurnView(TypedDict):
    id: int
    agent: str
    attempt: int | None
    message: int | None
    prompt: str
    started_at: str
    finished_at: str
    state: str
    """As an attempt's: Completed, Fired, Failed or Interrupted."""
    diagnostic: str
    last_message: str
    entries: NotRequired[list[EntryView]]
    """Where one turn is asked for."""


class LiveEntryView(EntryView):
    attempt: int | None
    message: int | None
    """What it belongs to; neither is known of what was said before this runtime started."""


class TranscriptView(TypedDict):
    node: str
    version: int
    """Ask with ?after= this for what comes later."""
    entries: list[LiveEntryView]


def message_view(row: MessageRow, waits_for: str | None) -> MessageView:
    """``waits_for`` is shown of one that waits; it may be None of another."""
    is_queued = row.state is MessageState.QUEUED
    return {
        "id": row.id,
        "agent": row.agent_id,
        "sender": {"kind": row.sender_kind, "id": row.sender_id, "name": row.sender_name},
        "text": row.text,
        "hops": row.hops,
        "created_at": format_instant(row.created_at),
        "delivered_at": _instant(row.delivered_at),
        "finished_at": _instant(row.finished_at),
        "state": row.state,
        "waiting_for": waits_for if is_queued else None,
        "diagnostic": row.diagnostic,
        "actions": ["Withdraw"] if is_queued else [],
    }


def turn_view(row: TurnRow) -> TurnView:
    """Without its entries."""
    return {
        "id": row.id,
        "agent": row.agent_id,
        "attempt": row.attempt_id,
        "message": row.message_id,
        "prompt": row.prompt,
        "started_at": format_instant(row.started_at),
        "finished_at": format_instant(row.finished_at),
        "state": row.state,
        "diagnostic": row.diagnostic,
        "last_message": row.last_message,
    }


def whole_turn_view(row: TurnRow) -> TurnView:
    entries = json.loads(row.entries) if row.size else [not_kept(row.finished_at)]
    return {**turn_view(row), "entries": entries}


def transcript_view(
    node_id: str, version: int, entries: Sequence[tuple[Entry, Work | None]]
) -> TranscriptView:
    return {"node": node_id, "version": version, "entries": [_live_entry(*pair) for pair in entries]}


def _live_entry(entry: Entry, work: Work | None) -> LiveEntryView:
    return {
        **entry_view(entry),
        "attempt": work.id if work is not None and work.kind is WorkKind.ATTEMPT else None,
        "message": work.id if work is not None and work.kind is WorkKind.MESSAGE else None,
    }


def _instant(at: Instant | None) -> str | None:
    return None if at is None else format_instant(at)

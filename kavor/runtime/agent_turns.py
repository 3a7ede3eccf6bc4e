"""The turns of agents on record: for each prompt that was delivered, what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.engine import Connection

from kavor.domain.instant import Instant
from kavor.runtime.events import Change
from kavor.runtime.transcripts import entries_as_kept
from kavor.runtime.turn import Turn, Work, WorkKind
from kavor.sessions.session import Entry, Outcome
from kavor.store import conversations
from kavor.store.conversations import AgentTurn


def record_turn(
    tx: Connection,
    turn: Turn,
    *,
    agent_id: str,
    work: Work,
    prompt: str,
    outcome: Outcome,
    entries: Sequence[Entry],
    started_at: Instant,
    finished_at: Instant,
) -> None:
    """Keep a turn of an agent that has ended."""
    kept = AgentTurn(
        agent_id=agent_id,
        attempt_id=work.id if work.kind is WorkKind.ATTEMPT else None,
        message_id=work.id if work.kind is WorkKind.MESSAGE else None,
        prompt=prompt,
        state=outcome.state.value,
        diagnostic=outcome.diagnostic,
        started_at=started_at,
        finished_at=finished_at,
        last_message=outcome.evidence.output,
        entries=entries_as_kept(entries),
    )
    number = conversations.keep_turn(tx, kept)
    turn.changes.append(Change("turn", str(number), "created"))

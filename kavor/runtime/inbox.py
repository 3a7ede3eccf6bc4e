"""The inboxes of agents: messages wait in the order in which they were accepted, and are delivered once.

When a message's turn comes is the arbiter's decision, since attempts stand in the same line.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.engine import Connection

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import Refused
from kavor.domain.messages import (
    AT_WORK,
    MOST_QUEUED,
    MessageState,
    as_delivered,
    ended_as,
)
from kavor.runtime.agent_turns import record_turn
from kavor.runtime.clock import Clock
from kavor.runtime.events import Change
from kavor.runtime.turn import MessageDelivery, Turn, Work
from kavor.sessions.session import Entry, HandOver, Outcome
from kavor.store import conversations, ledger
from kavor.store.conversations import MessageRow, NewMessage

S = MessageState


class Inbox:
    """Belongs to the store's thread. Every change is made in the caller's transaction."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def accept(self, tx: Connection, agent_id: str, agent_name: str, message: NewMessage, turn: Turn) -> int:
        """Queue a message behind all that was accepted before. Raises Refused where too many wait."""
        if conversations.count_queued(tx, agent_id) >= MOST_QUEUED:
            raise Refused(
                f"{MOST_QUEUED:,} messages already wait for {agent_name!r}",
                f"wait until it has read some, or withdraw some: kavor message list {agent_id}",
            )
        message_id = conversations.add_message(
            tx,
            agent_id,
            message,
            created_at=self._clock.now(),
            after_attempt=ledger.next_id(tx) - 1,
        )
        turn.changes.append(Change("message", str(message_id), "created"))
        return message_id

    def withdraw(self, tx: Connection, row: MessageRow, turn: Turn, reason: str = "withdrawn") -> None:
        """Take a message back that waits. Raises Refused."""
        if row.state is not S.QUEUED:
            raise Refused(f"message {row.id} is {row.state}", "only a message that waits can be withdrawn")
        conversations.move_message(tx, row.id, S.BLOCKED, diagnostic=reason, finished_at=self._clock.now())
        turn.message_changed(row.id)

    def end_waiting(self, tx: Connection, agent_id: str, reason: str, turn: Turn) -> None:
        """End what waits before an agent that is no more."""
        for row in conversations.queued(tx, agent_id):
            self.withdraw(tx, row, turn, reason)

    def deliver(self, tx: Connection, row: MessageRow, turn: Turn) -> None:
        conversations.move_message(tx, row.id, S.DELIVERING, delivered_at=self._clock.now())
        prompt = as_delivered(row.text, row.sender_kind, row.sender_name)
        turn.deliveries.append(MessageDelivery(row.id, row.agent_id, prompt))
        turn.message_changed(row.id)

    # --- What is observed of a message's delivery

    def handed_over(self, tx: Connection, message_id: int, answer: HandOver, turn: Turn) -> None:
        row = conversations.message(tx, message_id)
        if row is None or row.state not in AT_WORK:
            return
        if answer.accepted:
            conversations.note_message(tx, row.id, delivered_at=answer.delivered_at or row.delivered_at)
        elif row.state is S.DELIVERING:
            # Nothing was written. It is still the oldest, and goes first when the agent takes one.
            conversations.move_message(tx, row.id, S.QUEUED, delivered_at=None)
        turn.message_changed(row.id)

    def asked(self, tx: Connection, message_id: int, question: str, turn: Turn) -> None:
        row = conversations.message(tx, message_id)
        if row is None or row.state not in AT_WORK:
            return
        if row.state is not S.NEEDS_ATTENTION:
            conversations.move_message(tx, row.id, S.NEEDS_ATTENTION)
        conversations.note_message(tx, row.id, diagnostic=question)
        turn.message_changed(row.id)
        turn.needs_attention(Work.message(row.id))

    def answered(self, tx: Connection, message_id: int, turn: Turn) -> None:
        row = conversations.message(tx, message_id)
        if row is not None and row.state is S.NEEDS_ATTENTION:
            conversations.move_message(tx, row.id, S.DELIVERING, diagnostic="")
            turn.message_changed(row.id)

    def ended(
        self, tx: Connection, message_id: int, outcome: Outcome, entries: Sequence[Entry], turn: Turn
    ) -> str | None:
        """Answers which agent is free now; None where all that is on record already."""
        row = conversations.message(tx, message_id)
        if row is None or row.state not in AT_WORK:
            return None
        started = outcome.delivered_at or row.delivered_at or row.created_at
        finished = outcome.finished_at or self._clock.now()
        conversations.move_message(
            tx,
            row.id,
            ended_as(outcome.state),
            diagnostic=outcome.diagnostic,
            delivered_at=started,
            finished_at=finished,
        )
        turn.message_changed(row.id)
        record_turn(
            tx,
            turn,
            agent_id=row.agent_id,
            work=Work.message(row.id),
            prompt=as_delivered(row.text, row.sender_kind, row.sender_name),
            outcome=outcome,
            entries=entries,
            started_at=started,
            finished_at=finished,
        )
        return row.agent_id

    def interrupt(self, tx: Connection, row: MessageRow, reason: str, turn: Turn) -> None:
        """End what an agent worked on, and whose end nobody observed (decision 15)."""
        self.ended(tx, row.id, Outcome("", AttemptState.INTERRUPTED, diagnostic=reason), (), turn)

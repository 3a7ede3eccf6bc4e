"""What is said to agents, and their turns: messages in the order in which they were accepted, and for each
finished prompt what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from kavor.domain.instant import Instant
from kavor.domain.messages import AT_WORK, MessageState, SenderKind, check_transition
from kavor.store.driver import execute, select, select_value
from kavor.store.tables import messages, turns


@dataclass(frozen=True)
class Sender:
    """Who says something: a person, or the agent with this Node."""

    kind: SenderKind
    id: str | None = None
    name: str = ""


@dataclass(frozen=True)
class NewMessage:
    """What is said to an agent, and by whom."""

    sender: Sender
    text: str
    hops: int = 0
    """How many messages between agents, this one among them, lie between it and a person or a Schedule."""
    idempotency_key: str | None = None
    """Sent again under the same one, it is not another message."""


@dataclass(frozen=True)
class MessageRow:
    id: int
    agent_id: str
    sender_kind: SenderKind
    sender_id: str | None
    sender_name: str
    text: str
    created_at: Instant
    after_attempt: int
    """The newest attempt there was when it was accepted: those up to it go before it."""
    state: MessageState
    diagnostic: str
    delivered_at: Instant | None
    finished_at: Instant | None
    idempotency_key: str | None
    hops: int


@dataclass(frozen=True)
class AgentTurn:
    """One prompt to an agent, of an attempt or of a message, and what came of it."""

    agent_id: str
    attempt_id: int | None
    message_id: int | None
    prompt: str
    state: str
    """One of the final states of an attempt."""
    diagnostic: str
    started_at: Instant
    finished_at: Instant
    last_message: str
    entries: str
    """The transcript's entries, a JSON list."""


@dataclass(frozen=True)
class TurnRow(AgentTurn):
    id: int
    size: int
    """Bytes of its entries; 0 where they are not kept any more."""


# --- Messages


def add_message(
    tx: Connection, agent_id: str, new: NewMessage, *, created_at: Instant, after_attempt: int
) -> int:
    """Queue a message; answers its id."""
    made = tx.execute(
        messages.insert().values(
            agent_id=agent_id,
            sender_kind=new.sender.kind,
            sender_id=new.sender.id,
            sender_name=new.sender.name,
            text=new.text,
            hops=new.hops,
            idempotency_key=new.idempotency_key,
            created_at=created_at,
            after_attempt=after_attempt,
            state=MessageState.QUEUED,
        )
    )
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])


def message(tx: Connection, message_id: int) -> MessageRow | None:
    row = tx.execute(sa.select(messages).where(messages.c.id == message_id)).first()
    return _message(row._asdict()) if row else None


def message_sent_under(tx: Connection, idempotency_key: str) -> MessageRow | None:
    row = tx.execute(sa.select(messages).where(messages.c.idempotency_key == idempotency_key)).first()
    return _message(row._asdict()) if row else None


def hops_behind(tx: Connection, agent_id: str) -> int:
    """How many hops lie behind the turn that an agent is in; where it is in none, behind its last one, since
    what a program does between its turns follows from that."""
    at_work = message_at_work(tx, agent_id)
    if at_work is None and not select_value(
        tx,
        "SELECT count(*) FROM attempts WHERE target_id = ? AND state IN ('Delivering', 'Needs attention')",
        (agent_id,),
    ):
        at_work = select_value(
            tx, "SELECT message_id FROM turns WHERE agent_id = ? ORDER BY id DESC LIMIT 1", (agent_id,)
        )
    return select_value(tx, "SELECT hops FROM messages WHERE id = ?", (at_work,)) or 0


def list_messages(tx: Connection, agent_id: str, *, before: int | None, limit: int) -> list[MessageRow]:
    """Newest first; with ``before`` only those with a lower id."""
    query = sa.select(messages).where(messages.c.agent_id == agent_id)
    if before is not None:
        query = query.where(messages.c.id < before)
    rows = tx.execute(query.order_by(messages.c.id.desc()).limit(limit))
    return [_message(row._asdict()) for row in rows]


def messages_of(
    tx: Connection, agent_id: str, *, recipients: Iterable[str], peer: str | None, before: int, limit: int
) -> list[MessageRow]:
    """Newest first: what was said to this agent, and what it said to these ``recipients``; with a ``peer``
    only what passed between the two."""
    to_it = messages.c.agent_id == agent_id
    from_it = (messages.c.sender_id == agent_id) & messages.c.agent_id.in_(list(recipients))
    if peer is not None:
        to_it &= messages.c.sender_id == peer
        from_it &= messages.c.agent_id == peer
    query = sa.select(messages).where(to_it | from_it, messages.c.id < before)
    rows = tx.execute(query.order_by(messages.c.id.desc()).limit(limit))
    return [_message(row._asdict()) for row in rows]


def queued(tx: Connection, agent_id: str) -> list[MessageRow]:
    """What waits before an agent, oldest first."""
    query = sa.select(messages).where(
        messages.c.agent_id == agent_id, messages.c.state == sa.literal_column("'queued'")
    )
    return [_message(row._asdict()) for row in tx.execute(query.order_by(messages.c.id))]


def first_queued(tx: Connection, agent_id: str) -> MessageRow | None:
    """The message that was accepted first of those that wait before an agent."""
    found = select_value(
        tx, "SELECT min(id) FROM messages WHERE agent_id = ? AND state = 'queued'", (agent_id,)
    )
    return None if found is None else message(tx, found)


def count_queued(tx: Connection, agent_id: str) -> int:
    found = select_value(
        tx, "SELECT count(*) FROM messages WHERE agent_id = ? AND state = 'queued'", (agent_id,)
    )
    return int(found)


def message_at_work(tx: Connection, agent_id: str) -> int | None:
    """The message that an agent works on."""
    found: int | None = select_value(
        tx,
        "SELECT id FROM messages WHERE agent_id = ? AND state IN ('delivering', 'needs attention')",
        (agent_id,),
    )
    return found


def messages_at_work(tx: Connection) -> list[MessageRow]:
    """Those that some agent works on."""
    query = sa.select(messages).where(messages.c.state.in_([str(state) for state in AT_WORK]))
    return [_message(row._asdict()) for row in tx.execute(query)]


def move_message(tx: Connection, message_id: int, state: MessageState, **values: Any) -> None:
    """Take a message to ``state``, checked against the ways there are."""
    old = MessageState(select_value(tx, "SELECT state FROM messages WHERE id = ?", (message_id,)))
    check_transition(old, state)
    note_message(tx, message_id, state=state.value, **values)


def note_message(tx: Connection, message_id: int, **values: Any) -> None:
    """Write something about a message without taking it to another state."""
    columns = ", ".join(f"{name} = ?" for name in values)
    execute(
        tx,
        f"UPDATE messages SET {columns} WHERE id = ?",  # noqa: S608 - names of columns, never data
        (*values.values(), message_id),
    )


def _message(values: dict[str, Any]) -> MessageRow:
    return MessageRow(
        **{
            **values,
            "sender_kind": SenderKind(values["sender_kind"]),
            "state": MessageState(values["state"]),
        }
    )


# --- Turns


def keep_turn(tx: Connection, turn: AgentTurn) -> int:
    """Record a finished turn; answers its id."""
    kept = {field.name: getattr(turn, field.name) for field in fields(AgentTurn)}
    made = tx.execute(turns.insert().values(**kept, size=len(turn.entries.encode())))
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])


def turn(tx: Connection, turn_id: int) -> TurnRow | None:
    """With its entries."""
    row = tx.execute(sa.select(turns).where(turns.c.id == turn_id)).first()
    return TurnRow(**row._asdict()) if row else None


def list_turns(tx: Connection, agent_id: str, *, before: int | None, limit: int) -> list[TurnRow]:
    """Newest first and without their entries; with ``before`` only those with a lower id."""
    told = [column for column in turns.c if column.name != "entries"]
    query = sa.select(*told).where(turns.c.agent_id == agent_id)
    if before is not None:
        query = query.where(turns.c.id < before)
    rows = tx.execute(query.order_by(turns.c.id.desc()).limit(limit))
    return [TurnRow(**row._asdict(), entries="[]") for row in rows]


def agents_with_turns(tx: Connection) -> list[str]:
    """Those of whose turns some transcript is kept, be they Nodes still or not."""
    return [agent_id for (agent_id,) in select(tx, "SELECT DISTINCT agent_id FROM turns WHERE size > 0")]


def turns_past_keeping(
    tx: Connection, agent_id: str, *, most: int, most_bytes: int
) -> list[tuple[int, int | None]]:
    """Of an agent's turns with a transcript all but the newest ``most``, and all but those whose transcripts
    have ``most_bytes`` together; the newest one stays in any case. Oldest first: (id, attempt)."""
    return select(
        tx,
        """
        SELECT id, attempt_id FROM (
            SELECT id, attempt_id, row_number() OVER newest AS place, sum(size) OVER newest AS bytes
            FROM turns WHERE agent_id = ? AND size > 0 WINDOW newest AS (ORDER BY id DESC)
        ) WHERE place > 1 AND (place > ? OR bytes > ?) ORDER BY id
        """,
        (agent_id, most, most_bytes),
    )


def drop_entries(tx: Connection, turn_id: int) -> None:
    """All of a turn but its transcript stays."""
    execute(tx, "UPDATE turns SET entries = '[]', size = 0 WHERE id = ?", (turn_id,))


def drop_turn(tx: Connection, turn_id: int) -> None:
    execute(tx, "DELETE FROM turns WHERE id = ?", (turn_id,))

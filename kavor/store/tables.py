"""The schema. Instants are integer milliseconds since the epoch, in UTC; wall times live as text
beside their zone. What the contract promises about attempts is held here by unique indexes, so that no
code path can break it: one attempt per nominal instant, one line of work and one slot per target.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

APPLICATION_ID = 0x4B41564F
"""SQLite's ``application_id`` of a Kavor database: "KAVO"."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

facts = Table(
    "facts",
    metadata,
    # Single values about the database itself: its identity, the tzdata version it was planned with.
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("directory", String, nullable=False),
    Column("revision", Integer, nullable=False, server_default=text("1")),
    Column("created_at", Integer, nullable=False),
)

nodes = Table(
    "nodes",
    metadata,
    Column("id", String, primary_key=True),
    Column(
        "workspace_id", String, ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("x", Float, nullable=False, server_default=text("0")),
    Column("y", Float, nullable=False, server_default=text("0")),
    Column("revision", Integer, nullable=False, server_default=text("1")),
    Column("created_at", Integer, nullable=False),
)

terminals = Table(
    "terminals",
    metadata,
    Column("node_id", String, ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("directory", String, nullable=False),
    Column("shell", String),
    # What the person wants of its session: "open", or "closed" on purpose (K74).
    Column("wanted", String, nullable=False),
    CheckConstraint("wanted IN ('open', 'closed')", name="wanted"),
)

files = Table(
    "files",
    metadata,
    Column("node_id", String, ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    # Canonical and absolute.
    Column("path", String, nullable=False),
)

specifications = Table(
    "specifications",
    metadata,
    Column("node_id", String, ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("path", String, nullable=False),
    Column("state", String, nullable=False, server_default=text("'Draft'")),
)

sticky_notes = Table(
    "sticky_notes",
    metadata,
    Column("node_id", String, ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("colour", String, nullable=False),
)

coding_agents = Table(
    "coding_agents",
    metadata,
    Column("node_id", String, ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("provider", String, nullable=False),
    # The words of the command, as a JSON array, where the person names it instead of the provider.
    Column("command", Text),
    Column("model", String),
    Column("directory", String, nullable=False),
    # What the person wants of its session: "open", or "closed" on purpose (K74).
    Column("wanted", String, nullable=False),
    Column("keep_open", Integer, nullable=False, server_default=text("1")),
    Column("may_edit", Integer, nullable=False, server_default=text("0")),
    Column("turn_limit_ms", Integer, nullable=False, server_default=text("7200000")),
    # The provider's own id of the conversation, to take it up again.
    Column("conversation", String),
    CheckConstraint("wanted IN ('open', 'closed')", name="wanted"),
)

schedules = Table(
    "schedules",
    metadata,
    Column("node_id", String, ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("state", String, nullable=False),
    Column("pause_reason", String),
    Column("recurrence", Text, nullable=False),
    Column("zone", String, nullable=False),
    Column("payload", Text, nullable=False),
    Column("overlap", String, nullable=False),
    Column("catchup", String, nullable=False),
    Column("misfire_grace_ms", Integer, nullable=False),
    Column("pending_limit_ms", Integer),
    Column("next_due", Integer),
    CheckConstraint("state IN ('Paused', 'Running')", name="state"),
    CheckConstraint("state = 'Running' OR next_due IS NULL", name="paused_is_not_due"),
    Index("ix_schedules_next_due", "next_due", sqlite_where=text("next_due IS NOT NULL")),
)

connections = Table(
    "connections",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("a", String, ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False),
    Column("b", String, ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False, index=True),
    # The endpoint that is a Schedule, if one is: unique, since a Schedule has one target at most (K73).
    Column("schedule_id", String, ForeignKey("nodes.id", ondelete="CASCADE"), unique=True),
    Column("environment_name", String),
    Column("created_at", Integer, nullable=False),
    # What the CodingAgent at one end may not do to the resource at the other (decision 18).
    Column("guardrail", String),
    UniqueConstraint("a", "b"),
    CheckConstraint("a < b", name="undirected"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    # Without foreign keys: what happened stays on record when its Schedule or target is removed.
    Column("schedule_id", String, nullable=False),
    Column("schedule_name", String, nullable=False),
    Column("target_id", String),
    Column("target_name", String),
    Column("trigger", String, nullable=False),
    Column("nominal_at", Integer),
    Column("created_at", Integer, nullable=False),
    Column("delivered_at", Integer),
    Column("finished_at", Integer),
    Column("state", String, nullable=False),
    Column("diagnostic", Text, nullable=False, server_default=text("''")),
    Column("exit_code", Integer),
    Column("missed_count", Integer),
    Column("holder_id", Integer),
    Column("expires_at", Integer),
    Column("dismissed_at", Integer),
    Column("duration_ms", Integer),
    Column("payload", Text, nullable=False),
    Index("ix_attempts_schedule_id", "schedule_id", "id"),
    Index("ix_attempts_target_id", "target_id", "id"),
    Index(
        "uq_attempts_nominal",
        "schedule_id",
        "nominal_at",
        unique=True,
        sqlite_where=text("\"trigger\" = 'scheduled'"),
    ),
    Index("uq_attempts_slot", "target_id", unique=True, sqlite_where=text("state = 'Pending'")),
    Index(
        "uq_attempts_at_work",
        "target_id",
        unique=True,
        sqlite_where=text("state IN ('Delivering', 'Needs attention')"),
    ),
    sqlite_autoincrement=True,
)

evidence = Table(
    "evidence",
    metadata,
    # Apart from the attempts, so that reading a history does not drag every output along.
    Column("attempt_id", Integer, ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True),
    Column("output", LargeBinary, nullable=False),
    Column("truncated", Integer, nullable=False),
    # A JSON list of {title, kind, status}, of an agent.
    Column("tool_calls", Text),
)

messages = Table(
    "messages",
    metadata,
    # Without foreign keys, as the attempts: what was said stays on record.
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("agent_id", String, nullable=False),
    Column("sender_kind", String, nullable=False),
    Column("sender_id", String),
    Column("sender_name", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    # The newest attempt there was when it was accepted: those up to it go before it, by whatever clock.
    Column("after_attempt", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("diagnostic", Text, nullable=False, server_default=text("''")),
    Column("delivered_at", Integer),
    Column("finished_at", Integer),
    # Chosen by who sent it: sent again under the same one, it is not another message.
    Column("idempotency_key", String),
    # How many messages between agents, this one among them, lie between it and a person or a Schedule.
    Column("hops", Integer, nullable=False, server_default=text("0")),
    CheckConstraint("sender_kind IN ('person', 'agent')", name="sender_kind"),
    Index("ix_messages_agent_id", "agent_id", "id"),
    Index("uq_messages_idempotency_key", "idempotency_key", unique=True),
    Index("ix_messages_queued", "agent_id", "id", sqlite_where=text("state = 'queued'")),
    Index(
        "uq_messages_at_work",
        "agent_id",
        unique=True,
        sqlite_where=text("state IN ('delivering', 'needs attention')"),
    ),
    sqlite_autoincrement=True,
)

turns = Table(
    "turns",
    metadata,
    # One prompt to an agent and all that came of it, of an attempt or of a message.
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("agent_id", String, nullable=False),
    Column("attempt_id", Integer),
    Column("message_id", Integer),
    Column("prompt", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("diagnostic", Text, nullable=False, server_default=text("''")),
    Column("started_at", Integer, nullable=False),
    Column("finished_at", Integer),
    Column("last_message", Text, nullable=False, server_default=text("''")),
    # A JSON list of the transcript's entries.
    Column("entries", Text, nullable=False, server_default=text("'[]'")),
    # Bytes of the entries; 0 where they are not kept any more.
    Column("size", Integer, nullable=False, server_default=text("0")),
    Index("ix_turns_agent_id", "agent_id", "id"),
    Index("ix_turns_whole", "agent_id", "id", "attempt_id", "size", sqlite_where=text("size > 0")),
    sqlite_autoincrement=True,
)

"""CodingAgents, what was said to them and by them, Sticky Notes, Guardrails, states of Specifications."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "coding_agents",
        sa.Column("node_id", sa.String, nullable=False),
        sa.Column("provider", sa.String, nullable=False),
        sa.Column("command", sa.Text),
        sa.Column("model", sa.String),
        sa.Column("directory", sa.String, nullable=False),
        sa.Column("wanted", sa.String, nullable=False),
        sa.Column("keep_open", sa.Integer, nullable=False, server_default=sa.text("1")),
        sa.Column("may_edit", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("turn_limit_ms", sa.Integer, nullable=False, server_default=sa.text("7200000")),
        sa.Column("conversation", sa.String),
        sa.PrimaryKeyConstraint("node_id", name="pk_coding_agents"),
        sa.ForeignKeyConstraint(
            ["node_id"], ["nodes.id"], name="fk_coding_agents_node_id", ondelete="CASCADE"
        ),
        sa.CheckConstraint("wanted IN ('open', 'closed')", name="ck_coding_agents_wanted"),
    )
    op.create_table(
        "sticky_notes",
        sa.Column("node_id", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("colour", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("node_id", name="pk_sticky_notes"),
        sa.ForeignKeyConstraint(
            ["node_id"], ["nodes.id"], name="fk_sticky_notes_node_id", ondelete="CASCADE"
        ),
    )
    op.add_column(
        "specifications", sa.Column("state", sa.String, nullable=False, server_default=sa.text("'Draft'"))
    )
    op.add_column("connections", sa.Column("guardrail", sa.String))
    op.add_column("evidence", sa.Column("tool_calls", sa.Text))
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, nullable=False, primary_key=True, autoincrement=True),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("sender_kind", sa.String, nullable=False),
        sa.Column("sender_id", sa.String),
        sa.Column("sender_name", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created_at", sa.Integer, nullable=False),
        sa.Column("after_attempt", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("diagnostic", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("delivered_at", sa.Integer),
        sa.Column("finished_at", sa.Integer),
        sa.CheckConstraint("sender_kind IN ('person', 'agent')", name="ck_messages_sender_kind"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_messages_agent_id", "messages", ["agent_id", "id"])
    op.create_index(
        "ix_messages_queued", "messages", ["agent_id", "id"], sqlite_where=sa.text("state = 'queued'")
    )
    op.create_index(
        "uq_messages_at_work",
        "messages",
        ["agent_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('delivering', 'needs attention')"),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.Integer, nullable=False, primary_key=True, autoincrement=True),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("attempt_id", sa.Integer),
        sa.Column("message_id", sa.Integer),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("diagnostic", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("started_at", sa.Integer, nullable=False),
        sa.Column("finished_at", sa.Integer),
        sa.Column("last_message", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("entries", sa.Text, nullable=False, server_default=sa.text("'[]'")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_turns_agent_id", "turns", ["agent_id", "id"])

"""The first schema: Workspaces, Nodes, Connections, Schedules, attempts and their evidence."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    facts = op.create_table(
        "facts",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("value", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_facts"),
    )
    # Who this ledger is: keys of deliveries carry it, so that another ledger's are never taken for its own.
    op.bulk_insert(facts, [{"name": "ledger-id", "value": secrets.token_hex(8)}])
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("directory", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False, server_default=sa.text("1")),
        sa.Column("created_at", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workspaces"),
        sa.UniqueConstraint("name", name="uq_workspaces_name"),
    )
    op.create_table(
        "nodes",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("x", sa.Float, nullable=False, server_default=sa.text("0")),
        sa.Column("y", sa.Float, nullable=False, server_default=sa.text("0")),
        sa.Column("revision", sa.Integer, nullable=False, server_default=sa.text("1")),
        sa.Column("created_at", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_nodes"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_nodes_workspace_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_nodes_workspace_id", "nodes", ["workspace_id"])
    op.create_table(
        "terminals",
        sa.Column("node_id", sa.String, nullable=False),
        sa.Column("directory", sa.String, nullable=False),
        sa.Column("shell", sa.String),
        sa.Column("wanted", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("node_id", name="pk_terminals"),
        sa.ForeignKeyConstraint(["node_id"], ["nodes.id"], name="fk_terminals_node_id", ondelete="CASCADE"),
        sa.CheckConstraint("wanted IN ('open', 'closed')", name="ck_terminals_wanted"),
    )
    op.create_table(
        "schedules",
        sa.Column("node_id", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("pause_reason", sa.String),
        sa.Column("recurrence", sa.Text, nullable=False),
        sa.Column("zone", sa.String, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("overlap", sa.String, nullable=False),
        sa.Column("catchup", sa.String, nullable=False),
        sa.Column("misfire_grace_ms", sa.Integer, nullable=False),
        sa.Column("pending_limit_ms", sa.Integer),
        sa.Column("next_due", sa.Integer),
        sa.PrimaryKeyConstraint("node_id", name="pk_schedules"),
        sa.ForeignKeyConstraint(["node_id"], ["nodes.id"], name="fk_schedules_node_id", ondelete="CASCADE"),
        sa.CheckConstraint("state IN ('Paused', 'Running')", name="ck_schedules_state"),
        sa.CheckConstraint("state = 'Running' OR next_due IS NULL", name="ck_schedules_paused_is_not_due"),
    )
    op.create_index(
        "ix_schedules_next_due", "schedules", ["next_due"], sqlite_where=sa.text("next_due IS NOT NULL")
    )
    op.create_table(
        "connections",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("a", sa.String, nullable=False),
        sa.Column("b", sa.String, nullable=False),
        sa.Column("schedule_id", sa.String),
        sa.Column("environment_name", sa.String),
        sa.Column("created_at", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_connections"),
        sa.ForeignKeyConstraint(["a"], ["nodes.id"], name="fk_connections_a", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["b"], ["nodes.id"], name="fk_connections_b", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["schedule_id"], ["nodes.id"], name="fk_connections_schedule_id", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("a", "b", name="uq_connections_a_b"),
        sa.UniqueConstraint("schedule_id", name="uq_connections_schedule_id"),
        sa.CheckConstraint("a < b", name="ck_connections_undirected"),
    )
    op.create_index("ix_connections_b", "connections", ["b"])
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, nullable=False, primary_key=True, autoincrement=True),
        sa.Column("schedule_id", sa.String, nullable=False),
        sa.Column("schedule_name", sa.String, nullable=False),
        sa.Column("target_id", sa.String),
        sa.Column("target_name", sa.String),
        sa.Column("trigger", sa.String, nullable=False),
        sa.Column("nominal_at", sa.Integer),
        sa.Column("created_at", sa.Integer, nullable=False),
        sa.Column("delivered_at", sa.Integer),
        sa.Column("finished_at", sa.Integer),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("diagnostic", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("exit_code", sa.Integer),
        sa.Column("missed_count", sa.Integer),
        sa.Column("holder_id", sa.Integer),
        sa.Column("expires_at", sa.Integer),
        sa.Column("dismissed_at", sa.Integer),
        sa.Column("duration_ms", sa.Integer),
        sa.Column("payload", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_attempts_schedule_id", "attempts", ["schedule_id", "id"])
    op.create_index("ix_attempts_target_id", "attempts", ["target_id", "id"])
    op.create_index(
        "uq_attempts_nominal",
        "attempts",
        ["schedule_id", "nominal_at"],
        unique=True,
        sqlite_where=sa.text("\"trigger\" = 'scheduled'"),
    )
    op.create_index(
        "uq_attempts_slot", "attempts", ["target_id"], unique=True, sqlite_where=sa.text("state = 'Pending'")
    )
    op.create_index(
        "uq_attempts_at_work",
        "attempts",
        ["target_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('Delivering', 'Needs attention')"),
    )
    op.create_table(
        "evidence",
        sa.Column("attempt_id", sa.Integer, nullable=False),
        sa.Column("output", sa.LargeBinary, nullable=False),
        sa.Column("truncated", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_evidence"),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name="fk_evidence_attempt_id", ondelete="CASCADE"
        ),
    )

"""Of a message: the key it was sent under, and how far from agent to agent. Of a turn: how long it is."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("messages", sa.Column("idempotency_key", sa.String))
    op.add_column("messages", sa.Column("hops", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.create_index("uq_messages_idempotency_key", "messages", ["idempotency_key"], unique=True)
    op.add_column("turns", sa.Column("size", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE turns SET size = length(CAST(entries AS BLOB))")
    op.create_index(
        "ix_turns_whole",
        "turns",
        ["agent_id", "id", "attempt_id", "size"],
        sqlite_where=sa.text("size > 0"),
    )

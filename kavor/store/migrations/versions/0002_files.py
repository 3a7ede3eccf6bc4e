"""Files and Specifications: Nodes that stand for a path."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    for table in ("files", "specifications"):
        op.create_table(
            table,
            sa.Column("node_id", sa.String, nullable=False),
            sa.Column("path", sa.String, nullable=False),
            sa.PrimaryKeyConstraint("node_id", name=f"pk_{table}"),
            sa.ForeignKeyConstraint(
                ["node_id"], ["nodes.id"], name=f"fk_{table}_node_id", ondelete="CASCADE"
            ),
        )

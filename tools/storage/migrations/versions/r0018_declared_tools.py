"""Add the tools that agents declare and keep."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "declared_tool",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("keeper", sa.String(), nullable=False, comment="the agent that declared it"),
        sa.Column(
            "sha256", sa.String(), nullable=False, comment="of the declaration that may be used"
        ),
        sa.Column("declared", sa.JSON(), nullable=False),
        sa.Column("declared_at", sa.Float(), nullable=False),
        sa.Column("accepted_by", sa.String(), comment="null: no change was accepted yet"),
        sa.Column(
            "seen_sha256", sa.String(), comment="what its agent declares instead; null: the same"
        ),
        sa.Column("seen", sa.JSON()),
        sa.Column("seen_at", sa.Float()),
        sa.Column(
            "removed_at", sa.Float(), comment="its pin stays: declared again, it is held against it"
        ),
        sa.PrimaryKeyConstraint("tenant_id", "name"),
    )

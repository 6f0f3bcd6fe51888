"""Add what each turn says about policy."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "quality_turn",
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False, comment="when it was taken in"),
        sa.Column("intent", sa.String(), nullable=True),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("called", sa.Boolean(), nullable=False),
        sa.Column("clarified", sa.Boolean(), nullable=False),
        sa.Column("recency_asked", sa.Boolean(), nullable=False),
        sa.Column("recency_kept", sa.Boolean(), nullable=False),
        sa.Column("stage_due", sa.Boolean(), nullable=False),
        sa.Column("stage_made", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("decision_id"),
    )
    op.create_index("quality_turn_by_pack", "quality_turn", ["tenant_id", "pack", "at"])
    op.create_table(
        "quality_reset",
        sa.Column("reset_id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("reset_id"),
    )
    op.create_index("quality_reset_of", "quality_reset", ["tenant_id", "pack"])

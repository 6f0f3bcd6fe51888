"""Add profiles: which template, which own adjustments and what rapport a person has."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "profile",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("user", sa.String(), nullable=False, comment="whose: the name on the key"),
        sa.Column("body", sa.JSON(), nullable=False, comment="template, overrides, rapport"),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "user"),
    )

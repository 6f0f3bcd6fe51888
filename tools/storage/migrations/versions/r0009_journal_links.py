"""Add links between decisions: which one replaces or revises which, proposed or accepted."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "journal_link",
        sa.Column("link_id", sa.Integer(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("newer", sa.String(), nullable=False),
        sa.Column("older", sa.String(), nullable=False),
        sa.Column(
            "scope", sa.String(), nullable=False, comment="full: nothing of the older one is left"
        ),
        sa.Column("standing", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(), comment="null: our rules"),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("settled_by", sa.String()),
        sa.Column("settled_at", sa.Float()),
        sa.Column(
            "older_was", sa.String(), comment="status of the older one before; for taking it back"
        ),
        sa.CheckConstraint("newer <> older"),
        sa.CheckConstraint("scope in ('full','partial')"),
        sa.CheckConstraint("standing in ('proposed','accepted','refused')"),
        sa.PrimaryKeyConstraint("link_id"),
        sa.UniqueConstraint("tenant_id", "newer", "older"),
    )
    op.create_index("journal_link_of_older", "journal_link", ["tenant_id", "older"])

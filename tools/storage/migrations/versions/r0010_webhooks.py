"""Add the outbox of webhooks, and which decisions of the journal nobody has compared yet."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "webhook_delivery",
        sa.Column("delivery_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False, comment="the same each time it is sent"),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column(
            "endpoint", sa.String(), nullable=False, comment="the name that the deployment gave it"
        ),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False, comment="as it is sent, byte for byte"),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("standing", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.Float(), nullable=False, comment="not sent before"),
        sa.Column("ended_at", sa.Float(), comment="when it arrived, or was given up"),
        sa.Column("problem", sa.Text(), comment="why the last attempt failed"),
        sa.CheckConstraint("standing in ('pending','delivered','dead')"),
        sa.PrimaryKeyConstraint("delivery_id"),
    )
    op.create_index(
        "webhook_by_endpoint", "webhook_delivery", ["standing", "endpoint", "delivery_id"]
    )
    op.add_column(
        "journal_entry",
        sa.Column(
            "is_compared",
            sa.Boolean(),
            nullable=False,
            server_default=sa.text("1"),
            comment="0: nobody has looked yet which earlier decisions it replaces",
        ),
    )
    is_not = sa.text("is_compared = 0")
    op.create_index(
        "journal_not_compared",
        "journal_entry",
        ["entry_id"],
        sqlite_where=is_not,
        postgresql_where=is_not,
    )

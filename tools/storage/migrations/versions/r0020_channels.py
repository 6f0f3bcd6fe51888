"""Add the messages that tell people of approvals, and the links that they carry."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "channel_message",
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("action_id", sa.String(), nullable=False),
        sa.Column(
            "recipient",
            sa.String(),
            nullable=False,
            comment="a person, # and a room, or empty: nobody",
        ),
        sa.Column("kind", sa.String(), nullable=False, comment="asked, reminder, escalation.N"),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("standing", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.Float(), nullable=False, comment="not sent before"),
        sa.Column("ended_at", sa.Float()),
        sa.Column("problem", sa.Text(), comment="why it was not delivered"),
        sa.CheckConstraint("standing in ('pending','delivered','dead')"),
        sa.PrimaryKeyConstraint("message_id"),
        sa.UniqueConstraint("action_id", "kind", "recipient"),
    )
    op.create_index("channel_message_due", "channel_message", ["standing", "next_at"])
    op.create_table(
        "approval_link",
        sa.Column("link_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("action_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), comment="by an answer; a look at its page is none"),
        sa.PrimaryKeyConstraint("link_id"),
    )

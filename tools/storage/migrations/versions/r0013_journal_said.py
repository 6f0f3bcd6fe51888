"""Add the messages that entries of the journal cite."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "journal_said",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False, comment="its order in the import"),
        sa.Column("message", sa.JSON(), nullable=False, comment="the whole message"),
        sa.ForeignKeyConstraint(["entry_id"], ["journal_entry.entry_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("entry_id", "message_id"),
    )

"""Add the answers kept for whoever sends a request again, and what a key is good for."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_answer",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False, comment="the caller's Idempotency-Key"),
        sa.Column(
            "request_sha256", sa.String(), nullable=False, comment="of method, address and body"
        ),
        sa.Column(
            "taken_by", sa.String(), nullable=False, comment="the process that is or was at it"
        ),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("status", sa.Integer(), comment="null: not answered yet"),
        sa.Column("headers", sa.JSON()),
        sa.Column("body", sa.LargeBinary(), comment="compressed"),
        sa.PrimaryKeyConstraint("tenant_id", "user", "key"),
    )
    op.create_index("kept_answer_by_end", "kept_answer", ["expires_at"])
    op.add_column(
        "api_key", sa.Column("scopes", sa.JSON(), comment="what it is good for; null: everything")
    )

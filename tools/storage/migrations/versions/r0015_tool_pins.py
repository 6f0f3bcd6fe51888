"""Add the pinned tools of MCP servers, and the acceptances of their changes."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mcp_tool_pin",
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column(
            "sha256", sa.String(), nullable=False, comment="of the description that may be used"
        ),
        sa.Column("described", sa.JSON(), nullable=False),
        sa.Column("pinned_at", sa.Float(), nullable=False),
        sa.Column("accepted_by", sa.String(), comment="null: pinned when it was first seen"),
        sa.Column(
            "seen_sha256", sa.String(), comment="what its server says instead; null: the same"
        ),
        sa.Column("seen", sa.JSON()),
        sa.Column("seen_at", sa.Float()),
        sa.PrimaryKeyConstraint("pack", "server", "tool"),
    )
    op.create_table(
        "mcp_tool_acceptance",
        sa.Column("acceptance_id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("before_sha256", sa.String(), nullable=False),
        sa.Column("after_sha256", sa.String(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False, comment="the whole description"),
        sa.Column("after", sa.JSON(), nullable=False, comment="the whole description"),
        sa.Column("tenant_id", sa.String(), nullable=False, comment="of the person"),
        sa.Column("accepted_by", sa.String(), nullable=False),
        sa.Column("accepted_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("acceptance_id"),
    )
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER mcp_tool_acceptance_stays_on_{change.lower()} BEFORE {change} ON"
                " mcp_tool_acceptance BEGIN SELECT RAISE(ABORT, 'mcp_tool_acceptance is only ever"
                " added to'); END"
            )

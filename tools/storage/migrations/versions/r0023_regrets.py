"""Add what people regret, and index events by time, source and outcome to count them alone."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "regret",
        sa.Column(
            "decision_id",
            sa.String(),
            nullable=False,
            comment="of the event: spoken about, or passed",
        ),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False, comment="utterance silence"),
        sa.Column("cause", sa.String(), nullable=False, comment="what somebody did that says so"),
        sa.Column(
            "decided_at", sa.Float(), nullable=False, comment="when the event was decided on"
        ),
        sa.Column("at", sa.Float(), nullable=False, comment="when it was regretted"),
        sa.Column("said_in", sa.String(), nullable=False, comment="the decision on what they did"),
        sa.CheckConstraint("kind in ('utterance','silence')"),
        sa.PrimaryKeyConstraint("decision_id"),
    )
    op.create_index("regret_by_time", "regret", ["tenant_id", "decided_at"])
    op.create_index(
        "decision_of_events",
        "decision",
        ["tenant_id", "recorded_at", "source", "outcome"],
        sqlite_where=sa.text("kind = 'ambient'"),
    )

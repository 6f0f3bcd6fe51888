"""Add reasoning traces, feedback on responses, and the heuristics that are learned from it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reasoning_trace",
        sa.Column("response_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column(
            "heuristic_id", sa.String(), comment="the one that spoke, or that a model agreed with"
        ),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("response_id"),
    )
    op.create_index("trace_of_session", "reasoning_trace", ["tenant_id", "session_id", "at"])
    op.create_index("trace_by_decision", "reasoning_trace", ["decision_id"])
    op.create_index("trace_by_time", "reasoning_trace", ["at"])
    op.create_table(
        "feedback",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("response_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False, comment="explicit implicit"),
        sa.Column("heuristic_id", sa.String(), comment="what it counts for; null: for none"),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("sign", sa.String(), nullable=False),
        sa.Column("attribution", sa.String()),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("given_by", sa.String()),
        sa.Column(
            "first_at",
            sa.Float(),
            nullable=False,
            comment="its place in the order, however often said",
        ),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "response_id", "kind"),
        sa.CheckConstraint("kind in ('explicit','implicit')"),
    )
    op.create_index("feedback_of_heuristic", "feedback", ["tenant_id", "heuristic_id", "first_at"])
    op.create_table(
        "heuristic",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("heuristic_id", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "heuristic_id"),
    )

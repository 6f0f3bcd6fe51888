"""Index agents' calls by time: to list them, every decision was read."""

from alembic import op
from sqlalchemy import text

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "decision_of_calls",
        "decision",
        ["tenant_id", "accepted_at", "decision_id"],
        sqlite_where=text("kind = 'proposal'"),
    )

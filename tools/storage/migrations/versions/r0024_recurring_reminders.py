"""Let a reminder come back, and let one wait for something that happens."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (("repeats", sa.JSON()), ("on_event", sa.Text()), ("seen_at", sa.Float())):
        op.add_column("reminder", sa.Column(name, kind))
    op.create_index(
        "reminder_on_event",
        "reminder",
        ["tenant_id", "session_id"],
        sqlite_where=sa.text("on_event IS NOT NULL AND standing = 'scheduled'"),
    )

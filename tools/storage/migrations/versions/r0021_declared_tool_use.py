"""Note when a declared tool was proposed first; finding out in all decisions took too long."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "declared_tool",
        sa.Column(
            "used_at",
            sa.Float(),
            comment="when it was proposed first; null: a change counts at once",
        ),
    )
    # What is there already is taken for used: a person sees its next change.
    op.execute("UPDATE declared_tool SET used_at = declared_at")

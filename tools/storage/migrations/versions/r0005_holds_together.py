"""Let holds be told together, in the order of what they are worth."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("group_key", "identity"):
        op.add_column("hold", sa.Column(name, sa.String(), nullable=False, server_default="?"))
    for name, before in (("relevance", "0"), ("urgency", "0"), ("life_seconds", "600")):
        op.add_column("hold", sa.Column(name, sa.Float(), nullable=False, server_default=before))
    op.create_index("hold_of_session", "hold", ["tenant_id", "session_id", "group_key"])

"""Find what runs out without reading all that waits: every second somebody looks."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ledger_by_standing", "ledger_action")
    op.create_index("ledger_by_standing", "ledger_action", ["state", "expires_at"])

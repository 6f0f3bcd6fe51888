"""Let one event_id name several events, of several senders, and keys declare their sources."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

STANDINGS = "'accepted','held','released','waiting','recorded'"


def upgrade() -> None:
    unnamed = {"uq": "uq_%(table_name)s_%(column_0_name)s"}
    checked = (sa.CheckConstraint(f"standing in ({STANDINGS})"),)
    with op.batch_alter_table(
        "decision", naming_convention=unnamed, table_args=checked, recreate="always"
    ) as decision:
        decision.drop_constraint("uq_decision_tenant_id", type_="unique")
    op.create_index("decision_by_event", "decision", ["tenant_id", "event_id"])
    op.add_column(
        "api_key",
        sa.Column(
            "sources", sa.JSON(none_as_null=True), comment="it sends as these alone; null: as any"
        ),
    )
    op.create_index(
        "api_key_with_sources",
        "api_key",
        ["tenant_id"],
        sqlite_where=sa.text("sources IS NOT NULL"),
    )

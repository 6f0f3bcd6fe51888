"""Keep grants, and which of them allowed an action."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

# As they were in this revision; a later one changes them in a file of its own.
_TRIGGERS = (
    "DROP TRIGGER ledger_action_is_frozen",
    (
        "CREATE TRIGGER ledger_action_is_frozen BEFORE UPDATE OF action_id, tenant_id, "
        "decision_id, action, pack, execution_class, arguments, digest, summary, requester, "
        "requester_roles, approver_roles, quorum, four_eyes, proposed_at, schema_hash, "
        "policy_version, target_versions, preview, raised, phase, origin, editor, undo_of, "
        "grant_id ON ledger_action BEGIN SELECT RAISE(ABORT, 'a ledger action never changes'); END"
    ),
    (
        "CREATE TRIGGER approval_grant_is_frozen BEFORE UPDATE OF grant_id, tenant_id, action, pack, schema_hash, "
        "arguments, requester, agent, raised, currency, granted_by, action_id, digest, created_at, "
        "until, uses, amount ON approval_grant "
        "BEGIN SELECT RAISE(ABORT, 'a grant never changes'); END"
    ),
    (
        "CREATE TRIGGER approval_grant_stays BEFORE DELETE ON approval_grant "
        "BEGIN SELECT RAISE(ABORT, 'a grant is never deleted'); END"
    ),
)


def upgrade() -> None:
    op.create_table(
        "approval_grant",
        sa.Column("grant_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column(
            "schema_hash", sa.String(), nullable=False, comment="of the action as it was shown"
        ),
        sa.Column(
            "arguments", sa.JSON(), nullable=False, comment="patterns by name; not named: absent"
        ),
        sa.Column("requester", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False, comment="whose key proposes"),
        sa.Column("raised", sa.JSON(), nullable=False, comment="what may raise a call's class"),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("granted_by", sa.String(), nullable=False),
        sa.Column(
            "action_id",
            sa.String(),
            nullable=False,
            comment="that it started from; holds its entries",
        ),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("amount", sa.Float(), nullable=True),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("amount_left", sa.Float(), nullable=True),
        sa.Column("revoked_by", sa.String(), nullable=True),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("grant_id"),
    )
    op.create_index("approval_grant_of", "approval_grant", ["tenant_id", "action", "requester"])
    op.add_column(
        "ledger_action",
        sa.Column(
            "grant_id",
            sa.String(),
            nullable=True,
            comment="which allowed it; what counts is the entry of its yes",
        ),
    )
    if op.get_bind().dialect.name == "sqlite":
        for statement in _TRIGGERS:
            op.get_bind().exec_driver_sql(statement)

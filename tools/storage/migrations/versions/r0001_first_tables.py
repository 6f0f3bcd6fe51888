"""Create the first tables, and make what an approval was given for unchangeable."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

FROZEN = (
    "action_id, tenant_id, decision_id, action, pack, execution_class, arguments, digest, summary,"
    " requester, requester_roles, approver_roles, quorum, four_eyes, proposed_at"
)
APPENDED_ONLY = ("ledger_approval", "ledger_entry")


def upgrade() -> None:
    """Create every table, then the triggers that keep ledger rows what they were."""
    _create_tables()
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER ledger_action_is_frozen BEFORE UPDATE OF {FROZEN} ON ledger_action "
            "BEGIN SELECT RAISE(ABORT, 'a ledger action never changes'); END"
        )
        op.execute(
            "CREATE TRIGGER ledger_action_has_ended BEFORE UPDATE OF state ON ledger_action "
            "WHEN OLD.state IN ('succeeded','failed','rejected','expired','superseded','stale') "
            "BEGIN SELECT RAISE(ABORT, 'an ended ledger action never moves'); END"
        )
        op.execute(
            "CREATE TRIGGER ledger_action_stays BEFORE DELETE ON ledger_action "
            "BEGIN SELECT RAISE(ABORT, 'a ledger action is never deleted'); END"
        )
        for table in APPENDED_ONLY:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_stays_on_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
                )


def _create_tables() -> None:
    op.create_table(
        "api_key",
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("secret_sha256", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=True),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("key_id"),
        sa.UniqueConstraint("secret_sha256"),
    )
    op.create_table(
        "decision",
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("event", sa.JSON(), nullable=False),
        sa.Column(
            "thread_id",
            sa.String(),
            nullable=False,
            comment="the LangGraph thread that decides it",
        ),
        sa.Column(
            "standing",
            sa.String(),
            nullable=False,
            comment="accepted held released waiting recorded",
        ),
        sa.Column("accepted_at", sa.Float(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("recorded_at", sa.Float(), nullable=True),
        sa.Column("record", sa.JSON(), nullable=True),
        sa.Column("stages", sa.JSON(), nullable=True),
        sa.CheckConstraint("standing in ('accepted','held','released','waiting','recorded')"),
        sa.PrimaryKeyConstraint("decision_id"),
        sa.UniqueConstraint("tenant_id", "source", "event_id"),
    )
    op.create_index("decision_by_standing", "decision", ["standing", "accepted_at"], unique=False)
    op.create_index(
        "decision_by_time",
        "decision",
        ["tenant_id", "recorded_at", "decision_id"],
        unique=False,
    )
    op.create_table(
        "ledger_action",
        sa.Column("action_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("execution_class", sa.String(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("requester", sa.String(), nullable=False),
        sa.Column("requester_roles", sa.JSON(), nullable=False),
        sa.Column("approver_roles", sa.JSON(), nullable=False),
        sa.Column("quorum", sa.Integer(), nullable=False),
        sa.Column("four_eyes", sa.Boolean(), nullable=False),
        sa.Column("proposed_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=True),
        sa.Column("fence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("started_at", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.Column("replaced_by", sa.String(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.CheckConstraint("execution_class in ('A','B','C')"),
        sa.CheckConstraint(
            "state in ('pending','approved','started','succeeded','failed','unknown','rejected','expired','superseded','stale')"
        ),
        sa.PrimaryKeyConstraint("action_id"),
    )
    op.create_index("ledger_by_decision", "ledger_action", ["decision_id"], unique=False)
    op.create_index("ledger_by_state", "ledger_action", ["tenant_id", "state"], unique=False)
    op.create_table(
        "ledger_entry",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("action_id", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )
    op.create_index("ledger_entry_by_action", "ledger_entry", ["action_id"], unique=False)
    op.create_table(
        "noted_decision",
        sa.Column("note_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column(
            "decision_id",
            sa.String(),
            nullable=False,
            comment="the decision on the message it was in",
        ),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("decision_maker", sa.String(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("decided_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("note_id"),
    )
    op.create_index("noted_by_tenant", "noted_decision", ["tenant_id", "decided_at"], unique=False)
    op.create_table(
        "offer",
        sa.Column("offer_id", sa.String(), nullable=False),
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("chosen", sa.String(), nullable=True),
        sa.Column("chosen_by", sa.String(), nullable=True),
        sa.Column("chosen_at", sa.Float(), nullable=True),
        sa.Column("chosen_arguments", sa.JSON(), nullable=True),
        sa.Column("chosen_decision_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("offer_id"),
        sa.UniqueConstraint("chosen_decision_id"),
        sa.UniqueConstraint("decision_id"),
    )
    op.create_index("offer_by_tenant", "offer", ["tenant_id", "expires_at"], unique=False)
    op.create_table(
        "session",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "session_id"),
    )
    op.create_table(
        "hold",
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("timing", sa.String(), nullable=False),
        sa.Column("release_on", sa.JSON(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=False),
        sa.Column("held_at", sa.Float(), nullable=False),
        sa.Column("released_at", sa.Float(), nullable=True),
        sa.Column("released_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["decision_id"],
            ["decision.decision_id"],
        ),
        sa.PrimaryKeyConstraint("decision_id"),
    )
    op.create_index("hold_due", "hold", ["released_at", "due_at"], unique=False)
    op.create_table(
        "ledger_approval",
        sa.Column("action_id", sa.String(), nullable=False),
        sa.Column("approver", sa.String(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("digest_seen", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False, comment="approval, edit or chip"),
        sa.Column("decided_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["action_id"],
            ["ledger_action.action_id"],
        ),
        sa.PrimaryKeyConstraint("action_id", "approver"),
    )

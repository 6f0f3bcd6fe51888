"""Add what the whole execution contract keeps: queue, versions, undo, the chain, the query log."""

import warnings

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

FROZEN = (
    "action_id, tenant_id, decision_id, action, pack, execution_class, arguments, digest, summary,"
    " requester, requester_roles, approver_roles, quorum, four_eyes, proposed_at, schema_hash,"
    " policy_version, target_versions, preview, raised, phase, origin, editor, undo_of"
)
STATES = (
    "'proposed','pending','approved','started','succeeded','failed','unknown',"
    "'rejected','expired','superseded','stale'"
)
ADDED = (
    sa.Column("schema_hash", sa.String(), nullable=False, server_default=sa.text("''")),
    sa.Column("policy_version", sa.String(), nullable=False, server_default=sa.text("''")),
    sa.Column("target_versions", sa.JSON(), nullable=False, server_default="{}"),
    sa.Column("preview", sa.JSON()),
    sa.Column("raised", sa.JSON(), nullable=False, server_default="[]"),
    sa.Column("phase", sa.String(), nullable=False, server_default="general"),
    sa.Column("origin", sa.String(), nullable=False, server_default="routed"),
    sa.Column("editor", sa.String()),
    sa.Column("asked_at", sa.Float()),
    sa.Column("warned_at", sa.Float()),
    sa.Column("lease_until", sa.Float()),
    sa.Column("settled_by", sa.String()),
    sa.Column("evidence", sa.Text()),
    sa.Column("undo_of", sa.String()),
    sa.Column("undo_until", sa.Float()),
    sa.Column("undo_arguments", sa.JSON()),
    sa.Column("undo_by", sa.String()),
    sa.Column("undo_at", sa.Float()),
    sa.Column("undo_decision_id", sa.String()),
)


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if is_sqlite:
        for trigger in ("is_frozen", "has_ended", "stays"):
            op.execute(f"DROP TRIGGER ledger_action_{trigger}")
    _widen_the_ledger()
    _create_tables()
    if is_sqlite:
        _freeze_again()


def _widen_the_ledger() -> None:
    # Rebuilt, because SQLite cannot change a check; those of 0001 have no name and go.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Unnamed CHECK constraint")
        with op.batch_alter_table("ledger_action", recreate="always") as action:
            for column in ADDED:
                action.add_column(column)
            action.create_check_constraint(
                "ledger_action_class", "execution_class in ('A','B','C')"
            )
            action.create_check_constraint("ledger_action_state", f"state in ({STATES})")
    op.execute("UPDATE ledger_action SET asked_at = proposed_at WHERE execution_class = 'C'")
    op.create_index("ledger_by_standing", "ledger_action", ["state"])
    op.create_index("ledger_by_asker", "ledger_action", ["tenant_id", "requester", "asked_at"])
    op.create_index("ledger_undone_by", "ledger_action", ["undo_decision_id"], unique=True)
    op.add_column("ledger_entry", sa.Column("number", sa.Integer()))
    op.add_column("ledger_entry", sa.Column("previous", sa.String()))
    op.add_column("ledger_entry", sa.Column("hash", sa.String()))
    op.create_index("ledger_entry_in_order", "ledger_entry", ["tenant_id", "number"], unique=True)


def _freeze_again() -> None:
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


def _create_tables() -> None:
    op.create_table(
        "ledger_anchor",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column(
            "number",
            sa.Integer(),
            nullable=False,
            comment="of the last entry that retention removed",
        ),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("pruned_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id"),
    )
    op.create_table(
        "ledger_freeze",
        sa.Column("freeze_id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("lifted_by", sa.String(), nullable=True),
        sa.Column("lifted_at", sa.Float(), nullable=True),
        sa.Column("lifted_reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("freeze_id"),
    )
    op.create_table(
        "standing_refusal",
        sa.Column("refusal_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column(
            "arguments", sa.JSON(), nullable=False, comment="those that must match; none: any"
        ),
        sa.Column("requester", sa.String(), nullable=True, comment="null: whoever asks"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("withdrawn_by", sa.String(), nullable=True),
        sa.Column("withdrawn_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("refusal_id"),
    )
    op.create_index(
        "standing_refusal_of", "standing_refusal", ["tenant_id", "action"], unique=False
    )
    op.create_table(
        "query_log",
        sa.Column(
            "decision_id", sa.String(), nullable=False, comment="of the message; clicks add to it"
        ),
        sa.Column(
            "tenant_id", sa.String(), nullable=False, comment="yacht_id of the execution contract"
        ),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("user", sa.String(), nullable=True),
        sa.Column("user_role", sa.String(), nullable=True),
        sa.Column("raw_text", sa.Text(), nullable=False),
        sa.Column("normalized", sa.Text(), nullable=False),
        sa.Column("tokens", sa.JSON(), nullable=False),
        sa.Column("verb_family", sa.String(), nullable=True),
        sa.Column("predicted_action", sa.String(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("alternatives", sa.JSON(), nullable=False),
        sa.Column(
            "execution_class",
            sa.String(),
            nullable=True,
            comment="auto suggest confirm refuse ask none",
        ),
        sa.Column("entities", sa.JSON(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False, comment="what raised the class"),
        sa.Column("collision", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("chip_ordering", sa.String(), nullable=True),
        sa.Column("offer_id", sa.String(), nullable=True),
        sa.Column("chips_shown", sa.JSON(), nullable=False),
        sa.Column("chip_chosen", sa.String(), nullable=True),
        sa.Column("chip_position", sa.Integer(), nullable=True, comment="1 is the primary"),
        sa.Column("chosen_at", sa.Float(), nullable=True),
        sa.Column(
            "action_id", sa.String(), nullable=True, comment="the ledger row that came of it"
        ),
        sa.Column("action_executed", sa.String(), nullable=True),
        sa.Column(
            "execution_method", sa.String(), nullable=True, comment="auto chip_click confirmation"
        ),
        sa.Column("executed_at", sa.Float(), nullable=True),
        sa.Column("time_to_action_ms", sa.Float(), nullable=True),
        sa.Column("undo_triggered", sa.Boolean(), server_default="0", nullable=False),
        sa.Column(
            "action_observed",
            sa.String(),
            nullable=True,
            comment="what the person then did elsewhere",
        ),
        sa.Column("observed_at", sa.Float(), nullable=True),
        sa.Column("collision_observed", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("decision_id"),
    )
    op.create_index("query_log_by_action", "query_log", ["action_id"], unique=False)
    op.create_index("query_log_by_offer", "query_log", ["offer_id"], unique=False)
    op.create_index(
        "query_log_by_session", "query_log", ["tenant_id", "session_id", "at"], unique=False
    )
    op.create_index("query_log_by_time", "query_log", ["tenant_id", "at"], unique=False)

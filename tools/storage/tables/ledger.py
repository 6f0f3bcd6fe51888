"""Tables of the ledger, and the triggers that keep its rows unchanged.

Actions, approvals, the hash chain, freezes, refusals and pinned MCP tools.
"""

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    text,
)

from tools.storage.tables.metadata import metadata

FROZEN = (
    "action_id", "tenant_id", "decision_id", "action", "pack", "execution_class", "arguments",
    "digest", "summary", "requester", "requester_roles", "approver_roles", "quorum", "four_eyes",
    "proposed_at", "schema_hash", "policy_version", "target_versions", "preview", "raised",
    "phase", "origin", "editor", "undo_of",
)  # fmt: skip
"""The columns of an action that never change; the ledger seals a hash over them, too."""

GRANTED = (
    "grant_id", "tenant_id", "action", "pack", "schema_hash", "arguments", "requester", "agent",
    "raised", "currency", "granted_by", "action_id", "digest", "created_at", "until", "uses",
    "amount",
)  # fmt: skip
"""The columns of a grant that never change; its entry seals a hash over them."""

GUARDS = (
    (
        "CREATE TRIGGER ledger_action_is_frozen BEFORE UPDATE OF "
        f"{', '.join((*FROZEN, 'grant_id'))} ON ledger_action "
        "BEGIN SELECT RAISE(ABORT, 'a ledger action never changes'); END"
    ),
    (
        "CREATE TRIGGER ledger_action_has_ended BEFORE UPDATE OF state ON ledger_action "
        "WHEN OLD.state IN ('succeeded','failed','rejected','expired','superseded','stale') "
        "BEGIN SELECT RAISE(ABORT, 'an ended ledger action never moves'); END"
    ),
    (
        "CREATE TRIGGER ledger_action_stays BEFORE DELETE ON ledger_action "
        "BEGIN SELECT RAISE(ABORT, 'a ledger action is never deleted'); END"
    ),
    *(
        f"CREATE TRIGGER {table}_stays_on_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
        for table in ("ledger_approval", "ledger_entry", "mcp_tool_acceptance")
        for change in ("UPDATE", "DELETE")
    ),
    (
        f"CREATE TRIGGER approval_grant_is_frozen BEFORE UPDATE OF {', '.join(GRANTED)} "
        "ON approval_grant BEGIN SELECT RAISE(ABORT, 'a grant never changes'); END"
    ),
    (
        "CREATE TRIGGER approval_grant_stays BEFORE DELETE ON approval_grant "
        "BEGIN SELECT RAISE(ABORT, 'a grant is never deleted'); END"
    ),
)
"""SQLite's triggers, as they stand after the newest revision."""


ledger_action = Table(
    "ledger_action",
    metadata,
    Column("action_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("decision_id", String, nullable=False),
    Column("action", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("execution_class", String, nullable=False),
    Column("arguments", JSON, nullable=False),
    Column("digest", String, nullable=False),
    Column("summary", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("requester", String, nullable=False),
    Column("requester_roles", JSON, nullable=False),
    Column("approver_roles", JSON, nullable=False),
    Column("quorum", Integer, nullable=False),
    Column("four_eyes", Boolean, nullable=False),
    Column("proposed_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("fence", Integer, nullable=False, server_default="0"),
    Column("owner", String),
    Column("started_at", Float),
    Column("finished_at", Float),
    Column("replaced_by", String),
    Column("decided_by", String),
    Column("reason", Text),
    Column("result", JSON),
    Column("schema_hash", String, nullable=False, server_default=text("''")),
    Column("policy_version", String, nullable=False, server_default=text("''")),
    Column("target_versions", JSON, nullable=False, server_default="{}"),
    Column("preview", JSON),
    Column("raised", JSON, nullable=False, server_default="[]"),
    Column("phase", String, nullable=False, server_default="general"),
    Column("origin", String, nullable=False, server_default="routed"),
    Column("editor", String, comment="who wrote these arguments, when an edit did"),
    Column("asked_at", Float, comment="pending since; null while it is queued"),
    Column("warned_at", Float, comment="when people were told that it runs out"),
    Column("lease_until", Float, comment="started: nobody else looks at it before"),
    Column("settled_by", String, comment="the person who said what became of an unknown one"),
    Column("evidence", Text),
    Column("undo_of", String, comment="the action that this one takes back"),
    Column("undo_until", Float),
    Column(
        "undo_arguments",
        JSON,
        comment="told: by its handler; action, arguments: of the last click; never shown",
    ),
    Column("undo_by", String),
    Column("undo_at", Float),
    Column("undo_decision_id", String),
    Column("grant_id", String, comment="which allowed it; what counts is the entry of its yes"),
    CheckConstraint("execution_class in ('A','B','C')", name="ledger_action_class"),
    CheckConstraint(
        "state in ('proposed','pending','approved','started','succeeded','failed','unknown',"
        "'rejected','expired','superseded','stale')",
        name="ledger_action_state",
    ),
)
Index("ledger_by_decision", ledger_action.c.decision_id)
Index("ledger_by_state", ledger_action.c.tenant_id, ledger_action.c.state)
Index("ledger_by_standing", ledger_action.c.state, ledger_action.c.expires_at)
Index(
    "ledger_by_asker",
    ledger_action.c.tenant_id,
    ledger_action.c.requester,
    ledger_action.c.asked_at,
)
Index("ledger_undone_by", ledger_action.c.undo_decision_id, unique=True)

ledger_approval = Table(
    "ledger_approval",
    metadata,
    Column("action_id", String, ForeignKey("ledger_action.action_id"), primary_key=True),
    Column("approver", String, primary_key=True),
    Column("decision", String, nullable=False),
    Column("digest_seen", String, nullable=False),
    Column("method", String, nullable=False, comment="approve, edit, chip, link or slack"),
    Column("decided_at", Float, nullable=False),
)

ledger_entry = Table(
    "ledger_entry",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("tenant_id", String, nullable=False),
    Column("action_id", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("actor", String, nullable=False),
    Column("event", String, nullable=False),
    Column("body", JSON, nullable=False),
    Column("number", Integer, comment="counts a tenant's entries, without gaps"),
    Column("previous", String, comment="the hash of the entry before"),
    Column("hash", String, comment="HMAC over this entry and the hash before it"),
)
Index("ledger_entry_by_action", ledger_entry.c.action_id)
Index("ledger_entry_in_order", ledger_entry.c.tenant_id, ledger_entry.c.number, unique=True)

ledger_anchor = Table(
    "ledger_anchor",
    metadata,
    Column("tenant_id", String, primary_key=True),
    Column("number", Integer, nullable=False, comment="of the last entry that retention removed"),
    Column("hash", String, nullable=False),
    Column("pruned_at", Float, nullable=False),
)

ledger_freeze = Table(
    "ledger_freeze",
    metadata,
    Column("freeze_id", Integer, primary_key=True, autoincrement=True),
    Column("reason", Text, nullable=False),
    Column("since", Float, nullable=False),
    Column("lifted_by", String),
    Column("lifted_at", Float),
    Column("lifted_reason", Text),
)

standing_refusal = Table(
    "standing_refusal",
    metadata,
    Column("refusal_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("action", String, nullable=False),
    Column("arguments", JSON, nullable=False, comment="those that must match; none: any"),
    Column("requester", String, comment="null: whoever asks"),
    Column("reason", Text, nullable=False),
    Column("created_by", String, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("until", Float),
    Column("withdrawn_by", String),
    Column("withdrawn_at", Float),
)
Index("standing_refusal_of", standing_refusal.c.tenant_id, standing_refusal.c.action)

approval_grant = Table(
    "approval_grant",
    metadata,
    Column("grant_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("action", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("schema_hash", String, nullable=False, comment="of the action as it was shown"),
    Column("arguments", JSON, nullable=False, comment="patterns by name; not named: absent"),
    Column("requester", String, nullable=False),
    Column("agent", String, nullable=False, comment="whose key proposes"),
    Column("raised", JSON, nullable=False, comment="what may raise a call's class"),
    Column("currency", String, nullable=False),
    Column("granted_by", String, nullable=False),
    Column("action_id", String, nullable=False, comment="that it started from; holds its entries"),
    Column("digest", String, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("uses", Integer, nullable=False),
    Column("amount", Float),
    Column("uses_left", Integer, nullable=False),
    Column("amount_left", Float),
    Column("revoked_by", String),
    Column("revoked_at", Float),
)
Index(
    "approval_grant_of",
    approval_grant.c.tenant_id,
    approval_grant.c.action,
    approval_grant.c.requester,
)

mcp_tool_pin = Table(
    "mcp_tool_pin",
    metadata,
    Column("pack", String, primary_key=True),
    Column("server", String, primary_key=True),
    Column("tool", String, primary_key=True),
    Column("sha256", String, nullable=False, comment="of the description that may be used"),
    Column("described", JSON, nullable=False),
    Column("pinned_at", Float, nullable=False),
    Column("accepted_by", String, comment="null: pinned when it was first seen"),
    Column("seen_sha256", String, comment="what its server says instead; null: the same"),
    Column("seen", JSON),
    Column("seen_at", Float),
)

declared_tool = Table(
    "declared_tool",
    metadata,
    Column("tenant_id", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("keeper", String, nullable=False, comment="the agent that declared it"),
    Column("sha256", String, nullable=False, comment="of the declaration that may be used"),
    Column("declared", JSON, nullable=False),
    Column("declared_at", Float, nullable=False),
    Column("accepted_by", String, comment="null: no change was accepted yet"),
    Column("seen_sha256", String, comment="what its agent declares instead; null: the same"),
    Column("seen", JSON),
    Column("seen_at", Float),
    Column("removed_at", Float, comment="its pin stays: declared again, it is held against it"),
    Column("used_at", Float, comment="when it was proposed first; null: a change counts at once"),
)

mcp_tool_acceptance = Table(
    "mcp_tool_acceptance",
    metadata,
    Column("acceptance_id", Integer, primary_key=True, autoincrement=True),
    Column("pack", String, nullable=False),
    Column("server", String, nullable=False),
    Column("tool", String, nullable=False),
    Column("before_sha256", String, nullable=False),
    Column("after_sha256", String, nullable=False),
    Column("before", JSON, nullable=False, comment="the whole description"),
    Column("after", JSON, nullable=False, comment="the whole description"),
    Column("tenant_id", String, nullable=False, comment="of the person"),
    Column("accepted_by", String, nullable=False),
    Column("accepted_at", Float, nullable=False),
)

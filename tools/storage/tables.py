"""Every table there is; times are seconds since 1970, JSON columns hold dumped nouns."""

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

decision = Table(
    "decision",
    metadata,
    Column("decision_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("source", String, nullable=False),
    Column("event_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("event", JSON, nullable=False),
    Column(
        "thread_id",
        String,
        nullable=False,
        comment="the LangGraph thread that decides it",
    ),
    Column(
        "standing",
        String,
        nullable=False,
        comment="accepted held released waiting recorded",
    ),
    Column("accepted_at", Float, nullable=False),
    Column("outcome", String),
    Column("recorded_at", Float),
    Column("record", JSON),
    Column("stages", JSON),
    CheckConstraint("standing in ('accepted','held','released','waiting','recorded')"),
    UniqueConstraint("tenant_id", "source", "event_id"),
)
Index(
    "decision_by_time",
    decision.c.tenant_id,
    decision.c.recorded_at,
    decision.c.decision_id,
)
Index("decision_by_standing", decision.c.standing, decision.c.accepted_at)

hold = Table(
    "hold",
    metadata,
    Column("decision_id", String, ForeignKey("decision.decision_id"), primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("timing", String, nullable=False),
    Column("release_on", JSON, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("held_at", Float, nullable=False),
    Column("released_at", Float),
    Column("released_by", String),
)
Index("hold_due", hold.c.released_at, hold.c.due_at)

session = Table(
    "session",
    metadata,
    Column("tenant_id", String, primary_key=True),
    Column("session_id", String, primary_key=True),
    Column("state", JSON, nullable=False),
    Column("updated_at", Float, nullable=False),
)

offer = Table(
    "offer",
    metadata,
    Column("offer_id", String, primary_key=True),
    Column("decision_id", String, nullable=False, unique=True),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("body", JSON, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("chosen", String),
    Column("chosen_by", String),
    Column("chosen_at", Float),
    Column("chosen_arguments", JSON),
    Column("chosen_decision_id", String, unique=True),
)
Index("offer_by_tenant", offer.c.tenant_id, offer.c.expires_at)

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
    CheckConstraint("execution_class in ('A','B','C')"),
    CheckConstraint(
        "state in ('pending','approved','started','succeeded','failed','unknown',"
        "'rejected','expired','superseded','stale')"
    ),
)
Index("ledger_by_decision", ledger_action.c.decision_id)
Index("ledger_by_state", ledger_action.c.tenant_id, ledger_action.c.state)

ledger_approval = Table(
    "ledger_approval",
    metadata,
    Column("action_id", String, ForeignKey("ledger_action.action_id"), primary_key=True),
    Column("approver", String, primary_key=True),
    Column("decision", String, nullable=False),
    Column("digest_seen", String, nullable=False),
    Column("method", String, nullable=False, comment="approval, edit or chip"),
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
)
Index("ledger_entry_by_action", ledger_entry.c.action_id)

noted_decision = Table(
    "noted_decision",
    metadata,
    Column("note_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column(
        "decision_id",
        String,
        nullable=False,
        comment="the decision on the message it was in",
    ),
    Column("decision", Text, nullable=False),
    Column("rationale", Text, nullable=False),
    Column("decision_maker", String),
    Column("confidence", Float, nullable=False),
    Column("body", JSON, nullable=False),
    Column("decided_at", Float, nullable=False),
)
Index("noted_by_tenant", noted_decision.c.tenant_id, noted_decision.c.decided_at)

api_key = Table(
    "api_key",
    metadata,
    Column("key_id", String, primary_key=True),
    Column("secret_sha256", String, nullable=False, unique=True),
    Column("tenant_id", String, nullable=False),
    Column("user", String, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("kind", String, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("revoked_at", Float),
)

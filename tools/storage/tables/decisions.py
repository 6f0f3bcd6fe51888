"""Tables of decisions and what belongs to them; times are seconds since 1970.

Decisions, holds, sessions, profiles, offers, API keys, idempotent responses, reminders and
clock events.
"""

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from tools.storage.tables.metadata import metadata

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
)
Index("decision_by_event", decision.c.tenant_id, decision.c.event_id)
Index(
    "decision_by_time",
    decision.c.tenant_id,
    decision.c.recorded_at,
    decision.c.decision_id,
)
Index(
    "decision_of_events",
    decision.c.tenant_id,
    decision.c.recorded_at,
    decision.c.source,
    decision.c.outcome,
    sqlite_where=decision.c.kind == "ambient",
)
Index("decision_by_standing", decision.c.standing, decision.c.accepted_at)
Index(
    "decision_of_calls",
    decision.c.tenant_id,
    decision.c.accepted_at,
    decision.c.decision_id,
    sqlite_where=decision.c.kind == "proposal",
)

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
    Column("group_key", String, nullable=False, server_default="?"),
    Column("identity", String, nullable=False, server_default="?"),
    Column("relevance", Float, nullable=False, server_default="0"),
    Column("urgency", Float, nullable=False, server_default="0"),
    Column("life_seconds", Float, nullable=False, server_default="600"),
)
Index("hold_due", hold.c.released_at, hold.c.due_at)
Index("hold_of_session", hold.c.tenant_id, hold.c.session_id, hold.c.group_key)

session = Table(
    "session",
    metadata,
    Column("tenant_id", String, primary_key=True),
    Column("session_id", String, primary_key=True),
    Column("state", JSON, nullable=False),
    Column("updated_at", Float, nullable=False),
)
Index("session_by_time", session.c.updated_at)

profile = Table(
    "profile",
    metadata,
    Column("tenant_id", String, primary_key=True),
    Column("user", String, primary_key=True, comment="whose: the name on the key"),
    Column("body", JSON, nullable=False, comment="template, overrides, rapport"),
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
    Column("scopes", JSON, comment="what it is good for; null: everything"),
    Column("sources", JSON(none_as_null=True), comment="it sends as these alone; null: as any"),
)
Index(
    "api_key_with_sources",
    api_key.c.tenant_id,
    sqlite_where=api_key.c.sources.is_not(None),
)


reminder = Table(
    "reminder",
    metadata,
    Column("reminder_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("user", String),
    Column("text", Text, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("standing", String, nullable=False, comment="scheduled told cancelled"),
    Column("decision_id", String, comment="the decision that told it"),
    Column("repeats", JSON, comment="null: it is told once"),
    Column("on_event", Text, comment="what has to happen; then due_at is the end of the wait"),
    Column("seen_at", Float, comment="when that happened last"),
    CheckConstraint("standing in ('scheduled','told','cancelled')"),
)
Index("reminder_due", reminder.c.standing, reminder.c.due_at)
Index("reminder_of_session", reminder.c.tenant_id, reminder.c.session_id, reminder.c.due_at)
Index(
    "reminder_on_event",
    reminder.c.tenant_id,
    reminder.c.session_id,
    sqlite_where=reminder.c.on_event.is_not(None) & (reminder.c.standing == "scheduled"),
)

initiative = Table(
    "initiative",
    metadata,
    Column("decision_id", String, primary_key=True),
    Column("body", JSON, nullable=False),
    Column("at", Float, nullable=False),
)
Index("initiative_by_time", initiative.c.at)


kept_answer = Table(
    "kept_answer",
    metadata,
    Column("tenant_id", String, primary_key=True),
    Column("user", String, primary_key=True),
    Column("key", String, primary_key=True, comment="the caller's Idempotency-Key"),
    Column("request_sha256", String, nullable=False, comment="of method, address and body"),
    Column("taken_by", String, nullable=False, comment="the process that is or was at it"),
    Column("expires_at", Float, nullable=False),
    Column("status", Integer, comment="null: not answered yet"),
    Column("headers", JSON),
    Column("body", LargeBinary, comment="compressed"),
)
Index("kept_answer_by_end", kept_answer.c.expires_at)

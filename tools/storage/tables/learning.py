"""Reasoning traces, what people said of responses, and what was learned; times since 1970."""

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Float,
    Index,
    PrimaryKeyConstraint,
    String,
    Table,
)

from tools.storage.tables.metadata import metadata

reasoning_trace = Table(
    "reasoning_trace",
    metadata,
    Column("response_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("decision_id", String, nullable=False),
    Column("heuristic_id", String, comment="the one that spoke, or that a model agreed with"),
    Column("at", Float, nullable=False),
    Column("body", JSON, nullable=False),
)
Index(
    "trace_of_session",
    reasoning_trace.c.tenant_id,
    reasoning_trace.c.session_id,
    reasoning_trace.c.at,
)
Index("trace_by_decision", reasoning_trace.c.decision_id)
Index("trace_by_time", reasoning_trace.c.at)

feedback = Table(
    "feedback",
    metadata,
    Column("tenant_id", String, nullable=False),
    Column("response_id", String, nullable=False),
    Column("kind", String, nullable=False, comment="explicit implicit"),
    Column("heuristic_id", String, comment="what it counts for; null: for none"),
    Column("session_id", String, nullable=False),
    Column("sign", String, nullable=False),
    Column("attribution", String),
    Column("strength", Float, nullable=False),
    Column("given_by", String),
    Column("first_at", Float, nullable=False, comment="its place in the order, however often said"),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("tenant_id", "response_id", "kind"),
    CheckConstraint("kind in ('explicit','implicit')"),
)
Index("feedback_of_heuristic", feedback.c.tenant_id, feedback.c.heuristic_id, feedback.c.first_at)

heuristic = Table(
    "heuristic",
    metadata,
    Column("tenant_id", String, nullable=False),
    Column("heuristic_id", String, nullable=False),
    Column("body", JSON, nullable=False),
    Column("made_at", Float, nullable=False),
    PrimaryKeyConstraint("tenant_id", "heuristic_id"),
)

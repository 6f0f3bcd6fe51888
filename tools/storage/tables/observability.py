"""Tables of the query log, of policy quality per turn, and of what people regret."""

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from tools.storage.tables.metadata import metadata

query_log = Table(
    "query_log",
    metadata,
    Column("decision_id", String, primary_key=True, comment="of the message; clicks add to it"),
    Column("tenant_id", String, nullable=False, comment="yacht_id of the execution contract"),
    Column("session_id", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("user", String),
    Column("user_role", String),
    Column("raw_text", Text, nullable=False),
    Column("normalized", Text, nullable=False),
    Column("tokens", JSON, nullable=False),
    Column("verb_family", String),
    Column("predicted_action", String),
    Column("confidence", Float),
    Column("alternatives", JSON, nullable=False),
    Column("execution_class", String, comment="auto suggest confirm refuse ask none"),
    Column("entities", JSON, nullable=False),
    Column("reasons", JSON, nullable=False, comment="what raised the class"),
    Column("collision", String, nullable=False),
    Column("phase", String, nullable=False),
    Column("chip_ordering", String),
    Column("offer_id", String),
    Column("chips_shown", JSON, nullable=False),
    Column("chip_chosen", String),
    Column("chip_position", Integer, comment="1 is the primary"),
    Column("chosen_at", Float),
    Column("action_id", String, comment="the ledger row that came of it"),
    Column("action_executed", String),
    Column("execution_method", String, comment="auto chip_click chip_said confirmation"),
    Column("executed_at", Float),
    Column("time_to_action_ms", Float),
    Column("undo_triggered", Boolean, nullable=False, server_default="0"),
    Column("action_observed", String, comment="what the person then did elsewhere"),
    Column("observed_at", Float),
    Column("collision_observed", String),
    Column("outcome", String, nullable=False),
)
Index("query_log_by_time", query_log.c.tenant_id, query_log.c.at)
Index("query_log_by_session", query_log.c.tenant_id, query_log.c.session_id, query_log.c.at)
Index("query_log_by_offer", query_log.c.offer_id)
Index("query_log_by_action", query_log.c.action_id)


quality_turn = Table(
    "quality_turn",
    metadata,
    Column("decision_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("at", Float, nullable=False, comment="when it was taken in"),
    Column("intent", String),
    Column("action", String),
    Column("direct", Boolean, nullable=False),
    Column("called", Boolean, nullable=False),
    Column("clarified", Boolean, nullable=False),
    Column("recency_asked", Boolean, nullable=False),
    Column("recency_kept", Boolean, nullable=False),
    Column("stage_due", Boolean, nullable=False),
    Column("stage_made", Boolean, nullable=False),
)
Index("quality_turn_by_pack", quality_turn.c.tenant_id, quality_turn.c.pack, quality_turn.c.at)

quality_reset = Table(
    "quality_reset",
    metadata,
    Column("reset_id", Integer, primary_key=True, autoincrement=True),
    Column("tenant_id", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("by", String, nullable=False),
)
Index("quality_reset_of", quality_reset.c.tenant_id, quality_reset.c.pack)


regret = Table(
    "regret",
    metadata,
    Column(
        "decision_id", String, primary_key=True, comment="of the event: spoken about, or passed"
    ),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("source", String, nullable=False),
    Column("kind", String, nullable=False, comment="utterance silence"),
    Column("cause", String, nullable=False, comment="what somebody did that says so"),
    Column("decided_at", Float, nullable=False, comment="when the event was decided on"),
    Column("at", Float, nullable=False, comment="when it was regretted"),
    Column("said_in", String, nullable=False, comment="the decision on what they did"),
    CheckConstraint("kind in ('utterance','silence')"),
)
Index("regret_by_time", regret.c.tenant_id, regret.c.decided_at)

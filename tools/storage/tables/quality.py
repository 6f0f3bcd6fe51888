"""What each turn says about policy, as a table, and when its figures began anew."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table

from tools.storage.tables.metadata import metadata

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

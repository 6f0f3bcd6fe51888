"""The pinned tools of MCP servers, and every acceptance of a change; times since 1970."""

from sqlalchemy import JSON, Column, Float, Integer, String, Table

from tools.storage.tables.metadata import metadata

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

"""Answers that are kept for whoever sends the same request again."""

from sqlalchemy import JSON, Column, Float, Index, Integer, LargeBinary, String, Table

from tools.storage.tables.metadata import metadata

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

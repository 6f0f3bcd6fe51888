"""What is to be told to other services: an outbox, a row an endpoint and event."""

from sqlalchemy import CheckConstraint, Column, Float, Index, Integer, String, Table, Text

from tools.storage.tables.metadata import metadata

webhook_delivery = Table(
    "webhook_delivery",
    metadata,
    Column("delivery_id", Integer, primary_key=True),
    Column("event_id", String, nullable=False, comment="the same each time it is sent"),
    Column("tenant_id", String, nullable=False),
    Column("endpoint", String, nullable=False, comment="the name that the deployment gave it"),
    Column("kind", String, nullable=False),
    Column("body", Text, nullable=False, comment="as it is sent, byte for byte"),
    Column("made_at", Float, nullable=False),
    Column("standing", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", Float, nullable=False, comment="not sent before"),
    Column("ended_at", Float, comment="when it arrived, or was given up"),
    Column("problem", Text, comment="why the last attempt failed"),
    CheckConstraint("standing in ('pending','delivered','dead')"),
)
Index(
    "webhook_by_endpoint",
    webhook_delivery.c.standing,
    webhook_delivery.c.endpoint,
    webhook_delivery.c.delivery_id,
)

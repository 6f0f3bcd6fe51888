"""Reminders, and what our own clock meant by its ticks; times are seconds since 1970."""

from sqlalchemy import JSON, CheckConstraint, Column, Float, Index, String, Table, Text

from tools.storage.tables.metadata import metadata

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
    CheckConstraint("standing in ('scheduled','told','cancelled')"),
)
Index("reminder_due", reminder.c.standing, reminder.c.due_at)
Index("reminder_of_session", reminder.c.tenant_id, reminder.c.session_id, reminder.c.due_at)

initiative = Table(
    "initiative",
    metadata,
    Column("decision_id", String, primary_key=True),
    Column("body", JSON, nullable=False),
    Column("at", Float, nullable=False),
)
Index("initiative_by_time", initiative.c.at)

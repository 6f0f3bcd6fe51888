"""Outboxes: vector changes (written by triggers), webhook deliveries, messages to people.

And the links to approvals that such messages carry.
"""

from collections.abc import Iterator

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from tools.storage.tables.metadata import metadata

vector_outbox = Table(
    "vector_outbox",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("kind", String, nullable=False, comment="journal memory"),
    Column("tenant_id", String, nullable=False),
    Column("encoder", String, nullable=False),
    Column("item", Integer, nullable=False, comment="the row whose vectors changed or went"),
)
Index(
    "vector_outbox_of",
    vector_outbox.c.kind,
    vector_outbox.c.tenant_id,
    vector_outbox.c.encoder,
    vector_outbox.c.item,
)


def outbox_triggers(kind: str, owner: str, key: str) -> Iterator[str]:
    """Write the triggers of `{kind}_vector`, whose rows go with those of `owner`.

    A row that goes takes its vectors along, and SQLite removes it before them: so whose they were
    is noted before, and what is removed with it notes nothing more.
    """
    noted = "INSERT INTO vector_outbox (kind, tenant_id, encoder, item)"
    for happens, row in (
        ("INSERT", "NEW"),
        ("UPDATE", "OLD"),
        ("UPDATE", "NEW"),
        ("DELETE", "OLD"),
    ):
        name = f"{kind}_vector_{happens}_{row}".lower()
        yield f"""CREATE TRIGGER {name} AFTER {happens} ON {kind}_vector
        BEGIN {noted} SELECT '{kind}', tenant_id, {row}.encoder, {key} FROM {owner}
        WHERE {key} = {row}.{key}; END"""  # noqa: S608  # names of our own
    yield f"""CREATE TRIGGER {kind}_vector_orphan BEFORE DELETE ON {owner}
        BEGIN {noted} SELECT DISTINCT '{kind}', OLD.tenant_id, encoder, {key} FROM {kind}_vector
        WHERE {key} = OLD.{key}; END"""  # noqa: S608  # as above


JOURNAL = tuple(outbox_triggers("journal", "journal_entry", "entry_id"))
MEMORY = tuple(outbox_triggers("memory", "memory_entry", "entry_id"))
TRIGGERS = (*JOURNAL, *MEMORY)
"""SQLite's own: whoever writes or removes a vector, the index hears of it."""


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

channel_message = Table(
    "channel_message",
    metadata,
    Column("message_id", Integer, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("action_id", String, nullable=False),
    Column("recipient", String, nullable=False, comment="a person, # and a room, or empty: nobody"),
    Column("kind", String, nullable=False, comment="asked, reminder, escalation.N"),
    Column("made_at", Float, nullable=False),
    Column("standing", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", Float, nullable=False, comment="not sent before"),
    Column("ended_at", Float),
    Column("problem", Text, comment="why it was not delivered"),
    CheckConstraint("standing in ('pending','delivered','dead')"),
    UniqueConstraint("action_id", "kind", "recipient"),
)
Index("channel_message_due", channel_message.c.standing, channel_message.c.next_at)

approval_link = Table(
    "approval_link",
    metadata,
    Column("link_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("action_id", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("person", String, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("used_at", Float, comment="by an answer; a look at its page is none"),
)

"""Tables of the decision journal, and its full-text index kept in step by SQLite triggers."""

from sqlalchemy import (
    JSON,
    Boolean,
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
    UniqueConstraint,
    text,
)

from tools.storage.tables.metadata import metadata

journal_entry = Table(
    "journal_entry",
    metadata,
    Column("entry_id", Integer, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("origin", String, nullable=False),
    Column("status", String, nullable=False),
    Column("decided_at", Float, comment="when it was taken; null: nobody knows"),
    Column("recorded_at", Float, nullable=False),
    Column("title", Text, nullable=False),
    Column("decision", Text, nullable=False),
    Column("reasons", Text, nullable=False, comment="context and rationale"),
    Column("details", Text, nullable=False, comment="alternatives, trade-offs, tags, links"),
    Column("body", JSON, nullable=False, comment="the whole decision"),
    Column(
        "is_compared",
        Boolean,
        nullable=False,
        server_default=text("1"),
        comment="0: nobody has looked yet which earlier decisions it replaces",
    ),
    UniqueConstraint("tenant_id", "id"),
    CheckConstraint(
        "status in ('active','superseded','revisited','proposed','rejected','unknown')",
        name="journal_entry_status",
    ),
)
Index(
    "journal_not_compared",
    journal_entry.c.entry_id,
    sqlite_where=~journal_entry.c.is_compared,
    postgresql_where=~journal_entry.c.is_compared,
)
Index("journal_by_time", journal_entry.c.tenant_id, journal_entry.c.decided_at)


def _of_entry() -> Column[int]:
    """Name the entry that a row goes with."""
    gone_with = ForeignKey("journal_entry.entry_id", ondelete="CASCADE")
    return Column("entry_id", Integer, gone_with, primary_key=True)


journal_person = Table(
    "journal_person",
    metadata,
    _of_entry(),
    Column("name", String, primary_key=True, comment="folded: no at sign, lower case"),
)
Index("journal_of_person", journal_person.c.name, journal_person.c.entry_id)

journal_vector = Table(
    "journal_vector",
    metadata,
    _of_entry(),
    Column("encoder", String, primary_key=True),
    Column("part", Integer, primary_key=True, comment="0: what was decided, 1: why"),
    Column("vector", LargeBinary, nullable=False, comment="float32, unit length"),
)

journal_said = Table(
    "journal_said",
    metadata,
    _of_entry(),
    Column("message_id", String, primary_key=True),
    Column("place", Integer, nullable=False, comment="its order in the import"),
    Column("message", JSON, nullable=False, comment="the whole message"),
)

journal_link = Table(
    "journal_link",
    metadata,
    Column("link_id", Integer, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("newer", String, nullable=False),
    Column("older", String, nullable=False),
    Column("scope", String, nullable=False, comment="full: nothing of the older one is left"),
    Column("standing", String, nullable=False),
    Column("source", String, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Column("made_by", String, comment="null: our rules"),
    Column("made_at", Float, nullable=False),
    Column("settled_by", String),
    Column("settled_at", Float),
    Column("older_was", String, comment="status of the older one before; for taking it back"),
    UniqueConstraint("tenant_id", "newer", "older"),
    CheckConstraint("newer <> older"),
    CheckConstraint("scope in ('full','partial')"),
    CheckConstraint("standing in ('proposed','accepted','refused')"),
)
Index("journal_link_of_older", journal_link.c.tenant_id, journal_link.c.older)

FULL_TEXT = (
    """CREATE VIRTUAL TABLE journal_text USING fts5(
        title, decision, reasons, details, content='journal_entry', content_rowid='entry_id',
        tokenize='porter unicode61 remove_diacritics 2')""",
    """CREATE TRIGGER journal_text_gains AFTER INSERT ON journal_entry BEGIN
        INSERT INTO journal_text (rowid, title, decision, reasons, details)
        VALUES (NEW.entry_id, NEW.title, NEW.decision, NEW.reasons, NEW.details);
        END""",
    """CREATE TRIGGER journal_text_loses AFTER DELETE ON journal_entry BEGIN
        INSERT INTO journal_text (journal_text, rowid, title, decision, reasons, details)
        VALUES ('delete', OLD.entry_id, OLD.title, OLD.decision, OLD.reasons, OLD.details);
        END""",
    """CREATE TRIGGER journal_text_changes
        AFTER UPDATE OF title, decision, reasons, details ON journal_entry BEGIN
        INSERT INTO journal_text (journal_text, rowid, title, decision, reasons, details)
        VALUES ('delete', OLD.entry_id, OLD.title, OLD.decision, OLD.reasons, OLD.details);
        INSERT INTO journal_text (rowid, title, decision, reasons, details)
        VALUES (NEW.entry_id, NEW.title, NEW.decision, NEW.reasons, NEW.details);
        END""",
)
"""SQLite's own: in the same transaction as the row, so that the index can never lag behind it."""

"""What was said in sessions, by people and by us, for recalling it; times since 1970."""

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
    UniqueConstraint,
)

from tools.storage.tables.metadata import metadata

memory_entry = Table(
    "memory_entry",
    metadata,
    Column("entry_id", Integer, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("decision_id", String, nullable=False),
    Column("said_by", String, nullable=False, comment="person us"),
    Column("user", String, comment="the person who said it, or whom we answered"),
    Column("at", Float, nullable=False),
    Column("text", Text, nullable=False),
    Column("about", Text, nullable=False, comment="source and entities, for finding it"),
    Column("body", JSON, nullable=False, comment="of ours: type, skills, traits, event"),
    Column("reaction", String, comment="good bad ignored"),
    CheckConstraint("said_by in ('person','us')"),
    UniqueConstraint("decision_id", "said_by"),
)
Index("memory_of_session", memory_entry.c.tenant_id, memory_entry.c.session_id, memory_entry.c.at)
Index("memory_by_time", memory_entry.c.at)

memory_vector = Table(
    "memory_vector",
    metadata,
    Column(
        "entry_id",
        Integer,
        ForeignKey("memory_entry.entry_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("encoder", String, primary_key=True),
    Column("vector", LargeBinary, nullable=False, comment="float32, unit length"),
)

FULL_TEXT = (
    """CREATE VIRTUAL TABLE memory_text USING fts5(
        text, about, content='memory_entry', content_rowid='entry_id',
        tokenize='porter unicode61 remove_diacritics 2')""",
    """CREATE TRIGGER memory_text_gains AFTER INSERT ON memory_entry BEGIN
        INSERT INTO memory_text (rowid, text, about)
        VALUES (NEW.entry_id, NEW.text, NEW.about);
        END""",
    """CREATE TRIGGER memory_text_loses AFTER DELETE ON memory_entry BEGIN
        INSERT INTO memory_text (memory_text, rowid, text, about)
        VALUES ('delete', OLD.entry_id, OLD.text, OLD.about);
        END""",
)
"""SQLite's own, in the row's transaction; a text never changes."""

"""Tables of memory; times are seconds since 1970.

Utterances with their full-text index, reasoning traces, feedback and learned heuristics.
"""

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
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

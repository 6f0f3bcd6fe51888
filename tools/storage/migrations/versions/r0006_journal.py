"""Add the decision journal: entries, who took part, vectors, and the full-text index."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

# As the full-text index was in this revision; a later one changes it in a file of its own.
_FULL_TEXT = (
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


def upgrade() -> None:
    op.create_table(
        "journal_entry",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("decided_at", sa.Float(), comment="when it was taken; null: nobody knows"),
        sa.Column("recorded_at", sa.Float(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False, comment="context and rationale"),
        sa.Column(
            "details", sa.Text(), nullable=False, comment="alternatives, trade-offs, tags, links"
        ),
        sa.Column("body", sa.JSON(), nullable=False, comment="the whole decision"),
        sa.CheckConstraint("status in ('active','superseded','revisited','proposed','rejected')"),
        sa.PrimaryKeyConstraint("entry_id"),
        sa.UniqueConstraint("tenant_id", "id"),
    )
    op.create_index("journal_by_time", "journal_entry", ["tenant_id", "decided_at"])
    op.create_table(
        "journal_person",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False, comment="folded: no at sign, lower case"),
        sa.ForeignKeyConstraint(["entry_id"], ["journal_entry.entry_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("entry_id", "name"),
    )
    op.create_index("journal_of_person", "journal_person", ["name", "entry_id"])
    op.create_table(
        "journal_vector",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("encoder", sa.String(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False, comment="0: what was decided, 1: why"),
        sa.Column("vector", sa.LargeBinary(), nullable=False, comment="float32, unit length"),
        sa.ForeignKeyConstraint(["entry_id"], ["journal_entry.entry_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("entry_id", "encoder", "part"),
    )
    if op.get_bind().dialect.name == "sqlite":
        for statement in _FULL_TEXT:
            op.get_bind().exec_driver_sql(statement)

"""Add reminders, the ticks that speak, and what was said in sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# As the full-text index was in this revision; a later one changes it in a file of its own.
_FULL_TEXT = (
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


def upgrade() -> None:
    op.create_table(
        "reminder",
        sa.Column("reminder_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("user", sa.String()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=False),
        sa.Column("standing", sa.String(), nullable=False, comment="scheduled told cancelled"),
        sa.Column("decision_id", sa.String(), comment="the decision that told it"),
        sa.CheckConstraint("standing in ('scheduled','told','cancelled')"),
        sa.PrimaryKeyConstraint("reminder_id"),
    )
    op.create_index("reminder_due", "reminder", ["standing", "due_at"])
    op.create_index("reminder_of_session", "reminder", ["tenant_id", "session_id", "due_at"])
    op.create_table(
        "initiative",
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("decision_id"),
    )
    op.create_index("initiative_by_time", "initiative", ["at"])
    op.create_index("session_by_time", "session", ["updated_at"])
    op.create_table(
        "memory_entry",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("decision_id", sa.String(), nullable=False),
        sa.Column("said_by", sa.String(), nullable=False, comment="person us"),
        sa.Column("user", sa.String(), comment="the person who said it, or whom we answered"),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column(
            "about", sa.Text(), nullable=False, comment="source and entities, for finding it"
        ),
        sa.Column(
            "body", sa.JSON(), nullable=False, comment="of ours: type, skills, traits, event"
        ),
        sa.Column("reaction", sa.String(), comment="good bad ignored"),
        sa.CheckConstraint("said_by in ('person','us')"),
        sa.PrimaryKeyConstraint("entry_id"),
        sa.UniqueConstraint("decision_id", "said_by"),
    )
    op.create_index("memory_of_session", "memory_entry", ["tenant_id", "session_id", "at"])
    op.create_index("memory_by_time", "memory_entry", ["at"])
    if op.get_bind().dialect.name == "sqlite":
        for statement in _FULL_TEXT:
            op.get_bind().exec_driver_sql(statement)

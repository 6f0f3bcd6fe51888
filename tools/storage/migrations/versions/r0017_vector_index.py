"""Add the vectors of what was said, and what the index of vectors is told; all is told anew."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

# As they were in this revision; a later one changes them in a file of its own.
_TRIGGERS = (
    """CREATE TRIGGER journal_vector_insert_new AFTER INSERT ON journal_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'journal', tenant_id, NEW.encoder, entry_id FROM journal_entry
        WHERE entry_id = NEW.entry_id; END""",
    """CREATE TRIGGER journal_vector_update_old AFTER UPDATE ON journal_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'journal', tenant_id, OLD.encoder, entry_id FROM journal_entry
        WHERE entry_id = OLD.entry_id; END""",
    """CREATE TRIGGER journal_vector_update_new AFTER UPDATE ON journal_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'journal', tenant_id, NEW.encoder, entry_id FROM journal_entry
        WHERE entry_id = NEW.entry_id; END""",
    """CREATE TRIGGER journal_vector_delete_old AFTER DELETE ON journal_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'journal', tenant_id, OLD.encoder, entry_id FROM journal_entry
        WHERE entry_id = OLD.entry_id; END""",
    """CREATE TRIGGER journal_vector_orphan BEFORE DELETE ON journal_entry
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT DISTINCT 'journal', OLD.tenant_id, encoder, entry_id FROM journal_vector
        WHERE entry_id = OLD.entry_id; END""",
    """CREATE TRIGGER memory_vector_insert_new AFTER INSERT ON memory_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'memory', tenant_id, NEW.encoder, entry_id FROM memory_entry
        WHERE entry_id = NEW.entry_id; END""",
    """CREATE TRIGGER memory_vector_update_old AFTER UPDATE ON memory_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'memory', tenant_id, OLD.encoder, entry_id FROM memory_entry
        WHERE entry_id = OLD.entry_id; END""",
    """CREATE TRIGGER memory_vector_update_new AFTER UPDATE ON memory_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'memory', tenant_id, NEW.encoder, entry_id FROM memory_entry
        WHERE entry_id = NEW.entry_id; END""",
    """CREATE TRIGGER memory_vector_delete_old AFTER DELETE ON memory_vector
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT 'memory', tenant_id, OLD.encoder, entry_id FROM memory_entry
        WHERE entry_id = OLD.entry_id; END""",
    """CREATE TRIGGER memory_vector_orphan BEFORE DELETE ON memory_entry
        BEGIN INSERT INTO vector_outbox (kind, tenant_id, encoder, item) SELECT DISTINCT 'memory', OLD.tenant_id, encoder, entry_id FROM memory_vector
        WHERE entry_id = OLD.entry_id; END""",
)
_ALL_THERE_IS = """INSERT INTO vector_outbox (kind, tenant_id, encoder, item)
    SELECT DISTINCT 'journal', tenant_id, encoder, entry_id
    FROM journal_vector JOIN journal_entry USING (entry_id)"""


def upgrade() -> None:
    op.create_table(
        "memory_vector",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("encoder", sa.String(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False, comment="float32, unit length"),
        sa.ForeignKeyConstraint(["entry_id"], ["memory_entry.entry_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("entry_id", "encoder"),
    )
    op.create_table(
        "vector_outbox",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False, comment="journal memory"),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("encoder", sa.String(), nullable=False),
        sa.Column(
            "item", sa.Integer(), nullable=False, comment="the row whose vectors changed or went"
        ),
        sa.PrimaryKeyConstraint("seq"),
    )
    op.create_index("vector_outbox_of", "vector_outbox", ["kind", "tenant_id", "encoder", "item"])
    op.get_bind().exec_driver_sql(_ALL_THERE_IS)
    if op.get_bind().dialect.name == "sqlite":
        for statement in _TRIGGERS:
            op.get_bind().exec_driver_sql(statement)

"""Let a decision of the journal stand as unknown."""

import warnings

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_TRIGGERS = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'journal_entry'"


def upgrade() -> None:
    # Rebuilt, because SQLite cannot change a check; that of 0006 has no name and goes. So do the
    # triggers, whichever there are.
    connection = op.get_bind()
    is_sqlite = connection.dialect.name == "sqlite"
    triggers = [*connection.exec_driver_sql(_TRIGGERS).scalars()] if is_sqlite else []
    if not is_sqlite:
        op.execute("ALTER TABLE journal_entry DROP CONSTRAINT IF EXISTS journal_entry_status_check")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Unnamed CHECK constraint")
        with op.batch_alter_table(
            "journal_entry", recreate="always" if is_sqlite else "never"
        ) as entry:
            entry.create_check_constraint(
                "journal_entry_status",
                "status in ('active','superseded','revisited','proposed','rejected','unknown')",
            )
    for statement in triggers:
        connection.exec_driver_sql(statement)

"""Run the revisions on the connection that `upgrade` hands over."""

from alembic import context

from tools.storage import journal_tables, ledger_tables, quality_table, query_table, tables
from tools.storage.metadata import metadata

TABLES = (tables, ledger_tables, query_table, quality_table, journal_tables)
"""Imported so that the metadata knows every table."""

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()

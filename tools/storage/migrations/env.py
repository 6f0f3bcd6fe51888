"""Run the revisions on the connection that `upgrade` hands over."""

from alembic import context

from tools.storage import upgrade
from tools.storage.tables.metadata import metadata

TABLES = upgrade.TABLES
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()

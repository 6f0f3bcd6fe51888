"""Run the revisions on the connection that `upgrade` hands over."""

from alembic import context

from tools.storage import upgrade  # imports every module of tables
from tools.storage.metadata import metadata

TABLES = upgrade.TABLES
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()

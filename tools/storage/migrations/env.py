"""Run the revisions on the connection that `upgrade` hands over."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,
)
context.run_migrations()

"""Table definitions by subject, and the metadata that Alembic compares with."""

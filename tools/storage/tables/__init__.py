"""Our tables, a file for each concern, and what Alembic compares a database with."""

"""Our tables: one SQLite file through SQLAlchemy Core, migrated by Alembic."""

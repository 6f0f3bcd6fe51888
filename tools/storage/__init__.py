"""The database: one SQLite file through SQLAlchemy Core, migrated by Alembic."""

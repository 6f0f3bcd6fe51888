"""Alembic's own folder: the environment and one file a revision."""

"""Bring a database to the newest schema, once, when it is opened."""

from pathlib import Path

from sqlalchemy import Engine, inspect, text

HEAD = "0002"
"""The newest revision; a test holds it against Alembic's own answer."""


def upgrade(engine: Engine) -> None:
    """Migrate to HEAD; a database that is there already costs one query and no Alembic import."""
    if _revision(engine) == HEAD:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("select version_num from alembic_version")).scalar()

"""Bring a database to the newest schema, once, when it is opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

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
    with engine.connect() as connection, _unlinked(connection), connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if connection.dialect.name == "sqlite":
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            if broken:
                raise RuntimeError(f"the upgrade would leave {len(broken)} rows without their row")


@contextmanager
def _unlinked(connection: Connection) -> Iterator[None]:
    """Let tables be rebuilt that others point at; SQLite takes this outside a transaction only."""
    driver = connection.connection.driver_connection
    if connection.dialect.name != "sqlite" or driver is None:
        yield
        return
    [(before,)] = driver.execute("PRAGMA foreign_keys").fetchall()
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA foreign_keys = {before}")


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("select version_num from alembic_version")).scalar()

"""Migrate a database to the newest schema when it is opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, ExecutableDDLElement, create_mock_engine, inspect, text

from state.errors import BadInput
from tools.storage.tables import decisions, journal, ledger, memory, observability, outboxes
from tools.storage.tables.ledger import GUARDS
from tools.storage.tables.metadata import metadata

HEAD = "0024"
"""The newest revision; a test holds it against Alembic's own answer."""
_TABLES = (decisions, journal, ledger, memory, observability, outboxes)
"""Imported so that the metadata knows every table."""
_VERSION = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)


def upgrade(engine: Engine) -> None:
    """Bring it to HEAD; one that is new, or there already, does without Alembic.

    A new one is made as it stands at HEAD, in a tenth of the time; a test holds it against one
    that went through every revision.

    Raises:
        BadInput: a newer version of this code made it.
    """
    revision = _revision(engine)
    if revision == HEAD or _make(engine):
        return
    if revision is not None and is_newer(revision):
        raise BadInput(newer_schema_message(revision))
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


def is_newer(revision: str) -> bool:
    """Tell whether a revision comes after ours; they are numbers of one width."""
    return revision > HEAD


def newer_schema_message(revision: str) -> str:
    """Say what a database of a newer version means for whoever opened it."""
    return (
        f"the database is of revision {revision}, and this version knows those up to {HEAD}: "
        "run the newer version, or restore a backup that this one made"
    )


def _make(engine: Engine) -> bool:
    """Make every table in an empty SQLite database; False: it is something else."""
    if engine.dialect.name != "sqlite":
        return False
    with engine.begin() as connection:
        if connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1").first():
            return False
        for statement in _statements():
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (HEAD,))
    return True


@cache
def _statements() -> tuple[str, ...]:
    """Write the newest schema as SQLite's SQL; once, for it takes longer than running it."""
    written: list[str] = []

    def write(statement: ExecutableDDLElement, *_: object, **__: object) -> None:
        written.append(str(statement.compile(dialect=writing.dialect)))

    writing = create_mock_engine("sqlite://", write)
    metadata.create_all(writing, checkfirst=False)
    full_text = (*journal.FULL_TEXT, *memory.FULL_TEXT)
    return (*written, *GUARDS, *full_text, *outboxes.TRIGGERS, _VERSION)


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

"""Open the companion's own SQLite file, made on first use, for one short transaction."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from state.errors import Busy, Conflict

FILE = "companion.sqlite"
VERSION = 1
BUSY_SECONDS = 5.0
"""How long a transaction waits for another one before it gives up."""

_SCHEMA = Path(__file__).with_name("schema.sql")


@contextmanager
def reading(data_dir: str | Path) -> Iterator[sqlite3.Connection]:
    """Give a connection on one snapshot of the store; whatever is written is thrown away.

    Raises:
        Busy: somebody else held the store for longer than BUSY_SECONDS.
        Conflict: the file is not a store of this pack.
    """
    with _opened(data_dir) as connection:
        connection.execute("BEGIN")
        try:
            yield connection
        finally:
            _roll_back(connection)


@contextmanager
def writing(data_dir: str | Path) -> Iterator[sqlite3.Connection]:
    """Give a connection inside one write transaction: all of it on the disk, or none of it.

    Raises:
        Busy: somebody else held the store for longer than BUSY_SECONDS; nothing was changed.
        Conflict: the file is not a store of this pack.
    """
    with _opened(data_dir) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        finally:
            _roll_back(connection)


@contextmanager
def _opened(data_dir: str | Path) -> Iterator[sqlite3.Connection]:
    folder = Path(data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    # isolation_level None: Python opens no transaction behind our back
    opened = sqlite3.connect(folder / FILE, timeout=BUSY_SECONDS, isolation_level=None)
    with closing(opened) as connection, _told_when_busy():
        connection.row_factory = sqlite3.Row
        # the ledger takes our word that it is done, so a commit survives a loss of power
        connection.execute("PRAGMA synchronous = FULL")
        if _version(connection) == 0:
            _create(connection)
        if _version(connection) != VERSION:
            raise _not_ours(f"version {_version(connection)} instead of {VERSION}")
        yield connection


def _create(connection: sqlite3.Connection) -> None:
    """Make the store in one transaction; whoever comes second finds it done."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) == 0:
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise _not_ours("other tables")
            for statement in _SCHEMA.read_text(encoding="utf-8").split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    finally:
        _roll_back(connection)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


@contextmanager
def _told_when_busy() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # absent when Python raised it
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise Busy("the companion's store is held by somebody else; try again") from error
        raise


def _not_ours(why: str) -> Conflict:
    return Conflict(f"{FILE} is not a store of this pack ({why}); move it away", "unusable")

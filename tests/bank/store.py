"""The bank's own books, in a database of its own."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from state.errors import NotFound

_SCHEMA = """
create table customer (id text primary key, name text, advisor text, version integer default 1);
create table account (id text primary key, customer text, name text, balance real,
    state text default 'open', version integer default 1);
create table card (id text primary key, account text, card_limit real,
    state text default 'active', version integer default 1);
create table loan (id text primary key, name text, amount real, state text default 'asked');
create table payee (name text primary key);
create table note (number integer primary key, customer text, note text);
create table tag (customer text, tag text, primary key (customer, tag));
create table dispute (id text primary key, card text, reason text, state text default 'open');
create table transfer (id text primary key, key text unique, account text, payee text,
    amount real, state text default 'booked');
create table sent (what text, recipient text);
create table report (customer text, reason text);
"""
_CUSTOMERS = (
    ("C-1001", "Anna Berg", "Nora Vik"),
    ("C-1002", "Bo Lind", "Nora Vik"),
    ("C-1003", "Carla Mendes", "Sami Aho"),
    ("C-1004", "Anna Holm", "Sami Aho"),
    ("C-1005", "Dao Pham", "Lea Roth"),
    ("C-1006", "Erik Berg", "Lea Roth"),
)
_ACCOUNTS = (
    ("AC-2001", "C-1001", "holiday savings", 4_200.0),
    ("AC-2002", "C-1002", "house savings", 58_000.0),
    ("AC-2003", "C-1003", "bakery business", 12_750.5),
    ("AC-2004", "C-1004", "everyday money", 310.0),
    ("AC-2005", "C-1005", "student purse", 95.0),
)


def connect(data_dir: str | Path) -> sqlite3.Connection:
    """Open the books of one tenant; the first time they are laid out and filled."""
    folder = Path(data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "bank.sqlite", isolation_level=None, timeout=10)
    connection.row_factory = sqlite3.Row
    if not connection.execute("select 1 from sqlite_master where name = 'report'").fetchone():
        with _transaction(connection):
            if not connection.execute("select 1 from sqlite_master").fetchone():
                _fill(connection)
    return connection


@contextmanager
def books(data_dir: str | Path) -> Iterator[sqlite3.Connection]:
    """Change the books, all of it or nothing."""
    with closing(connect(data_dir)) as connection, _transaction(connection):
        yield connection


def find(connection: sqlite3.Connection, table: str, key: str) -> sqlite3.Row:
    """Read one row, or say that there is none."""
    row: sqlite3.Row | None = connection.execute(
        f"select * from {table} where id = ?", (key,)
    ).fetchone()
    if row is None:
        raise NotFound(table, key)
    return row


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def _fill(connection: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)
    connection.executemany("insert into customer (id, name, advisor) values (?, ?, ?)", _CUSTOMERS)
    connection.executemany(
        "insert into account (id, customer, name, balance) values (?, ?, ?, ?)", _ACCOUNTS
    )
    for number, (account, *_rest) in enumerate(_ACCOUNTS, start=3001):
        connection.execute(
            "insert into card (id, account, card_limit) values (?, ?, 500)",
            (f"CARD-{number}", account),
        )
    for loan in (("LN-401", "boat loan", 18_000), ("LN-402", "kitchen loan", 7_500)):
        connection.execute("insert into loan (id, name, amount) values (?, ?, ?)", loan)
    for payee in ("City Power", "Harbour Rent", "Green Grocer"):
        connection.execute("insert into payee values (?)", (payee,))

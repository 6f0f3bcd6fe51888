"""One SQLite database: a single writing thread, several reading threads.

Each piece of work is one transaction. Includes the dialect with shared compiled statements
and the check that the disk accepts writes.
"""

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import orjson
from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Float,
    cast,
    create_engine,
    delete,
    event,
    extract,
    func,
    insert,
    literal_column,
)
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.util import LRUCache

from state.errors import Busy
from state.reader import fold_session
from tools.platform.texts import t
from tools.storage.seal_key import KEY_FILE, Seal
from tools.storage.tables.decisions import session as table
from tools.storage.upgrade import upgrade

COMPILED: LRUCache[object, object] = LRUCache(2_000)
"""Statements as they were compiled, for all engines of this dialect.

An engine keeps its own by default, and each database has two: whoever opens many of them in a
process, such as the evals and the tests, spent an eighth of the time on compiling the same anew.
"""


class SharedSqlite(SQLiteDialect_pysqlite):
    """One dialect is as good as another: all of a process speak to one library, in one way."""

    supports_statement_cache = True
    begin_with = "BEGIN"

    def do_begin(self, dbapi_connection: Any) -> None:  # the driver's own connection
        """Begin ourselves, as no listener does: with one, every statement tells of its events."""
        dbapi_connection.execute(self.begin_with)

    def __eq__(self, other: object) -> bool:
        return type(other) is SharedSqlite

    def __hash__(self) -> int:
        return hash(SharedSqlite)


registry.register("sqlite.shared", __name__, SharedSqlite.__name__)


def shared_dialect_url(url: URL) -> URL:
    """Name the same database by this dialect."""
    return url.set(drivername="sqlite+shared")


T = TypeVar("T")

BUSY_SECONDS = 5.0
READERS = 2
_SQLITE_NOW = literal_column("((julianday('now') - 2440587.5) * 86400.0)", Float)
_GIVEN_NOW = literal_column("prefrontal_now()", Float)
_POSTGRES_NOW = cast(extract("epoch", func.clock_timestamp()), Float)


class Database:
    """Run work on connections without blocking the event loop.

    SQLite takes one writer at a time, so one thread writes: nothing inside this process ever
    waits for a lock, and a transaction costs one hop, however many statements it has.
    """

    def __init__(self, url: str, *, seal: Callable[[], Seal] | None = None) -> None:
        self._given_seal = seal
        self.dirty_chains: set[str] = set()
        """Tenants whose chain grew, or would have, since its heads were last written out."""
        self.on_entry: Callable[[Connection, str, str], None] = _unheard
        """Told of each event of an action (its id, the event) in the transaction of it."""
        self._url = make_url(url)
        self._is_sqlite = self._url.get_backend_name() == "sqlite"
        self._writing = _engine(url, begin="BEGIN IMMEDIATE" if self._is_sqlite else None)
        self._reading = _engine(url, begin="BEGIN" if self._is_sqlite else None)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._opening = threading.Lock()
        self._opened = False
        self._seconds: Callable[[], float] | None = None

    async def write(self, work: Callable[[Connection], T], *, durable: bool = False) -> T:
        """Run `work` in one write transaction; `durable` reaches the disk before it returns.

        Without it a commit survives the end of the process, and a loss of power may undo it.

        Raises:
            Busy: another process held the database for longer than BUSY_SECONDS, or it is full.
        """
        return await _finish(self._writer, self._write, work, durable)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one read transaction, on a snapshot."""
        return await _finish(self._readers, self._read, work)

    def read_here(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one read transaction on the calling thread; it blocks."""
        return self._read(work)

    @cached_property
    def seal(self) -> Seal:
        """Hand out the seal of the ledger's chain; without one given, its key is beside us."""
        if self._given_seal is not None:
            return self._given_seal()
        return Seal.kept_in(Path(self._url.database or ".").with_name(KEY_FILE))

    def now(self) -> ColumnElement[float]:
        """Build the expression for the database's own clock, in seconds since 1970."""
        if self._seconds is not None:
            return _GIVEN_NOW
        return _SQLITE_NOW if self._is_sqlite else _POSTGRES_NOW

    def tell_time_by(self, seconds: Callable[[], float]) -> None:
        """Take another clock for the database's own, for a past that is played again (SQLite).

        Call it before anything is read or written.
        """
        self._seconds = seconds
        for engine in (self._writing, self._reading):

            @event.listens_for(engine, "connect")
            def _give_clock(connection: Any, _record: Any) -> None:  # the driver's own connection
                connection.create_function("prefrontal_now", 0, seconds)

    def flush(self) -> None:
        """Have everything committed so far on the disk; blocks."""
        log = Path(f"{self._url.database}-wal")
        if self._is_sqlite and log.exists():  # without it all of it is in the file itself
            with log.open("rb") as file:
                os.fsync(file.fileno())

    async def close(self) -> None:
        """End both pools after what they are doing, and the connections with them."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._writing.dispose()
        self._reading.dispose()

    def _write(self, work: Callable[[Connection], T], durable: bool) -> T:
        try:
            self._open()
            if not (durable and self._is_sqlite):
                with self._writing.begin() as connection:
                    return work(connection)
            with self._writing.connect() as connection:
                _synchronous(connection, "FULL")
                try:
                    with connection.begin():
                        return work(connection)
                finally:
                    _synchronous(connection, "NORMAL")
        except OperationalError as error:
            raise _busy(error) from error

    def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            self._open()
            with self._reading.connect() as connection, connection.begin():
                return work(connection)
        except OperationalError as error:
            raise _busy(error) from error

    def _open(self) -> None:
        with self._opening:
            if not self._opened:
                self._keep_private()
                upgrade(self._writing)
                self._opened = True

    def _keep_private(self) -> None:
        """Make the file for its owner alone: the ledger holds secrets; its log is made alike."""
        file = Path(self._url.database or "")
        if self._is_sqlite and self._url.database not in (None, "", ":memory:"):
            with suppress(OSError):  # read-only, or not ours: what opens it next says so
                file.touch(mode=0o600)
                file.chmod(0o600)


def _unheard(_connection: Connection, _action_id: str, _event: str) -> None:
    """Tell nobody."""


async def _finish(pool: ThreadPoolExecutor, work: Callable[..., T], *arguments: Any) -> T:
    # Shielded: a client that goes away must not leave us unsure whether the commit happened.
    return await asyncio.shield(asyncio.get_running_loop().run_in_executor(pool, work, *arguments))


def _engine(url: str, *, begin: str | None) -> Engine:
    if begin is None:
        return create_engine(
            url, pool_pre_ping=True, json_serializer=_dump, json_deserializer=_load
        )
    engine = create_engine(
        shared_dialect_url(make_url(url)),
        json_serializer=_dump,
        json_deserializer=_load,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
        pool_size=READERS,
        execution_options={"compiled_cache": COMPILED},
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:  # the driver's own connection
        connection.isolation_level = None  # we say BEGIN ourselves, see the dialect
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.create_function("prefrontal_fold_session", 1, _folded, deterministic=True)

    if isinstance(engine.dialect, SharedSqlite):
        engine.dialect.begin_with = begin
    return engine


def _folded(session_id: str | None) -> str | None:
    return None if session_id is None else fold_session(session_id)


def _dump(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:  # half a surrogate pair, or a key that is no text
        return json.dumps(value)


def _load(text: str | bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # what only the other one writes
        return json.loads(text)


def _synchronous(connection: Connection, level: str) -> None:
    # Straight to the driver: through SQLAlchemy the PRAGMA would open a transaction, in which
    # SQLite ignores it.
    driver = connection.connection.driver_connection
    if driver is not None:  # None only once it is closed
        driver.execute(f"PRAGMA synchronous={level}")


def _busy(error: OperationalError) -> Exception:
    said = str(error.orig)
    if "locked" in said or "busy" in said:
        return Busy(t("problem.store.locked"))
    if "full" in said:
        return Busy(t("problem.store.full"))
    if "readonly" in said:
        return Busy(t("problem.store.read_only"))
    return error


TRIED_EVERY_SECONDS = 1.0
_PAGES = "x" * 16_384
"""Takes pages of its own, so that a store without room for them is found out."""


@dataclass
class DiskCheck:
    """Tries a write, seldom enough that anybody may ask at any time."""

    database: Database
    _problem: str | None = None
    _next: float = 0.0
    _trying: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def problems(self) -> list[str]:
        """Say why nothing can be written; who asks within a second gets the same answer."""
        async with self._trying:
            if time.monotonic() >= self._next:
                self._problem = await self._tried()
                self._next = time.monotonic() + TRIED_EVERY_SECONDS
        return [self._problem] if self._problem else []

    async def _tried(self) -> str | None:
        try:
            await self.database.write(_leave_no_trace, durable=True)
        except Busy as busy:
            return str(busy)
        return None


def _leave_no_trace(connection: Connection) -> None:
    # A session that nobody sees: it is gone before the transaction ends.
    name = f"room-{uuid4()}"
    row = {"tenant_id": name, "session_id": name, "state": _PAGES, "updated_at": 0.0}
    connection.execute(insert(table).values(**row))
    connection.execute(delete(table).where(table.c.tenant_id == name))

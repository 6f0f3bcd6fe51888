"""A pack's own SQLite file: made on first use, upgraded where it stands, open for a transaction."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import tenacity

from state.errors import Busy, Conflict

BUSY_SECONDS = 5.0
"""How long a transaction waits for another one before it gives up."""

_HELD = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

Step = Callable[[sqlite3.Connection], None]
"""Changes the store inside a transaction that somebody else holds."""


@dataclass(frozen=True)
class PackStore:
    """One file in the data folder of a pack, and how it is made."""

    file: str
    whose: str
    """As a sentence names its owner: `the vessel's`."""
    create: Step
    """Makes the tables, and what stands in them from the first."""
    created: int = 1
    """Version of what `create` makes."""
    upgrades: Mapping[int, Step] = field(default_factory=dict)
    """From a version to the next; references are not checked meanwhile."""

    @property
    def version(self) -> int:
        """Tell which version is worked with."""
        return max([self.created, *(number + 1 for number in self.upgrades)])

    @contextmanager
    def reading(self, data_dir: str | Path) -> Iterator[sqlite3.Connection]:
        """Give a connection on one snapshot of the store; whatever is written is thrown away.

        Raises:
            Busy: somebody else held the store for longer than BUSY_SECONDS.
            Conflict: the file is not a store of this pack.
        """
        with self._opened(data_dir, BUSY_SECONDS) as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                _roll_back(connection)

    @contextmanager
    def writing(
        self, data_dir: str | Path, *, busy_seconds: float = BUSY_SECONDS
    ) -> Iterator[sqlite3.Connection]:
        """Give a connection inside one write transaction: all of it on the disk, or none of it.

        Raises:
            Busy: somebody else held the store for longer than `busy_seconds`; nothing was changed.
            Conflict: the file is not a store of this pack.
        """
        with (
            self._opened(data_dir, busy_seconds) as connection,
            _transaction(connection),
        ):
            yield connection

    def written_at(self, data_dir: str | Path) -> object:
        """Tell one state of the store's files from the next."""
        found = []
        for name in (self.file, f"{self.file}-wal"):
            try:
                status = (Path(data_dir) / name).stat()
            except FileNotFoundError:
                continue
            found.append((name, status.st_ino, status.st_mtime_ns, status.st_size))
        return tuple(found)

    @contextmanager
    def _opened(self, data_dir: str | Path, busy_seconds: float) -> Iterator[sqlite3.Connection]:
        folder = Path(data_dir)
        folder.mkdir(parents=True, exist_ok=True)
        # isolation_level None: Python opens no transaction behind our back
        opened = sqlite3.connect(folder / self.file, timeout=busy_seconds, isolation_level=None)
        with closing(opened) as connection, self._told_when_busy():
            connection.row_factory = sqlite3.Row
            self._make_ready(connection)
            yield connection

    def _make_ready(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            # the ledger takes our word that it is done, so a commit survives a loss of power
            connection.execute("PRAGMA synchronous = FULL")
            if _version(connection) == 0:
                self._create(connection)
            while (found := _version(connection)) in self.upgrades:
                self._upgrade(connection, found)
        except sqlite3.DatabaseError as error:
            if _primary_code(error) == sqlite3.SQLITE_NOTADB:
                raise self._not_ours("no database") from error
            raise
        if found != self.version:
            raise self._not_ours(f"version {found} instead of {self.version}")

    def _create(self, connection: sqlite3.Connection) -> None:
        """Make the store in one transaction; whoever comes second finds it done."""
        _keep_a_log(connection)
        with _transaction(connection):
            if _version(connection) == 0:
                if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                    raise self._not_ours("other tables")
                self.create(connection)
                connection.execute(f"PRAGMA user_version = {self.created}")

    def _upgrade(self, connection: sqlite3.Connection, version: int) -> None:
        """Bring a store to the next version; whoever comes second finds it done."""
        connection.execute("PRAGMA foreign_keys = OFF")  # has no effect inside a transaction
        connection.execute("PRAGMA legacy_alter_table = ON")  # references keep the tables' names
        try:
            with _transaction(connection):
                if _version(connection) == version:
                    self.upgrades[version](connection)
                    connection.execute(f"PRAGMA user_version = {version + 1}")
        finally:
            connection.execute("PRAGMA legacy_alter_table = OFF")
            connection.execute("PRAGMA foreign_keys = ON")

    @contextmanager
    def _told_when_busy(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if _is_held(error):
                raise Busy(f"{self.whose} store is held by somebody else; try again") from error
            raise

    def _not_ours(self, why: str) -> Conflict:
        return Conflict(
            f"{self.file} is not a store of this pack ({why}); move it away", "unusable"
        )


def _is_held(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and _primary_code(error) in _HELD


# SQLite does not wait here, whatever its timeout: of two that look at a new file and both want to
# change its mode, one is refused at once.
@tenacity.retry(
    retry=tenacity.retry_if_exception(_is_held),
    wait=tenacity.wait_random(0.005, 0.05),
    stop=tenacity.stop_after_delay(BUSY_SECONDS),
    reraise=True,
)
def _keep_a_log(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")


def run_script(connection: sqlite3.Connection, file: Path) -> None:
    """Run the statements of an SQL file inside the transaction that is open."""
    for statement in file.read_text(encoding="utf-8").split(";\n"):
        connection.execute(statement)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        _roll_back(connection)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # absent when Python raised it

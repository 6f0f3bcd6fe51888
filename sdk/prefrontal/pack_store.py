"""A pack's own SQLite store: schema upgrades, unit of work, and handlers with idempotent effects.

An effect runs in one transaction, once for one idempotency key; a repetition returns the stored
result.
"""

import inspect
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from prefrontal.types.action import ActionResult, HandlerContext
from prefrontal.types.errors import Busy, Conflict
from prefrontal.types.preview import Change, Fact, Preview

MOST_CHANGES = 500
MOST_FACTS = 50


@dataclass
class Work:
    """What a handler works with, inside the transaction somebody else holds."""

    connection: sqlite3.Connection
    context: HandlerContext
    changes: list[Change] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)
    """What the work rests on: target and the version of its row."""
    facts: list[tuple[str, str]] = field(default_factory=list)
    count: int | None = None
    recipients: list[str] = field(default_factory=list)

    @property
    def now(self) -> str:
        """Tell when, in ISO form."""
        return self.context.now.isoformat(timespec="seconds")

    def change(self, target: str, name: str, before: object, after: object) -> None:
        """Note a change for the person who is asked and for the record: None is not there."""
        shown = [None if value is None else str(value) for value in (before, after)]
        self.changes.append(Change(target=target, field=name, before=shown[0], after=shown[1]))

    def told(self) -> Preview:
        """Tell what it would change."""
        return Preview(
            facts=tuple(Fact(label=name, value=value) for name, value in self.facts[:MOST_FACTS]),
            changes=tuple(self.changes[:MOST_CHANGES]),
            count=self.count,
            recipients=tuple(self.recipients),
            versions=self.seen,
        )


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


def _is_held(error: sqlite3.OperationalError) -> bool:
    return _primary_code(error) in _HELD


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Change a new file to write-ahead logging.

    SQLite does not wait here, whatever its timeout: of two that look at a new file and both want to
    change its mode, one is refused at once.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not _is_held(error) or time.monotonic() >= deadline:
                raise
            time.sleep(0.02)
        else:
            return


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


P = ParamSpec("P")
W = TypeVar("W")
W_contra = TypeVar("W_contra", contravariant=True)
SomeWork = TypeVar("SomeWork", bound=Work)


@dataclass(frozen=True)
class Call:
    """One call of a handler."""

    key: str
    """Idempotency key: a second call with it does nothing."""
    action: str
    arguments: Mapping[str, Any]  # by slot type


class EffectLog(Protocol[W_contra]):
    """Where a pack keeps what was done, in the transaction that does it."""

    def done(self, work: W_contra, call: Call) -> ActionResult | None:
        """Give the result when it was done before.

        Raises:
            Conflict: the key was used for something else.
        """
        ...

    def enter(self, work: W_contra, call: Call, result: ActionResult) -> ActionResult:
        """Enter what was done; gives the result with its changes in words."""
        ...


@dataclass(frozen=True)
class Effects(Generic[W]):
    """How the functions of one pack reach its store."""

    store: PackStore
    begin: Callable[[sqlite3.Connection, HandlerContext], W]
    log: EffectLog[W]

    def reads(
        self, work: Callable[Concatenate[W, P], ActionResult]
    ) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
        """Let a function answer from one snapshot of the store; what it writes is thrown away."""

        @wraps(work)
        def handler(
            context: HandlerContext, /, *given: P.args, **arguments: P.kwargs
        ) -> ActionResult:
            with self.store.reading(context.data_dir) as connection:
                return work(self.begin(connection, context), *given, **arguments)

        return handler

    def changes(
        self, work: Callable[Concatenate[W, P], ActionResult]
    ) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
        """Let a function change the store in one transaction, once for one idempotency key.

        The effect is entered in that transaction. A second call with the key does nothing and
        gives the result of the first.

        Raises:
            Conflict: the key was used for something else.
        """

        @wraps(work)
        def handler(
            context: HandlerContext, /, *given: P.args, **arguments: P.kwargs
        ) -> ActionResult:
            call = Call(context.idempotency_key, work.__name__, arguments)
            with self.store.writing(context.data_dir) as connection:
                unit = self.begin(connection, context)
                done = self.log.done(unit, call)
                if done is not None:
                    return done
                return self.log.enter(unit, call, work(unit, *given, **arguments))

        return handler

    def was_done(self, context: HandlerContext) -> ActionResult | None:
        """Tell whether the effect with the context's key has happened, and with what result."""
        query = "SELECT result FROM effect WHERE idempotency_key = ?"
        with self.store.reading(context.data_dir) as connection:
            done = connection.execute(query, (context.idempotency_key,)).fetchone()
        return None if done is None else ActionResult.model_validate_json(done["result"])


class KeptResults:
    """Keeps key, action, result and time of each effect, in a table `effect` of these four."""

    def done(self, work: Work, call: Call) -> ActionResult | None:
        """Give the result of the call with this key. See EffectLog.done."""
        query = "SELECT action, result FROM effect WHERE idempotency_key = ?"
        done = work.connection.execute(query, (call.key,)).fetchone()
        if done is None:
            return None
        if done["action"] != call.action:
            raise Conflict(f"the key stands for another {done['action']}", "used")
        return ActionResult.model_validate_json(done["result"])

    def enter(self, work: Work, call: Call, result: ActionResult) -> ActionResult:
        """Enter the result, with the changes in words unless it tells them itself."""
        if not result.changed:
            result = result.model_copy(update={"changed": tuple(map(_in_words, work.changes))})
        work.connection.execute(
            "INSERT INTO effect VALUES (?, ?, ?, ?)",
            (call.key, call.action, result.model_dump_json(), work.now),
        )
        return result


def preview_of(
    store: PackStore, begin: Callable[[sqlite3.Connection, HandlerContext], SomeWork]
) -> Callable[[Callable[..., ActionResult]], Callable[..., Preview]]:
    """Make what makes the preview of a handler: its work and its refusals, all thrown away."""

    def previewed(handler: Callable[..., ActionResult]) -> Callable[..., Preview]:
        work = inspect.unwrap(handler)

        def preview(context: HandlerContext, **arguments: Any) -> Preview:  # by slot type
            with store.reading(context.data_dir) as connection:
                unit = begin(connection, context)
                work(unit, **arguments)
            return unit.told()

        return preview

    return previewed


def _in_words(change: Change) -> str:
    if change.before is None:
        return f"{change.target}: {change.field} {change.after}"
    if change.after is None:
        return f"{change.target}: {change.field} {change.before} removed"
    return f"{change.target}: {change.field} {change.before} → {change.after}"

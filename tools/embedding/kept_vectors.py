"""Vectors kept on disk by text and model, for the next start and the next process."""

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

import numpy as np
import structlog
from filelock import FileLock
from filelock import Timeout as LockTimeout

from tools.embedding.embedder import Vectors
from tools.turns import turn

log = structlog.get_logger()

_TABLE = """
create table if not exists vectors (
    id integer primary key autoincrement,
    key blob not null unique,
    vector blob not null,
    checksum integer not null
)
"""
_PUT = "insert or replace into vectors (key, vector, checksum) values (?, ?, ?)"
_TRIM = "delete from vectors where id <= (select max(id) from vectors) - ?"
_WAIT_SECONDS = 1.0
"""For a process that writes; after that the vector is computed, which costs milliseconds."""
_TURN_SECONDS = 120.0
"""For another process that embeds a catalogue; ten thousand sentences take it half a minute."""
_AT_ONCE = 500
"""Keys in one query; SQLite takes 999 or more."""


class KeptVectors:
    """A cache in one SQLite file: bounded, shared by processes, and never a reason to fail.

    Texts are not stored, only their hashes. A file that cannot be read is set aside.
    """

    def __init__(self, file: Path, *, most: int) -> None:
        """Remember the place; the oldest vectors go when there are more than `most`."""
        self._file = file
        self._most = most
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None

    def read(self, model: str, texts: Sequence[str]) -> dict[str, Vectors]:
        """Look texts up; those never seen, or damaged, are not in the answer."""
        keys = {_key(model, text): text for text in texts}
        found: dict[str, Vectors] = {}

        def look_up(connection: sqlite3.Connection) -> None:
            for part in _parts(list(keys)):
                marks = ",".join("?" * len(part))
                rows = connection.execute(
                    f"select key, vector, checksum from vectors where key in ({marks})",  # noqa: S608 - question marks
                    part,
                )
                for key, vector, checksum in rows:
                    if zlib.crc32(vector) == checksum:
                        found[keys[key]] = np.frombuffer(vector, np.float32)

        self._try(look_up)
        return found

    def write(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of some texts."""
        rows = []
        for text, vector in vectors.items():
            content = vector.astype(np.float32).tobytes()
            rows.append((_key(model, text), content, zlib.crc32(content)))

        def put(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany(_PUT, rows)
                connection.execute(_TRIM, (self._most,))

        self._try(put)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let one process at a time embed much: the next finds most of it kept; never raises."""
        with turn(Path(f"{self._file}.turn.lock"), wait_seconds=_TURN_SECONDS):
            yield

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._close()

    def _try(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do something with the file; whatever SQLite says to it ends here."""
        with self._lock:
            try:
                self._connection = self._connection or self._open()
                work(self._connection)
            except (sqlite3.OperationalError, OSError) as error:  # locked, full, not writable
                self._close()
                log.debug("vectors_not_kept", reason=str(error))
            except sqlite3.DatabaseError as error:
                self._close()
                self._set_aside(error)

    def _open(self) -> sqlite3.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(self._file, _WAIT_SECONDS, check_same_thread=False)
        try:
            self._turn_to_wal(connection)
            connection.execute("pragma synchronous = normal")
            connection.execute(_TABLE)
        except BaseException:
            connection.close()
            raise
        return connection

    def _turn_to_wal(self, connection: sqlite3.Connection) -> None:
        """Turn to a write-ahead log, one process at a time: SQLite waits for no other there."""
        (mode,) = connection.execute("pragma journal_mode").fetchone()
        if mode != "wal":
            with FileLock(f"{self._file}.lock", timeout=_WAIT_SECONDS):
                connection.execute("pragma journal_mode = wal")

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        """Rename a damaged file, once, whichever process sees it first."""
        with suppress(OSError, LockTimeout), FileLock(f"{self._file}.lock", timeout=_WAIT_SECONDS):
            if _is_whole(self._file):
                return  # another process was first
            aside = self._file.with_suffix(".damaged")
            for suffix in ("-wal", "-shm"):  # before: after it, they would be the next file's
                Path(f"{self._file}{suffix}").unlink(missing_ok=True)
            self._file.replace(aside)
            log.warning("vectors_set_aside", file=str(aside), reason=str(error))


def _is_whole(file: Path) -> bool:
    if not file.exists():
        return True  # set aside, and not yet needed again
    try:
        with closing(sqlite3.connect(file, _WAIT_SECONDS)) as connection:
            (verdict,) = connection.execute("pragma quick_check(1)").fetchone()
    except sqlite3.Error:
        return False
    return bool(verdict == "ok")


def _key(model: str, text: str) -> bytes:
    return hashlib.blake2b(
        f"{model}\n{text}".encode("utf-8", "surrogatepass"), digest_size=16
    ).digest()


def _parts(keys: Sequence[bytes]) -> Iterable[Sequence[bytes]]:
    return (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))

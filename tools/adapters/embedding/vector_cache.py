"""Stored sentence vectors: the cache on disk by text and model, and vectors shipped with a pack.

Shipped vectors are rotated onto their principal components and quantised to four bits.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
import structlog
from filelock import FileLock
from filelock import Timeout as LockTimeout

from tools.adapters.embedding.embedder import Vectors, unit
from tools.platform.process_resources import file_lock

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


class VectorCache:
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
        keys = {_cache_key(model, text): text for text in texts}
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
            rows.append((_cache_key(model, text), content, zlib.crc32(content)))

        def put(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany(_PUT, rows)
                connection.execute(_TRIM, (self._most,))

        self._try(put)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let one process at a time embed much: the next finds most of it kept; never raises."""
        with file_lock(Path(f"{self._file}.turn.lock"), wait_seconds=_TURN_SECONDS):
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


def _cache_key(model: str, text: str) -> bytes:
    return hashlib.blake2b(
        f"{model}\n{text}".encode("utf-8", "surrogatepass"), digest_size=16
    ).digest()


def _parts(keys: Sequence[bytes]) -> Iterable[Sequence[bytes]]:
    return (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))


FILE = "vectors.npz"
"""Its name in the folder of a pack."""
_DIRECTIONS = 384
_STEPS = 7
"""Four bits have so many steps on each side of zero."""
_REACH = 3.0
"""How many standard deviations those steps reach."""


class ShippedVectors:
    """The vectors of one file; a file that is missing, damaged or of another encoder has none."""

    def __init__(self, file: Path) -> None:
        """Remember the place; nothing is read before somebody asks for many texts."""
        self._file = file

    def read(self, model: str, texts: Iterable[str]) -> dict[str, Vectors]:
        """Look texts up for an encoder of this name; unit vectors, as far as there are any."""
        stored = self._stored
        if stored is None or stored.model != model:
            return {}
        places = {text: stored.places.get(_shipped_key(text)) for text in texts}
        found = {text: place for text, place in places.items() if place is not None}
        return dict(zip(found, stored.vectors(list(found.values())), strict=True))

    @cached_property
    def _stored(self) -> "_Stored | None":
        try:
            changed = self._file.stat().st_mtime_ns
        except OSError:
            return None
        return _read(self._file, changed)


class _Stored:
    """A file's content."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
        self.model = bytes(arrays["model"]).decode()
        self.places: dict[int, int] = {
            int(key): place for place, key in enumerate(arrays["keys"].tolist())
        }
        self._codes = arrays["codes"].astype(np.uint8, copy=False)
        self._steps = arrays["steps"].astype(np.float32)
        self._directions = arrays["directions"].astype(np.float32)
        self._middle = arrays["middle"].astype(np.float32)

    def vectors(self, places: Sequence[int]) -> Vectors:
        """Read rows back."""
        if not places:
            return np.empty((0, len(self._middle)), np.float32)
        halves = self._codes[places]
        codes = np.concatenate([halves & 15, halves >> 4], axis=1)[:, : len(self._steps)]
        rotated = (codes.astype(np.float32) - _STEPS) * self._steps
        return unit(np.einsum("nk,kd->nd", rotated, self._directions) + self._middle)


@lru_cache(8)
def _read(file: Path, changed: int) -> _Stored | None:
    """Read a file as it is since it was `changed`."""
    try:
        with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
            return _Stored(arrays)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        log.warning("shipped_vectors_unreadable", file=str(file), reason=str(error))
        return None


def write_shipped(file: Path, model: str, texts: Sequence[str], vectors: Vectors) -> None:
    """Write the vectors that an encoder named `model` gives for some texts, row by row."""
    keys, places = np.unique([_shipped_key(text) for text in texts], return_index=True)
    rows = vectors[places]
    middle = rows.mean(axis=0)
    directions = np.linalg.svd(rows - middle, full_matrices=False)[2][:_DIRECTIONS]
    directions = directions.astype(np.float16).astype(np.float32)
    rotated = (rows - middle) @ directions.T
    steps = np.maximum(rotated.std(axis=0) * _REACH, 1e-6) / _STEPS
    codes = np.clip(np.rint(rotated / steps), -_STEPS, _STEPS).astype(np.int64) + _STEPS
    low, high = np.array_split(np.pad(codes, ((0, 0), (0, codes.shape[1] % 2))), 2, axis=1)
    content = BytesIO()
    np.savez_compressed(
        content,
        model=np.frombuffer(model.encode(), np.uint8),
        keys=keys,
        codes=(low | high << 4).astype(np.uint8),
        steps=steps.astype(np.float32),
        directions=directions.astype(np.float16),
        middle=middle.astype(np.float32),
    )
    file.write_bytes(content.getvalue())


def _shipped_key(text: str) -> int:
    """Hash a text to 63 bits: among a million texts, one pair in ten million is mistaken."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1

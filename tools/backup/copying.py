"""Copy a data folder while somebody is at work on it: databases by SQLite's own backup."""

import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from state.errors import BadInput

_MAGIC = b"SQLite format 3\x00"
_BESIDE = ("-wal", "-shm", "-journal")
_LEFT = ("lock", "cache", "vectors")
"""Held by a process, or made again."""
BUSY_SECONDS = 30.0


def files_of(folder: Path) -> Iterator[Path]:
    """List what is worth keeping of a folder, by name; links are not followed."""
    for path in sorted(folder.rglob("*")):
        first = path.relative_to(folder).parts[0]
        is_kept = path.is_file() and not path.is_symlink() and first not in _LEFT
        if (
            is_kept
            and not path.name.endswith(_BESIDE)
            and not path.name.endswith((".part", ".new"))
        ):
            yield path


def copy_file(source: Path, target: Path) -> Mapping[str, int]:
    """Copy one file for its owner only; of a database tell the rows by table.

    Raises:
        BadInput: the database is damaged, or somebody held it too long.
    """
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    target.touch(mode=0o600)
    if not is_database(source):
        shutil.copyfile(source, target)
        return {}
    try:
        with (
            closing(sqlite3.connect(source, timeout=BUSY_SECONDS)) as live,
            closing(sqlite3.connect(target)) as copy,
        ):
            live.backup(copy)  # all pages in one step: one moment of it
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
    except sqlite3.Error as error:
        raise BadInput(f"{source} cannot be copied: {error}") from error
    return checked(target)


def is_database(file: Path) -> bool:
    """Tell whether a file is one of SQLite's."""
    with file.open("rb") as source:
        return source.read(len(_MAGIC)) == _MAGIC


def checked(file: Path) -> dict[str, int]:
    """Check a database's every page and reference, and count its rows by table.

    Raises:
        BadInput: it is damaged.
    """
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                raise BadInput(f"{file.name} is damaged: {said}")
            tables = connection.execute(
                "select name from sqlite_master where type = 'table' and sql not like '%VIRTUAL%'"
            ).fetchall()
            return {
                name: connection.execute(f'select count(*) from "{name}"').fetchone()[0]  # noqa: S608  # a name of the file's own list
                for (name,) in sorted(tables)
                if not name.startswith("sqlite_")
            }
    except sqlite3.Error as error:
        raise BadInput(f"{file.name} is damaged: {error}") from error

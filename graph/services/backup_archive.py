"""Back up a data folder in use: copy files and databases, write one archive, check and restore it.

The manifest comes first and holds sizes, hashes and row counts; an archive is written whole or not
at all.
"""

import hashlib
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from tarfile import TarFile, TarInfo
from typing import Literal

from pydantic import Field, ValidationError, field_validator

from state.errors import BadInput
from state.noun import Noun

MANIFEST = "manifest.json"
_PIECE = 1 << 20


class ArchivedFile(Noun):
    """One file of a backup."""

    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rows: Mapping[str, int] = Field(
        default_factory=dict, description="of a database: rows by table, as they were copied"
    )


class Manifest(Noun):
    """The contents of an archive; it is its first member."""

    backup: Literal[1] = Field(default=1, description="the form of the archive")
    made_at: datetime
    made_seconds: float = Field(description="how long copying took: files are this far apart")
    version: str
    key: Literal["inside", "left out", "environment"] = Field(
        description="where the key that seals the ledger is"
    )
    files: Mapping[str, ArchivedFile] = Field(description="by path in the data folder")

    @field_validator("files")
    @classmethod
    def _stay_inside(cls, files: Mapping[str, ArchivedFile]) -> Mapping[str, ArchivedFile]:
        for name in files:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name:
                raise ValueError(f"{name!r} lies outside the folder")
        return files


def sha256_of(file: Path) -> str:
    """Hash a file, piece by piece."""
    digest = hashlib.sha256()
    with file.open("rb") as source:
        while piece := source.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


_MAGIC = b"SQLite format 3\x00"
_BESIDE = ("-wal", "-shm", "-journal")
_LEFT = ("lock", "cache", "vectors", "service.url", "service.key")
"""Held by a process, or made again; the key lets its reader act at the running service."""
BUSY_SECONDS = 30.0


def files_to_back_up(folder: Path) -> Iterator[Path]:
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
    return check_database(target)


def is_database(file: Path) -> bool:
    """Tell whether a file is one of SQLite's."""
    with file.open("rb") as source:
        return source.read(len(_MAGIC)) == _MAGIC


def check_database(file: Path) -> dict[str, int]:
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


_MOST_MANIFEST_BYTES = 16 * 1024 * 1024
_DAMAGED = (tarfile.TarError, OSError, EOFError, zlib.error)
"""What tarfile raises of an archive that was cut or changed."""


def write_archive(folder: Path, manifest: Manifest, archive: Path) -> None:
    """Write an archive of a folder of copies, for its owner only.

    Raises:
        BadInput: there is a file of that name already.
    """
    if archive.exists():
        raise BadInput(f"{archive} is there already; a backup is never written over")
    part = archive.with_name(f".{archive.name}.part")
    part.touch(mode=0o600)
    try:
        with tarfile.open(part, "w:gz", compresslevel=6) as out:
            told = manifest.model_dump_json(indent=1).encode()
            head = TarInfo(MANIFEST)
            head.size, head.mode = len(told), 0o600
            out.addfile(head, BytesIO(told))
            for name in sorted(manifest.files):
                out.add(folder / name, arcname=name, recursive=False)
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)


def extract_archive(archive: Path, folder: Path) -> Manifest:
    """Write an archive's files into an empty folder, and check each against the manifest.

    Raises:
        BadInput: it is no backup, or a file is missing, other, or damaged.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _opened(archive) as source:
        manifest = _manifest(source, archive)
        needed = sum(kept.size for kept in manifest.files.values())
        if needed > (free := shutil.disk_usage(folder).free):
            raise BadInput(f"{archive} holds {needed:,} bytes, and {folder} has room for {free:,}")
        # By the manifest's names alone: what else an archive holds is never written.
        for name, kept in manifest.files.items():
            _write(source, name, folder / name, kept.size)
            _check(folder / name, name, kept)
    return manifest


def _write(source: TarFile, name: str, target: Path, size: int) -> None:
    try:
        member = source.getmember(name)
        content = source.extractfile(member) if member.isreg() else None
    except (KeyError, *_DAMAGED) as error:
        raise BadInput(f"{name} is missing in the archive") from error
    if content is None:
        raise BadInput(f"{name} is no plain file in the archive")
    if member.size != size:  # before it is written: a few bytes may stand for a full disk
        raise BadInput(f"{name} is not what the manifest says: the archive was changed or damaged")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        target.touch(mode=0o600)
        with target.open("wb") as out:
            while piece := content.read(1 << 20):
                out.write(piece)
    except _DAMAGED as error:
        raise BadInput(f"{name} cannot be read out of the archive: {error}") from error


def _check(file: Path, name: str, kept: ArchivedFile) -> None:
    if file.stat().st_size != kept.size or sha256_of(file) != kept.sha256:
        raise BadInput(f"{name} is not what the manifest says: the archive was changed or damaged")
    if kept.rows and check_database(file) != dict(kept.rows):
        raise BadInput(f"{name} holds other rows than the manifest says")


def _manifest(source: TarFile, archive: Path) -> Manifest:
    try:
        first = source.next()
        told = source.extractfile(first) if first and first.name == MANIFEST else None
        if told is None:
            raise BadInput(f"{archive} is no backup: its first member is no {MANIFEST}")
        if first and first.size > _MOST_MANIFEST_BYTES:
            raise BadInput(f"{archive} is no backup: its {MANIFEST} has {first.size:,} bytes")
        return Manifest.model_validate_json(told.read())
    except (ValidationError, *_DAMAGED) as error:
        raise BadInput(f"{archive} is no backup: {error}") from error


def _opened(archive: Path) -> TarFile:
    try:
        return tarfile.open(archive, "r:gz")
    except _DAMAGED as error:
        raise BadInput(f"{archive} cannot be read as a backup: {error}") from error

"""The data folder of a deployment: lock, permissions, database, seal, backup and restore."""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from filelock import FileLock, Timeout

from graph.services.backup_archive import (
    ArchivedFile,
    Manifest,
    copy_file,
    extract_archive,
    files_to_back_up,
    sha256_of,
    write_archive,
)
from graph.settings import Settings
from state.errors import BadInput, Busy
from tools.gate import AuditMonitor
from tools.gate.ledger.audit import HEAD_FILE, HeadFile, audit
from tools.gate.ledger.operator_controls import SetAside, set_aside
from tools.platform.process_resources import ADDRESS_FILE, ADDRESS_KEY_FILE
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.seal_key import KEY_FILE, Seal


def open_database(settings: Settings) -> Database:
    """Make the door to our tables, with the seal of this deployment."""

    def seal() -> Seal:
        if settings.ledger_key is not None:
            return Seal.of_hex(settings.ledger_key.get_secret_value())
        return Seal.kept_in(private_folder(settings.data_dir.resolve()) / KEY_FILE)

    return Database(settings.database, seal=seal)


def build_ledger_watch(settings: Settings, database: Database) -> AuditMonitor:
    """Watch the seal and the heads beside our tables."""
    folder = settings.data_dir.resolve()
    key_file = None if settings.ledger_key else folder / KEY_FILE
    return AuditMonitor(database, HeadFile(folder / HEAD_FILE), key_file)


_LOCK_SECONDS = 1.0
"""Commands that look whether a service runs hold the lock for a moment."""


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep a data folder to this process; files made in it are for its owner only.

    An address that a killed service left is removed: no key may go to whoever has its port now.

    Raises:
        Busy: another process has it.
    """
    lock = FileLock(private_folder(folder) / "lock")
    try:
        lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout as error:
        raise Busy(t("service.folder_locked", folder=folder)) from error
    for name in (ADDRESS_FILE, ADDRESS_KEY_FILE):
        (folder / name).unlink(missing_ok=True)
    try:
        yield
    finally:
        lock.release()


def archive_folder(settings: Settings) -> Path:
    """Tell where the words of old decisions go."""
    return settings.data_dir.resolve() / "archive"


def private_folder(folder: Path) -> Path:
    """Make a folder for its owner only, unless it is there."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


DATABASE = "prefrontal.sqlite"


def back_up(settings: Settings, archive: Path, *, with_key: bool = True) -> Manifest:
    """Write a data folder as one archive; whoever is at work on it goes on.

    Packs' stores first, checkpoints next, our tables last: the ledger knows of everything that the
    other copies hold, so nothing that was done is ever taken for undone.

    Args:
        with_key: put the key that seals the ledger in; who has both can forge it.

    Raises:
        BadInput: there is nothing to back up, the archive is there, or a file cannot be copied.
    """
    folder, database = settings.data_dir.resolve(), _database_of(settings)
    if not database.exists():
        raise BadInput(f"nothing was ever decided in {folder}; there is nothing to back up")
    if archive.exists():
        raise BadInput(f"{archive} is there already; a backup is never written over")
    archive.parent.mkdir(parents=True, exist_ok=True)
    began, made_at = time.monotonic(), datetime.now(UTC)
    with TemporaryDirectory(prefix=".prefrontal-backup-", dir=archive.parent) as own:
        kept: dict[str, ArchivedFile] = {}
        for source, name in _in_order(folder, database):
            if name == KEY_FILE and not with_key:
                continue
            rows = copy_file(source, Path(own) / name)
            copy = Path(own) / name
            kept[name] = ArchivedFile(size=copy.stat().st_size, sha256=sha256_of(copy), rows=rows)
        manifest = Manifest(
            made_at=made_at,
            made_seconds=round(time.monotonic() - began, 3),
            version=version("prefrontal-server"),
            key=_where_key(settings, is_inside=KEY_FILE in kept),
            files=kept,
        )
        write_archive(Path(own), manifest, archive)
    return manifest


def restore(archive: Path, settings: Settings, *, key_file: Path | None = None) -> SetAside:
    """Put an archive back as a data folder; checked whole before anything is in its place.

    Raises:
        BadInput: the folder holds something, the archive is not whole, its ledger has a fault, or
            the key that seals it is missing.
        Busy: a service works on the folder.
    """
    folder = settings.data_dir.resolve()
    _demand_empty(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    is_mount = os.path.ismount(folder)  # a container's volume: nothing can be put in its place
    beside = folder if is_mount else folder.parent
    with TemporaryDirectory(prefix=".prefrontal-restore-", dir=beside) as own:
        made = private_folder(Path(own) / "data")
        manifest = extract_archive(archive, made)
        if key_file is not None:
            copy_file(key_file, made / KEY_FILE)
        restored = settings.model_copy(update={"data_dir": made, "database_url": None})
        aside = asyncio.run(_made_safe(restored, manifest))
        if is_mount:
            _move_into(folder, made)
            return aside
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    return aside


def verify(archive: Path, settings: Settings, *, key_file: Path | None = None) -> Manifest:
    """Restore an archive to a folder that goes away: every sum, page, row, seal and yes.

    Raises:
        BadInput: see restore.
    """
    with TemporaryDirectory(prefix="prefrontal-verify-") as own:
        made = private_folder(Path(own) / "data")
        manifest = extract_archive(archive, made)
        if key_file is not None:
            copy_file(key_file, made / KEY_FILE)
        restored = settings.model_copy(update={"data_dir": made, "database_url": None})
        asyncio.run(_made_safe(restored, manifest))
    return manifest


async def _made_safe(settings: Settings, manifest: Manifest) -> SetAside:
    """Audit the ledger, then set aside what was under way and write its new end out."""
    folder = settings.data_dir
    if settings.ledger_key is None and not (folder / KEY_FILE).exists():
        raise BadInput(
            f"{KEY_FILE} was left out of this backup; name it with --key, or set "
            "EXECUTIVE_LEDGER_KEY"
        )
    heads = HeadFile(folder / HEAD_FILE)
    database = open_database(settings)
    try:
        faults = (await audit(database, heads.read() or {})).report.faults
        if faults:
            raise BadInput(f"the ledger of this backup has {len(faults)} fault(s): {faults[0]}")
        made = manifest.made_at.strftime("%Y-%m-%d %H:%M:%S UTC")
        aside = await database.write(
            lambda connection: set_aside(connection, database, made), durable=True
        )
        await AuditMonitor(database, heads, None).write_heads_beside()
    finally:
        await database.close()
    return aside


def _move_into(folder: Path, made: Path) -> None:
    """Move what was made into a folder, our tables last: without them nothing was restored."""
    for path in sorted(made.iterdir(), key=lambda path: path.name == DATABASE):
        path.rename(folder / path.name)


def _in_order(folder: Path, database: Path) -> list[tuple[Path, str]]:
    """List what is copied: the head before the tables, for it must not know more than they do."""
    others = [path for path in files_to_back_up(folder) if path.resolve() != database]
    named = [(path, path.relative_to(folder).as_posix()) for path in others]
    if any(name == DATABASE for _path, name in named):
        raise BadInput(f"{folder / DATABASE} is not the database in use; move it away first")
    named.sort(key=lambda one: (one[1] in (HEAD_FILE, KEY_FILE), one[1] == HEAD_FILE, one[1]))
    return [*named, (database, DATABASE)]


def _database_of(settings: Settings) -> Path:
    return Path(settings.database.removeprefix("sqlite:///")).resolve()


def _where_key(
    settings: Settings, *, is_inside: bool
) -> Literal["inside", "left out", "environment"]:
    if settings.ledger_key is not None:
        return "environment"
    return "inside" if is_inside else "left out"


def _demand_empty(folder: Path) -> None:
    if not folder.exists():
        return
    if (folder / "lock").exists():
        try:
            with lock_folder(folder):
                pass
        except Busy as busy:
            raise Busy(f"{busy}; a backup is never restored over a running service") from busy
    if any(folder.iterdir()):
        raise BadInput(f"{folder} is not empty; move it away, or name another with --data-dir")

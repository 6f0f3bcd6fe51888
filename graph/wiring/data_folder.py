"""The data folder of a deployment: lock, permissions, database, ledger seal, service address."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from graph.settings import Settings
from state.errors import Busy
from tools.gate.ledger.audit import HEAD_FILE, HeadFile
from tools.gate.ledger.maintenance import AuditMonitor
from tools.storage.database import Database
from tools.storage.seal_key import KEY_FILE, Seal

SERVICE_FILE = "service.url"


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


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep a data folder to this process; what is made in it is for its owner only.

    Raises:
        Busy: another process has it.
    """
    lock = FileLock(private_folder(folder) / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise Busy(
            f"another process works on {folder}; stop it, or set EXECUTIVE_DATA_DIR"
        ) from error
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


def write_service_address(folder: Path, address: str | None) -> None:
    """Write down where the service of a folder answers, for commands beside it; None: no more."""
    file = folder / SERVICE_FILE
    if address is None:
        file.unlink(missing_ok=True)
    else:
        file.write_text(address, encoding="utf-8")


def read_service_address(folder: Path) -> str | None:
    """Tell where the service of a folder answers; a killed one may have left its address."""
    try:
        return (folder / SERVICE_FILE).read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None

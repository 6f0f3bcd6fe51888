"""Whether the databases of a data folder are whole, looked at beside a running service."""

import sqlite3
from contextlib import closing
from pathlib import Path

from graph.cli.set_up.finding import Finding
from graph.settings import Settings
from tools.backup.copying import files_of, is_database

_SUFFIXES = (".sqlite", ".sqlite3", ".db")
_ROOM = 3
"""Damaged files that are named; more tell nobody more."""


def files_found(settings: Settings) -> Finding:
    """Look at every page of every database: ours, the checkpoints, the packs' stores."""
    folder = settings.data_dir.resolve()
    if not folder.is_dir():
        return Finding("files", "ok", "there are none yet")
    try:
        there = [path for path in files_of(folder) if _is_ours(path)]
        faults = [f"{path.relative_to(folder)}: {says}" for path in there if (says := _fault(path))]
    except OSError as error:
        return Finding("files", "broken", f"cannot be read: {error}")
    if faults:
        says = f"{'; '.join(faults[:_ROOM])}: restore a backup (docs/operations.md)"
        return Finding("files", "broken", says)
    return Finding("files", "ok", f"{len(there)} databases, every page of them whole")


def _is_ours(path: Path) -> bool:
    return path.suffix in _SUFFIXES or is_database(path)


def _fault(path: Path) -> str | None:
    """Say what is wrong with one; that it is held by somebody else is nothing wrong."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as at:
            said = str(at.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        is_held = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
        return None if is_held else str(error)
    return None if said == "ok" else said.replace("\n", " ")

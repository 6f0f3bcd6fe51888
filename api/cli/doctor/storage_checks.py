"""Checks of a data folder: database files, ledger, vector index. Nothing is made or changed."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from api.cli.data_folder import has_database
from api.cli.terminal import counted
from graph.execution.maintenance import freeze_notice
from graph.presenters.status import index_words
from graph.services.backup_archive import files_to_back_up, is_database
from graph.settings import Settings
from graph.wiring.data_folder import lock_folder, open_database
from graph.wiring.models import build_indexing
from state.errors import AgentError, BadInput, Busy
from tools.adapters.vector_index.chroma import FOLDER, ChromaIndex
from tools.adapters.vector_index.indexer import IndexState
from tools.adapters.vector_index.vector_table import count_behind
from tools.gate.ledger.audit import HEAD_FILE, HeadFile, check_heads, tenants_of
from tools.gate.ledger.hash_chain import last_is_sealed
from tools.gate.ledger.operator_controls import open_freezes
from tools.platform.texts import t
from tools.storage.seal_key import KEY_FILE, Seal
from tools.storage.tables.outboxes import vector_outbox

State = Literal["ok", "degraded", "broken"]


@dataclass(frozen=True)
class Finding:
    """One part of the set-up: does it work, and what follows."""

    what: str
    state: State
    says: str


_SUFFIXES = (".sqlite", ".sqlite3", ".db")
_ROOM = 3
"""Damaged files that are named; more tell nobody more."""


def check_files(settings: Settings) -> Finding:
    """Look at every page of every database: ours, the checkpoints, the packs' stores."""
    folder = settings.data_dir.resolve()
    if not folder.is_dir():
        return Finding("files", "ok", t("cli.doctor.files_none"))
    try:
        there = [path for path in files_to_back_up(folder) if _is_ours(path)]
        faults = [f"{path.relative_to(folder)}: {says}" for path in there if (says := _fault(path))]
    except OSError as error:
        return Finding("files", "broken", f"cannot be read: {error}")
    if faults:
        says = f"{'; '.join(faults[:_ROOM])}: restore a backup (docs/how-to/operate.md)"
        return Finding("files", "broken", says)
    return Finding("files", "ok", t("cli.doctor.files", count=len(there)))


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


def check_ledger(settings: Settings) -> Finding:
    """Look at its key, its ends and its freezes; nothing is changed, and no key is made.

    The seals of every entry are `ledger verify`'s to look at: here only that of the last.
    """
    if not has_database(settings):
        return Finding("ledger", "ok", t("cli.doctor.ledger_new"))
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            return _found(connection, settings)
    except SQLAlchemyError as error:
        return Finding("ledger", "broken", f"cannot be read: {type(error).__name__}")
    finally:
        engine.dispose()


def _found(connection: Connection, settings: Settings) -> Finding:
    if not inspect(connection).has_table("ledger_freeze"):
        return Finding("ledger", "ok", "is sealed from the next start on")
    faults = [*_of_the_key(connection, settings), *_of_the_ends(connection, settings)]
    frozen = [freeze_notice(one) for one in open_freezes(connection)[:1]]
    if faults:
        return Finding("ledger", "broken", "; ".join([*faults, *frozen]))
    if frozen:
        return Finding("ledger", "degraded", frozen[0])
    heads = HeadFile(settings.data_dir.resolve() / HEAD_FILE).read() or {}
    entries = sum(head.number for head in heads.values())
    return Finding(
        "ledger", "ok", t("cli.doctor.ledger", entries=counted(entries, "entry"), file=HEAD_FILE)
    )


def _of_the_key(connection: Connection, settings: Settings) -> list[str]:
    """Say why no seal can be verified; without an entry a key is made when it is needed."""
    tenants = tenants_of(connection)
    file = settings.data_dir.resolve() / KEY_FILE
    if not tenants:
        return []
    if settings.ledger_key is None and not file.exists():
        return [
            f"{KEY_FILE} is missing: no seal can be verified; put it back from where it is kept"
        ]
    try:
        seal = (
            Seal.of_hex(settings.ledger_key.get_secret_value())
            if settings.ledger_key is not None
            else Seal.kept_in(file)
        )
    except (BadInput, OSError) as error:
        return [str(error)]
    unlike = [one for one in tenants if not last_is_sealed(connection, one, seal)]
    where = "EXECUTIVE_LEDGER_KEY" if settings.ledger_key is not None else KEY_FILE
    says = "the last entry of {} does not bear the seal of {}: another key, or it was changed"
    return [says.format(one, where) for one in unlike[:1]]


def _of_the_ends(connection: Connection, settings: Settings) -> list[str]:
    """Say where a chain does not end as the file beside the database has it."""
    try:
        heads = HeadFile(settings.data_dir.resolve() / HEAD_FILE).read() or {}
    except BadInput as error:
        return [str(error)]
    return [f"{fault}; the next start freezes it" for fault in check_heads(connection, heads)[:1]]


async def check_vector_index(settings: Settings) -> Finding:
    """Hold the index against the tables, row by row, where no service has it; none is made."""
    folder = settings.data_dir.resolve()
    if not has_database(settings):
        return Finding("vectors", "ok", t("cli.doctor.vectors_none"))
    if not _has_outbox(settings):
        return Finding("vectors", "ok", "are indexed from the next start on")
    database, behind = open_database(settings), 0
    try:
        behind = await database.read(count_behind)
        if not ChromaIndex(folder / FOLDER).is_made:
            says = (
                f"{behind} rows wait; the service indexes them"
                if behind
                else t("cli.doctor.vectors_empty")
            )
            return Finding("vectors", "ok", says)
        with lock_folder(folder):
            indexing = build_indexing(settings, database)
            try:
                return _finding(await indexing.compare())
            finally:
                await indexing.close()
    except Busy:
        says = f"the running service has the index; {behind} rows behind"
        return Finding("vectors", "ok", says)
    except (SQLAlchemyError, AgentError) as error:
        return Finding("vectors", "degraded", f"cannot be looked at: {type(error).__name__}")
    finally:
        await database.close()


def _has_outbox(settings: Settings) -> bool:
    """Look before it is opened: that would bring an older one to our revision."""
    engine = create_engine(settings.database)
    try:
        return inspect(engine).has_table(vector_outbox.name)
    except SQLAlchemyError:
        return False  # told of the database itself
    finally:
        engine.dispose()


def _finding(index: IndexState) -> Finding:
    says = index_words(index)
    if index.is_whole:
        return Finding("vectors", "ok", says)
    if index.behind and not (index.problem or index.is_damaged):
        return Finding("vectors", "ok", f"{says}; the next start tells it")
    return Finding("vectors", "degraded", f"{says}; `prefrontal journal reindex` makes it anew")

"""How the ledger of a folder stands, read beside a running service."""

from dataclasses import dataclass

from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from graph.cli.stored import has_database
from graph.running.keeping import told
from graph.settings import Settings
from state.errors import BadInput
from tools.ledger.freezing import freezes
from tools.ledger.heads import HEAD_FILE, HeadFile, check_heads


@dataclass(frozen=True)
class LedgerState:
    """Can it be worked with, and if not, why."""

    is_well: bool
    says: str


def ledger_state(settings: Settings) -> LedgerState:
    """Look whether the ledger is frozen, or will be at the next start; nothing is changed."""
    if not has_database(settings):
        return LedgerState(is_well=True, says="begins with the first action")
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            return _state(connection, settings)
    except SQLAlchemyError as error:
        return LedgerState(is_well=False, says=f"cannot be read: {type(error).__name__}")
    except BadInput as error:
        return LedgerState(is_well=False, says=str(error))
    finally:
        engine.dispose()


def _state(connection: Connection, settings: Settings) -> LedgerState:
    if not inspect(connection).has_table("ledger_freeze"):
        return LedgerState(is_well=True, says="is sealed from the next start on")
    standing = freezes(connection)
    if standing:
        return LedgerState(is_well=False, says=told(standing[0]))
    heads = HeadFile(settings.data_dir.resolve() / HEAD_FILE).read() or {}
    faults = check_heads(connection, heads)
    if faults:
        return LedgerState(is_well=False, says=f"{faults[0]}; the next start freezes it")
    entries = sum(head.number for head in heads.values())
    return LedgerState(is_well=True, says=f"{entries} entries up to {HEAD_FILE}")

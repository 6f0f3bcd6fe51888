"""How the ledger of a folder stands, read beside a running service."""

from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from graph.cli.set_up.finding import Finding
from graph.cli.stored import has_database
from graph.running.keeping import told
from graph.settings import Settings
from state.errors import BadInput
from tools.ledger.auditing import tenants_of
from tools.ledger.freezing import freezes
from tools.ledger.heads import HEAD_FILE, HeadFile, check_heads
from tools.ledger.verifying import last_is_sealed
from tools.storage.seal import KEY_FILE, Seal


def ledger_found(settings: Settings) -> Finding:
    """Look at its key, its ends and its freezes; nothing is changed, and no key is made.

    The seals of every entry are `ledger verify`'s to look at: here only that of the last.
    """
    if not has_database(settings):
        return Finding("ledger", "ok", "begins with the first action")
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
    frozen = [told(one) for one in freezes(connection)[:1]]
    if faults:
        return Finding("ledger", "broken", "; ".join([*faults, *frozen]))
    if frozen:
        return Finding("ledger", "degraded", frozen[0])
    heads = HeadFile(settings.data_dir.resolve() / HEAD_FILE).read() or {}
    entries = sum(head.number for head in heads.values())
    return Finding("ledger", "ok", f"{entries} entries up to {HEAD_FILE}")


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

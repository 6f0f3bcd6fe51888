"""Put the ledger together around the one executor."""

from pathlib import Path

from state.execution import ExecutionTuning
from tools.catalogue.catalogue import Catalogue
from tools.clock import Clock
from tools.ledger.asking import Asking
from tools.ledger.deciding import Deciding
from tools.ledger.digest import Policies
from tools.ledger.drafting import Drafting
from tools.ledger.editing import Editing
from tools.ledger.executing import Executing
from tools.ledger.freezing import Freezing
from tools.ledger.ledger import Ledger
from tools.ledger.previewing import Previewing
from tools.ledger.proposing import Proposing
from tools.ledger.refusals import Refusals
from tools.ledger.settling import Settling
from tools.storage.database import Database

LONGEST_PREVIEW_SECONDS = 5.0
"""A preview only reads, and a person waits for it."""


def build_executing(
    database: Database, catalogue: Catalogue, tuning: ExecutionTuning, clock: Clock, data_dir: Path
) -> Executing:
    """Build the executor; see Executing for `data_dir`."""
    seconds = tuning.handler_seconds
    return Executing(database, catalogue, Policies(tuning), clock, data_dir, seconds)


def build_ledger(executing: Executing, tuning: ExecutionTuning) -> Ledger:
    """Build the steps before an execution on what the executor stands on."""
    database, catalogue, policies = executing.database, executing.catalogue, executing.policies
    seconds = min(executing.handler_seconds, LONGEST_PREVIEW_SECONDS)
    previewing = Previewing(catalogue, executing.clock, executing.data_dir, seconds)
    drafting = Drafting(catalogue, policies, previewing)
    refusals = Refusals(database, catalogue)
    return Ledger(
        database=database,
        proposing=Proposing(database, catalogue, drafting, refusals),
        deciding=Deciding(database, catalogue, policies, Editing(database, drafting, refusals)),
        executing=executing,
        asking=Asking(
            database,
            catalogue,
            refusals,
            tuning.asks_per_hour,
            tuning.untrusted_asks_per_hour,
            tuning.warn_share,
        ),
        refusals=refusals,
        settling=Settling(database, catalogue),
        freezing=Freezing(database),
        duplicate_minutes=tuning.duplicate_minutes,
    )

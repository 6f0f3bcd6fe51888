"""A ledger on a real file, without the graph, and the people who use it."""

import asyncio
import atexit
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from graph.settings import Settings
from graph.wiring.thresholds import read_tuning
from state.action import ExecutionClass
from state.approval import ApprovalAnswer, LedgerAction
from state.execution import ExecutionTuning
from state.principal import Principal
from state.proposal import Proposal
from tests.safety.valves import write_valves
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.gate.ledger.executor import Executor, Step
from tools.gate.ledger.ledger import Ledger, build_ledger
from tools.gate.ledger.rows import Policies
from tools.platform.clock import Clock, SystemClock
from tools.storage.database import Database

FILE = "prefrontal.sqlite"
TUNING = read_tuning(Settings().policy_file).execution

ENGINEER = Principal(user="amir", tenant_id="aurora", roles=("engineer",))
CAPTAIN = Principal(user="ingrid", tenant_id="aurora", roles=("captain",))
MATE = Principal(user="olav", tenant_id="aurora", roles=("engineer",))
COOK = Principal(user="marta", tenant_id="aurora", roles=("cook",))
STRANGER = Principal(user="ingrid", tenant_id="borealis", roles=("captain", "engineer"))
ROBOT = Principal(user="robot", tenant_id="aurora", roles=("captain", "engineer"), kind="service")

PERMISSIVE: dict[str, Any] = {  # arguments that fit, of one action an effect
    "open_valve": {"valve": "V-101"},
    "flood_hold": {"hold": "H-1"},
    "shift_ballast": {"tonnes": 20},
    "buy_pump": {"count": 2},
    "drain_all": {"tanks": ["bilge"]},
}


@asynccontextmanager
async def opened_ledger(
    data_dir: Path,
    pack: Path,
    *,
    step: Step | None = None,
    handler_seconds: float = 5.0,
    clock: Clock | None = None,
    tuning: ExecutionTuning | None = None,
) -> AsyncIterator[Ledger]:
    """Open a ledger as the composition root does; twice on one folder is two processes."""
    database = Database(f"sqlite:///{data_dir / FILE}")
    catalogue = Catalogue.of([load_pack(pack)])
    policies = Policies(tuning or TUNING)
    executing = Executor(
        database, catalogue, policies, clock or SystemClock(), data_dir / "packs", handler_seconds
    )
    if step:
        executing = replace(executing, step=step)
    try:
        await database.write(lambda _connection: None)  # the tables are there from the start
        yield build_ledger(executing, tuning or TUNING)
    finally:
        await database.close()


def proposal(
    action: str = "open_valve",
    *,
    decision_id: str = "decision-1",
    requester: Principal = ENGINEER,
    at_least: ExecutionClass = "A",
    **arguments: Any,
) -> Proposal:
    """Ask for an action; `at_least` is the lowest there is unless told."""
    given = arguments or PERMISSIVE.get(action, {})
    return Proposal(
        decision_id=decision_id,
        requester=requester,
        action=action,
        arguments=given,
        at_least=at_least,
    )


def yes(shown: LedgerAction) -> ApprovalAnswer:
    """Approve what was shown."""
    return ApprovalAnswer(decision="approve", digest=shown.digest)


def no(shown: LedgerAction) -> ApprovalAnswer:
    """Reject what was shown."""
    return ApprovalAnswer(decision="reject", digest=shown.digest, reason="not now")


def edited(shown: LedgerAction, **arguments: Any) -> ApprovalAnswer:
    """Approve with other arguments, all of them."""
    return ApprovalAnswer(decision="edit", digest=shown.digest, arguments=arguments)


def sql(data_dir: Path, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Read or change the file past the product, as somebody with the disk in hand."""
    with closing(sqlite3.connect(data_dir / FILE, timeout=5)) as connection, connection:
        return connection.execute(statement, values).fetchall()


@cache
def pack_once() -> Path:
    """Write the pack once a process, for tests that have no fixtures."""
    return write_valves(_own_folder())


@cache
def migrated_once() -> Path:
    """Make a data folder with migrated tables once a process, to be copied."""
    folder = _own_folder()

    async def open_once() -> None:
        async with opened_ledger(folder, pack_once()):
            pass

    asyncio.run(open_once())
    return folder


def _own_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="safety-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder

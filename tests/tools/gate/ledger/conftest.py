import asyncio
import atexit
import shutil
import tempfile
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path

import pytest

from tests.safety.benches import (
    CAPTAIN,
    STRANGER,
    migrated_once,
    opened_ledger,
    pack_once,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import write_valves
from tools.gate.ledger.ledger import Ledger


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return shutil.copytree(migrated_once(), tmp_path / "data")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_valves(tmp_path)


@pytest.fixture
async def ledger(data_dir: Path, pack: Path) -> AsyncIterator[Ledger]:
    async with opened_ledger(data_dir, pack) as opened:
        yield opened


@pytest.fixture
def busy(tmp_path: Path) -> Path:
    """Return a folder in which two tenants were at work, for somebody with the disk in hand."""
    return shutil.copytree(_busy_once(), tmp_path / "busy")


@cache
def _busy_once() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="busy-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    data_dir = shutil.copytree(migrated_once(), folder / "data")
    asyncio.run(_be_busy(data_dir))
    for (name,) in sql(data_dir, "select name from sqlite_master where type = 'trigger'"):
        sql(data_dir, f"drop trigger {name}")
    return data_dir


async def _be_busy(data_dir: Path) -> None:
    async with opened_ledger(data_dir, pack_once()) as ledger:
        for number in range(3):
            shown = await ledger.propose(proposal(decision_id=f"d-{number}"))
            await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
            await ledger.execute(shown.action_id)
            theirs = await ledger.propose(
                proposal("buy_pump", decision_id=f"b-{number}", requester=STRANGER)
            )
            await ledger.decide(theirs.action_id, yes(theirs), STRANGER)

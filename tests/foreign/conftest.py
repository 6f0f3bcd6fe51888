"""A bank in a folder of its own, far from ours, and an Executive that knows nothing else."""

import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.approval import ApprovalAnswer, LedgerAction
from state.offer import Offer
from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.harbour import Harbour
from tests.stages import NOW
from tests.tables import lay_tables
from tools.platform.clock import VirtualClock

BANK = Path(__file__).parents[1] / "bank"
TINA = Principal(user="tina", tenant_id="default", roles=("teller",))
ADA = Principal(user="ada", tenant_id="default", roles=("advisor",))
MAX = Principal(user="max", tenant_id="default", roles=("manager",))
MIA = Principal(user="mia", tenant_id="default", roles=("manager",))
CLEO = Principal(user="cleo", tenant_id="default", roles=("compliance",))

OpenBank = Callable[..., AbstractAsyncContextManager["Bank"]]


@dataclass
class Bank(Harbour):
    """What a test says to the bank, and what it sees in the bank's own books."""

    async def offered(self, text: str, who: Principal = ADA) -> Offer:
        """Say something that is offered, and read the chips."""
        record = await self.says(text, who)
        assert record.outcome == "offered", (record.outcome, record.text)
        return await self.executive.offers.get(record.offer_id or "", who.tenant_id)

    async def picks(self, text: str, who: Principal = ADA, chip: str = "chip-1") -> DecisionRecord:
        """Say something and choose a chip of it."""
        offer = await self.offered(text, who)
        return await self.executive.offers.choose(offer.offer_id, chip, who)

    async def approves(self, record: DecisionRecord, *people: Principal) -> LedgerAction:
        """Let people say yes, one after the other, to what is shown, typing what it asks for."""
        assert record.outcome == "awaiting_approval", (record.outcome, record.text)
        standing = await self.executive.approvals.get(record.action_id or "", "default")
        for who in people:
            answer = ApprovalAnswer(
                decision="approve", digest=standing.digest, typed=await self.phrase(standing)
            )
            standing = await self.executive.approvals.answer(standing.action_id, answer, who)
        return standing

    async def phrase(self, standing: LedgerAction) -> str | None:
        """Read the words that the dialog wants to be typed, if any."""
        dialog = self.executive.approvals.show(standing).dialog
        return dialog.type_to_approve if dialog else None

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Read the bank's own books."""
        with closing(sqlite3.connect(self.data_dir / "packs" / "default" / "bank.sqlite")) as books:
            return books.execute(query, values).fetchall()

    def write(self, statement: str) -> None:
        """Change the bank's books behind our back."""
        with closing(sqlite3.connect(self.data_dir / "packs" / "default" / "bank.sqlite")) as books:
            books.execute(statement)
            books.commit()


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the pack to a folder that is nobody's package, as its author would have it."""
    folder = tmp_path_factory.mktemp("elsewhere") / "bank"
    shutil.copytree(BANK, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def open_bank(data_dir: Path, elsewhere: Path, learnt_once: Path, tmp_path: Path) -> OpenBank:
    """Open the bank; `rules` are lines of TOML put under [execution] of the shipped policy."""
    clock = VirtualClock(NOW)
    lay_tables(data_dir)

    @asynccontextmanager
    async def open_it(rules: str = "", **given: Any) -> AsyncIterator[Bank]:
        policy = tmp_path / "policy.toml"
        shipped = (ROOT / "policy.toml").read_text("utf-8")
        policy.write_text(f"{shipped}\n{rules}", "utf-8")
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
            data_dir=data_dir,
            packs=(str(elsewhere),),
            policy_file=policy,
            cache_dir=learnt_once,
            **given,
        )
        async with open_executive(settings, clock=clock) as executive:
            yield Bank(executive, clock, data_dir)

    return open_it


@pytest.fixture
async def bank(open_bank: OpenBank) -> AsyncIterator[Bank]:
    """Return the bank, open."""
    async with open_bank() as opened:
        yield opened

"""Every role against every action of the vessel, in two tenants: who may ask, who may say yes."""

import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Literal

import pytest

from packs.vessel.store import reading
from state.action import HandlerContext
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import AgentError, Forbidden, NotFound
from state.principal import Principal
from state.proposal import Proposal
from tests.packs.vessel.asking import ACTIONS, CALLS, CATALOGUE, Call, do
from tests.safety.benches import opened_ledger, sql
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tools.gate.approvals.dialog import dialog_of
from tools.gate.ledger.ledger import Ledger
from tools.platform.clock import VirtualClock

NOW = datetime(2026, 6, 14, 17, 30, tzinfo=UTC)
GATED = ("destructive", "compliance", "multi_user", "financial", "bulk")
ROLES = sorted(
    {
        role
        for entry in CATALOGUE.values()
        for role in (*entry.get("roles", ()), *entry.get("approvers", {}).get("roles", ()))
    }
    | {"admin", "nobody"}
)
BY_CLICK = "when its chip is chosen"
"""What a write is told that was asked for without one."""
OURS, THEIRS = "aurora", "borealis"


@dataclass(frozen=True)
class Cell:
    """Somebody who says yes to what somebody asked."""

    role: str
    tenant: str
    kind: Literal["person", "service"]
    is_asker: bool


CELLS = tuple(
    Cell(*each) for each in product(ROLES, (OURS, THEIRS), ("person", "service"), (False, True))
)


@pytest.fixture(scope="session")
def vessel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the store of the vessel once."""
    folder: Path = tmp_path_factory.mktemp("made") / "vessel"
    with reading(folder):
        pass
    return folder


def test_the_tables_are_whole() -> None:
    assert {one.action for one in CALLS} == set(CATALOGUE)
    assert len(ROLES) >= 9
    assert len([each for each in CATALOGUE.values() if each["effect"] in GATED]) >= 15


@few_or_many(6, 1_000)
async def test_nobody_asks_for_what_his_role_may_not_ask_for(
    data_dir: Path, vessel: Path, tally: Tally, count: int
) -> None:
    async with _opened(data_dir, vessel, ()) as ledger:
        for one, role in product(_some(CALLS, count), ROLES):
            may = set(CATALOGUE[one.action].get("roles", ())) or {role}
            asked = _asked(one, f"{one.action}-{role}", Principal(user="ann", tenant_id=OURS))
            asker = asked.requester.model_copy(update={"roles": (role,)})
            tally.add("cells of who may ask")
            told = await _refusal(ledger, asked.model_copy(update={"requester": asker}))
            is_forbidden = isinstance(told, Forbidden) and BY_CLICK not in str(told)
            assert is_forbidden == (role not in may), (one.action, role, told)
    assert sql(data_dir, "select count(*) from ledger_action where state = 'pending'") > [(0,)]
    assert sql(data_dir, "select action from ledger_action where started_at > 0") == []


async def _refusal(ledger: Ledger, asked: Proposal) -> AgentError | None:
    try:
        await ledger.propose(asked)
    except AgentError as error:
        return error
    return None


@few_or_many(2, 1_000)
async def test_nobody_says_yes_whom_the_catalogue_does_not_name(
    data_dir: Path, vessel: Path, tally: Tally, tmp_path: Path, count: int
) -> None:
    gated = [one for one in CALLS if CATALOGUE[one.action]["effect"] in GATED]
    decided = 0
    for one in _some(gated, count):
        folder = tmp_path / one.action
        folder.mkdir()
        async with _opened(folder, vessel, one.after) as ledger:
            for number, cell in enumerate(CELLS):
                decided += await _try(ledger, one, cell, number)
                tally.add("cells of who may say yes")
    assert decided > 0, "nobody might at all"


async def _try(ledger: Ledger, one: Call, cell: Cell, number: int) -> bool:
    """Ask, and let the cell's person say yes; tell whether it counted."""
    entry = CATALOGUE[one.action]
    asker = Principal(
        user=f"amir-{number}", tenant_id=OURS, roles=tuple(entry.get("roles", ("engineer",)))
    )
    shown = await ledger.propose(_asked(one, f"{one.action}-{number}", asker))
    assert shown.state == "pending"
    approver = Principal(
        user=asker.user if cell.is_asker else f"ingrid-{number}",
        tenant_id=cell.tenant,
        roles=(cell.role,),
        kind=cell.kind,
    )
    answer = _yes(ledger, shown)
    if _may(entry, cell):
        settled = await ledger.decide(shown.action_id, answer, approver)
        quorum = entry.get("approvers", {}).get("quorum", 1)
        assert settled.state == ("approved" if quorum == 1 else "pending")
        return True
    with pytest.raises(NotFound if cell.tenant == THEIRS else Forbidden):
        await ledger.decide(shown.action_id, answer, approver)
    assert await ledger.action(shown.action_id) == shown
    return False


def _may(entry: Mapping[str, Any], cell: Cell) -> bool:
    """Read the catalogue as a person would."""
    approvers = entry.get("approvers", {})
    named = approvers.get("roles", entry.get("roles", ()))
    return (
        cell.tenant == OURS
        and cell.kind == "person"
        and (not named or cell.role in named)
        and not (approvers.get("four_eyes", False) and cell.is_asker)
    )


def _yes(ledger: Ledger, shown: LedgerAction) -> ApprovalAnswer:
    action = ledger.executing.catalogue.action(shown.action)
    tuning = ledger.executing.policies.of(action)
    typed = dialog_of(shown, action, tuning).type_to_approve
    return ApprovalAnswer(decision="approve", digest=shown.digest, typed=typed)


def _asked(one: Call, decision_id: str, asker: Principal) -> Proposal:
    return Proposal(
        decision_id=decision_id,
        requester=asker,
        action=one.action,
        arguments=dict(one.arguments),
        at_least="A",
    )


@asynccontextmanager
async def _opened(data_dir: Path, vessel: Path, before: tuple[Call, ...]) -> AsyncIterator[Ledger]:
    """Open a ledger on a vessel where something was done before."""
    folder = data_dir / "packs" / OURS
    shutil.copytree(vessel, folder)
    for earlier in before:
        do(_context(folder), earlier)
    async with opened_ledger(data_dir, ACTIONS.parent, clock=VirtualClock(NOW)) as ledger:
        yield ledger


def _context(folder: Path) -> HandlerContext:
    return HandlerContext(
        action_id="before",
        idempotency_key="before",
        tenant_id=OURS,
        user="marta",
        roles=("chief_engineer",),
        now=NOW,
        data_dir=str(folder),
    )


def _some(calls: Sequence[Call], count: int) -> Sequence[Call]:
    return calls[:: max(1, len(calls) // count)]

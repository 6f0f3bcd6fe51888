"""The undo of what people had to say yes to needs no less than that, whichever way it comes."""

from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.errors import Conflict, Forbidden
from state.offer import Chip, Offer
from state.principal import Principal
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    MATE,
    edited,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects, write_valves
from tests.tools.gate.ledger.test_undo_under_way import CLOSE
from tools.gate.approvals.approval_rules import approvers_of
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.undo import UndoService
from tools.storage.offers import SqlOffers

MASTER = Principal(user="maria", tenant_id="aurora", roles=("captain",))
_OWN = "effect: destructive\n    roles: [engineer, captain]"
_OPENING = 'approvers: {roles: [engineer, captain]}\n    handler: "handlers:open_valve"\n'
_BY_CAPTAINS = (
    'approvers: {roles: [captain], quorum: %d}\n    handler: "handlers:open_valve"\n'
    "    undo: close_valve\n"
)


def _pack(folder: Path, effect: str, quorum: int = 1) -> Path:
    close = CLOSE.replace(_OWN, effect).replace("handlers:close_valve", "handlers:open_valve")
    return write_valves(
        folder, (_OPENING, _BY_CAPTAINS % quorum), ("  flood_hold:\n", close + "  flood_hold:\n")
    )


async def _opened(ledger: Ledger, *captains: Principal) -> LedgerAction:
    asked = await ledger.propose(proposal(valve="V-1"))
    for one in captains:
        await ledger.decide(asked.action_id, yes(asked), one)
    await ledger.execute(asked.action_id)
    return await ledger.action(asked.action_id)


async def _undo(ledger: Ledger, done: LedgerAction, who: Principal, way: str) -> LedgerAction:
    """Take it back by its id, as routes and buttons do, or by the chip that words lead to."""
    if way == "id":
        undoing = UndoService(ledger.database, ledger.proposing.catalogue)
        event = await undoing.ask(done.action_id, who)
    else:
        chip = Chip(
            chip_id="chip-1",
            action="close_valve",
            arguments={"valve": "V-1"},
            summary="Close valve V-1",
            confidence=1.0,
            undo_of=done.action_id,
        )
        offer = Offer(
            offer_id="offer-1",
            decision_id="said",
            tenant_id="aurora",
            session_id="default",
            chips=(chip,),
            reason="undo",
        )
        offers = SqlOffers(ledger.database)
        await offers.put(offer, minutes=5)
        event = await offers.choose("offer-1", "chip-1", who, {})
    asked = proposal("close_valve", decision_id=event.decision_id, requester=who, valve="V-1")
    return await ledger.propose(asked)


@pytest.mark.parametrize("way", ["id", "chip"])
@pytest.mark.parametrize(
    ("effect", "roles"),
    [
        ("effect: write\n    roles: [engineer, captain]", ("captain",)),
        ("effect: write", ("captain",)),
        ("effect: destructive", ("captain",)),
        ("effect: destructive\n    approvers: {roles: [mate, captain]}", ("captain",)),
    ],
)
async def test_it_is_approved_by_who_approved_the_first(
    data_dir: Path, tmp_path: Path, effect: str, roles: tuple[str, ...], way: str
) -> None:
    async with opened_ledger(data_dir, _pack(tmp_path, effect)) as ledger:
        done = await _opened(ledger, CAPTAIN)
        undo = await _undo(ledger, done, MATE, way)
        assert (undo.execution_class, undo.state, undo.undo_of) == ("C", "pending", done.action_id)
        assert "undo_of_approved" in undo.raised
        assert undo.approver_roles == roles
        assert (await ledger.execute(undo.action_id)).state == "pending"
        for who in (ENGINEER, MATE, COOK):
            with pytest.raises(Forbidden):
                await ledger.decide(undo.action_id, yes(undo), who)
        assert len(effects(data_dir)) == 1
        note = {"valve": "V-1", "note": "slowly"}
        await ledger.decide(undo.action_id, edited(undo, **note), CAPTAIN)
        assert (await ledger.newest(undo.action_id)).undo_of == done.action_id
        assert (await ledger.execute(undo.action_id)).state == "succeeded"
        assert (await ledger.action(done.action_id)).undo_at is not None


async def test_what_anybody_could_approve_is_taken_back_with_a_yes_of_who_may_ask(
    data_dir: Path, tmp_path: Path
) -> None:
    pack = _pack(tmp_path, "effect: destructive\n    roles: [captain]")
    async with opened_ledger(data_dir, pack) as ledger:
        done = await _opened(ledger, CAPTAIN)
        close = ledger.proposing.catalogue.action("close_valve")
        assert approvers_of(close, done.model_copy(update={"approver_roles": ()})).roles == (
            "captain",
        )


async def test_a_quorum_is_one_for_the_undo_too(data_dir: Path, tmp_path: Path) -> None:
    async with opened_ledger(data_dir, _pack(tmp_path, "effect: write", quorum=2)) as ledger:
        done = await _opened(ledger, CAPTAIN, MASTER)
        undo = await _undo(ledger, done, ENGINEER, "id")
        await ledger.decide(undo.action_id, yes(undo), CAPTAIN)
        assert (await ledger.execute(undo.action_id)).state == "pending"
        await ledger.decide(undo.action_id, yes(undo), MASTER)
        assert (await ledger.execute(undo.action_id)).state == "succeeded"


async def test_approved_by_other_roles_only_nobody_can_take_it_back(
    data_dir: Path, tmp_path: Path
) -> None:
    others = "effect: destructive\n    approvers: {roles: [cook]}"
    async with opened_ledger(data_dir, _pack(tmp_path, others)) as ledger:
        done = await _opened(ledger, CAPTAIN)
        with pytest.raises(Conflict, match="approved by other roles"):
            await _undo(ledger, done, ENGINEER, "id")


async def test_a_click_from_before_is_no_yes(data_dir: Path, tmp_path: Path) -> None:
    async with opened_ledger(data_dir, _pack(tmp_path, "effect: write")) as ledger:
        done = await _opened(ledger, CAPTAIN)
        sql(data_dir, "drop trigger ledger_action_is_frozen")
        sql(data_dir, "update ledger_action set execution_class = 'B'")
        undo = await _undo(ledger, done, ENGINEER, "id")
        assert (undo.execution_class, undo.state) == ("B", "approved")
        sql(
            data_dir,
            f"update ledger_action set execution_class = 'C' where action_id = '{done.action_id}'",
        )
        assert (await ledger.execute(undo.action_id)).state == "stale"

"""Undoing what was approved, and secrets on the way."""

import json
from pathlib import Path
from typing import Any

import pytest

from state.action import Action, ActionResult, Slot
from state.approval import LedgerAction
from state.errors import Conflict, Forbidden
from state.offer import Chip, Offer
from state.principal import Principal
from state.proposal import Proposal
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    MATE,
    edited,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects, write_valves
from tests.tools.gate.ledger.helpers import audited
from tools.gate.approvals.approval_rules import approvers_of
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.queries import history_of
from tools.gate.ledger.undo import UndoService, list_changes
from tools.gate.redaction import redacted_result, redacted_text
from tools.platform.redaction import MASK
from tools.storage.offers import SqlOffers, find_request

# What can be taken back is said the same everywhere: to who lists it and to who clicks.

UNDONE_BY_CLOSING = (
    'handler: "handlers:open_valve"\n',
    'handler: "handlers:open_valve"\n    undo: close_valve\n',
)
CLOSE = """\
  close_valve:
    summary: "Close valve {valve}"
    verb: close
    object: valve
    slots:
      valve: {type: valve, required: true}
      turns: {type: integer}
      note: {type: text}
    effect: destructive
    roles: [engineer, captain]
    handler: "handlers:close_valve"
    examples: ["close valve V-101"]
"""


@pytest.mark.parametrize(
    ("standing", "is_free"), [("accepted", False), ("waiting", False), ("recorded", True)]
)
async def test_from_the_click_on_nobody_is_offered_it_again(
    data_dir: Path, tmp_path: Path, standing: str, is_free: bool
):
    pack = write_valves(tmp_path, UNDONE_BY_CLOSING, ("  flood_hold:\n", CLOSE + "  flood_hold:\n"))
    async with opened_ledger(data_dir, pack) as ledger:
        shown = await ledger.propose(proposal(valve="V-101"))
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        await ledger.execute(shown.action_id)
        undoing = UndoService(ledger.database, ledger.proposing.catalogue)
        event = await undoing.ask(shown.action_id, ENGINEER)
        sql(
            data_dir,
            "update decision set standing = ? where decision_id = ?",
            (standing, event.decision_id),
        )
        listed = await list_changes(ledger.database, "aurora", undoable_only=True)
        assert [one.action_id for one in listed] == [shown.action_id] * is_free
        if is_free:
            await undoing.ask(shown.action_id, ENGINEER)
            return
        with pytest.raises(Conflict) as conflict:
            await undoing.ask(shown.action_id, ENGINEER)
        assert conflict.value.standing == "undo_asked"


# The undo of what people had to say yes to needs no less than that, whichever way it comes.

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
):
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
):
    pack = _pack(tmp_path, "effect: destructive\n    roles: [captain]")
    async with opened_ledger(data_dir, pack) as ledger:
        done = await _opened(ledger, CAPTAIN)
        close = ledger.proposing.catalogue.action("close_valve")
        assert approvers_of(close, done.model_copy(update={"approver_roles": ()})).roles == (
            "captain",
        )


async def test_a_quorum_is_one_for_the_undo_too(data_dir: Path, tmp_path: Path):
    async with opened_ledger(data_dir, _pack(tmp_path, "effect: write", quorum=2)) as ledger:
        done = await _opened(ledger, CAPTAIN, MASTER)
        undo = await _undo(ledger, done, ENGINEER, "id")
        await ledger.decide(undo.action_id, yes(undo), CAPTAIN)
        assert (await ledger.execute(undo.action_id)).state == "pending"
        await ledger.decide(undo.action_id, yes(undo), MASTER)
        assert (await ledger.execute(undo.action_id)).state == "succeeded"


async def test_approved_by_other_roles_only_nobody_can_take_it_back(data_dir: Path, tmp_path: Path):
    others = "effect: destructive\n    approvers: {roles: [cook]}"
    async with opened_ledger(data_dir, _pack(tmp_path, others)) as ledger:
        done = await _opened(ledger, CAPTAIN)
        with pytest.raises(Conflict, match="has other approvers"):
            await _undo(ledger, done, ENGINEER, "id")


async def test_a_click_from_before_is_no_yes(data_dir: Path, tmp_path: Path):
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


# What undoes an action reaches its undo as the handler told it, and is shown to nobody.

SECRET = ("note: {type: text}", "note: {type: text, secret: true}")
UNDONE_BY_ITSELF = (
    'handler: "handlers:open_valve"',
    'handler: "handlers:set_note"\n    undo: open_valve',
)
SET_NOTE = """

def set_note(context, *, valve, turns=None, note=None):
    file = Path(context.data_dir) / "note"
    before = file.read_text() if file.exists() else "canary-4711-old"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(note)
    return ActionResult(
        text=f"was {before}, is {note}",
        data={"before": before},
        undo={"valve": valve, "note": before},
    )
"""
NOTE = "canary-4711"
BEFORE = "canary-4711-old"


@pytest.fixture
def noting(tmp_path: Path) -> Path:
    pack = write_valves(tmp_path, SECRET, UNDONE_BY_ITSELF)
    handlers = pack / "handlers.py"
    handlers.write_text(handlers.read_text(encoding="utf-8") + SET_NOTE, encoding="utf-8")
    return pack


async def test_a_secret_is_put_back_as_it_was_and_told_to_nobody(data_dir: Path, noting: Path):
    async with opened_ledger(data_dir, noting) as ledger:
        done = await _done(ledger)
        undone = await _done(ledger, await _take_back(ledger, done))
        history = await ledger.database.read(
            lambda connection: history_of(connection, done.action_id, "aurora")
        )
    assert (done.state, undone.state, undone.undo_of) == ("succeeded", "succeeded", done.action_id)
    assert (data_dir / "packs" / "aurora" / "note").read_text(encoding="utf-8") == BEFORE
    assert undone.arguments["note"] == BEFORE
    shown = history.model_dump_json(exclude={"arguments"})
    kept = sql(data_dir, "select reason, result, summary, evidence from ledger_action")
    kept += sql(data_dir, "select event, body from ledger_entry")
    assert "canary" not in shown + str(kept)
    assert (await audited(data_dir, noting)).faults == ()


async def test_an_undo_that_was_refused_can_be_asked_with_the_same(data_dir: Path, noting: Path):
    async with opened_ledger(data_dir, noting) as ledger:
        done = await _done(ledger)
        refused = await _take_back(ledger, done)
        await ledger.decide(refused.action_id, no(refused), CAPTAIN)
        again = await _take_back(ledger, done)
    assert again.arguments == {"valve": "V-101", "note": BEFORE}


@pytest.mark.parametrize(
    "told", ['{"told": {"valve": "V-101", "note": "another"}}', "null", '{"told": {}}']
)
async def test_an_undo_that_was_changed_in_the_tables_is_found(data_dir: Path, noting: Path, told):
    async with opened_ledger(data_dir, noting) as ledger:
        await _done(ledger)
    sql(data_dir, "update ledger_action set undo_arguments = ?", (told,))
    (fault,) = (await audited(data_dir, noting)).faults
    assert (fault.kind, "would be undone with something else" in fault.says) == ("row", True)


async def _done(ledger: Ledger, shown: LedgerAction | None = None) -> LedgerAction:
    shown = shown or await ledger.propose(proposal(valve="V-101", note=NOTE))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    await ledger.execute(shown.action_id)
    return await ledger.action(shown.action_id)


async def _take_back(ledger: Ledger, done: LedgerAction) -> LedgerAction:
    undoing = UndoService(ledger.database, ledger.proposing.catalogue)
    event = await undoing.ask(done.action_id, ENGINEER)
    chosen = await ledger.database.read(
        lambda connection: find_request(connection, event.decision_id)
    )
    assert chosen is not None
    return await ledger.propose(
        Proposal(
            decision_id=event.decision_id,
            requester=ENGINEER,
            action=chosen.action,
            arguments=chosen.arguments,
            at_least="C",
            origin="undo",
        )
    )


# What an action says about itself never repeats a secret it was given.


@pytest.mark.parametrize(
    ("note", "state"),
    [
        ("refuse canary-4711", "failed"),
        ("break canary-4711", "unknown"),
        ("say canary-4711", "succeeded"),
    ],
)
async def test_a_secret_that_a_handler_repeats_is_kept_nowhere_but_in_the_arguments(
    data_dir: Path, tmp_path: Path, note: str, state: str
):
    async with opened_ledger(data_dir, write_valves(tmp_path, SECRET)) as ledger:
        shown = await ledger.propose(proposal(valve="V-101", note=note))
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        outcome = await ledger.execute(shown.action_id)
    assert outcome.state == state
    assert "canary" not in outcome.model_dump_json()
    kept = sql(data_dir, "select reason, result, summary, evidence from ledger_action")
    kept += sql(data_dir, "select event, body from ledger_entry")
    assert "canary" not in str(kept)
    assert sql(data_dir, "select 1 from ledger_action where arguments like '%canary%'") == [(1,)]


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        ("integer", 471100, {"pin": 471100, "pins": [1, 471100], "not": 471101, "is": True}),
        ("number", 4711.0, {"pin": 4711, "as": 4711.0}),
        ("json", {"token": "abcdef", "deep": [{"of": 98765}]}, {"a": "abcdef", "b": [98765]}),
        ("list", ["abcdef", "ghijkl"], {"abcdef": "ghijkl"}),
        ("text", 'a"bc\nd\\é', {"quoted": json.dumps('a"bc\nd\\é'), "repr": repr('a"bc\nd\\é')}),
    ],
)
def test_a_secret_is_blotted_in_every_form(kind: str, value: Any, told: dict[str, Any]):
    action = _action(kind)
    result = ActionResult(text=f"it is {told!r}", data=told, changed=(f"{value!r}",))
    blotted = redacted_result(result, action, {"code": value})
    assert blotted is not None
    left = blotted.model_dump_json()
    assert not [word for word in _leaves(value) if word in left]
    assert MASK in left
    assert blotted.data.get("not") == told.get("not")
    assert blotted.data.get("is") == told.get("is")


def test_a_key_of_a_json_secret_is_no_secret():
    told = redacted_text("refused token abcdef", _action("json"), {"code": {"token": "abcdef"}})
    assert told == f"refused token {MASK}"


def test_what_undoes_it_stays_whole():
    undo = {"code": "4711-old", "day": "2026-01-01"}
    blotted = redacted_result(
        ActionResult(text="4711-old became 4711", undo=undo),
        _action("text"),
        {"code": "4711"},
        _action("text"),
    )
    assert blotted == ActionResult(text=f"{MASK} became {MASK}", undo=undo)


def _action(kind: str) -> Action:
    return Action(
        name="set_code",
        pack="locks",
        summary="Set the code",
        verb="set",
        object="code",
        slots={"code": Slot(type=kind, secret=True), "day": Slot(type="date")},
        effect="write",
        handler="handlers:set_code",
        undo="set_code",
    )


def _leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    return [json.dumps(value).strip('"')]

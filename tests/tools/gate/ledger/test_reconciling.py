"""What a crash left, what people settle, and what follows the end of an action."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from state.approval import LedgerAction
from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.journal import DecisionStatus
from state.principal import Principal
from state.reader import whole
from state.retention import Pruned
from state.webhook import Endpoint
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    FILE,
    MATE,
    ROBOT,
    STRANGER,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import TARGETS, effects, effects_inside, write_valves
from tests.stages import NOW, event_of
from tests.tools.gate.ledger.helpers import age, audited, click, heads_of
from tests.tools.observability.query_log.planting import plant_query
from tools.gate.ledger.entry_hooks import ApprovalWebhooks, update_resolved_entry
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.maintenance import LedgerPruner
from tools.journal.action_decisions import action_decision, action_entry_id
from tools.journal.store.store import JournalStore
from tools.notifications.webhooks import Outbox
from tools.storage.database import Database

# What a crash left started is settled by what can be known of it, and never guessed.

LEFT = "update ledger_action set state = 'started', owner = 'another', fence = 1, lease_until = ?"
LONG_AGO, FAR_AHEAD = 1.0, 4e9
IDEMPOTENT = (
    'handler: "handlers:label_valve"',
    'handler: "handlers:label_valve"\n    idempotent: true',
)


class Killed(Exception):
    """The process ends here."""


@pytest.mark.parametrize("lease", [LONG_AGO, None])
async def test_a_blind_one_becomes_unknown_once_its_lease_is_over(
    ledger: Ledger, data_dir: Path, lease: float | None
):
    approved = await _approved(ledger)
    sql(data_dir, LEFT, (lease,))
    [settled] = await ledger.executing.reconcile()
    assert (settled.action_id, settled.state) == (approved.action_id, "unknown")
    assert await ledger.executing.reconcile() == ()
    assert effects(data_dir) == []


async def test_one_whose_lease_runs_is_left_alone(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger)
    sql(data_dir, LEFT, (FAR_AHEAD,))
    assert await ledger.executing.reconcile() == ()
    assert (await ledger.execute(approved.action_id)).state == "started"
    assert effects(data_dir) == []


async def test_after_a_start_nobody_elses_lease_counts(ledger: Ledger, data_dir: Path):
    await _approved(ledger)
    sql(data_dir, LEFT, (FAR_AHEAD,))
    [settled] = await ledger.executing.settle_after_crash()
    assert settled.state == "unknown"


@pytest.mark.parametrize(("has_happened", "state"), [(True, "succeeded"), (False, "failed")])
async def test_one_with_a_status_is_asked_what_became_of_it(
    data_dir: Path, tmp_path: Path, has_happened: bool, state: str
):
    pack = write_valves(tmp_path, *TARGETS["status"])
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        if has_happened:
            _leave_effect(data_dir, approved)
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
        outcome = await ledger.execute(approved.action_id)
    assert (settled.state, outcome.state) == (state, state)
    assert len(effects(data_dir)) == int(has_happened)


async def test_one_whose_status_does_not_answer_is_unknown(data_dir: Path, tmp_path: Path):
    pack = write_valves(tmp_path, *TARGETS["status"])
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        folder = data_dir / "packs" / "aurora"
        folder.mkdir(parents=True)
        (folder / "dumb").touch()
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
    assert (settled.action_id, settled.state) == (approved.action_id, "unknown")
    assert "does not answer" in (settled.reason or "")


async def test_a_transactional_one_cannot_have_happened(data_dir: Path, tmp_path: Path):
    pack = write_valves(tmp_path, *TARGETS["transactional"])
    async with opened_ledger(data_dir, pack) as ledger:
        await _approved(ledger)
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
    assert settled.state == "failed"
    assert effects_inside(data_dir / FILE) == []


async def test_a_change_that_takes_keys_is_done_with_the_same_key(data_dir: Path, tmp_path: Path):
    async with opened_ledger(data_dir, write_valves(tmp_path, IDEMPOTENT)) as ledger:
        clicked = await click(ledger, valve="V-7")
        asked = proposal("label_valve", decision_id=clicked.decision_id, valve="V-7")
        action_id = (await ledger.propose(asked)).action_id
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
        assert (settled.action_id, settled.state) == (action_id, "succeeded")
    assert [each["action_id"] for each in effects(data_dir)] == [action_id]
    assert sql(data_dir, "select fence from ledger_action") == [(2,)]


async def test_one_that_takes_keys_and_never_ends_is_not_done_for_ever(
    data_dir: Path, tmp_path: Path
):
    def end_it(name: str) -> None:
        if name == "in_effect":
            raise Killed

    pack = write_valves(tmp_path, IDEMPOTENT)
    async with opened_ledger(data_dir, pack, step=end_it) as ledger:
        clicked = await click(ledger, valve="V-7")
        asked = proposal("label_valve", decision_id=clicked.decision_id, valve="V-7")
        action_id = (await ledger.propose(asked)).action_id
        with pytest.raises(Killed):
            await ledger.execute(action_id)
    for _start in range(4):
        async with opened_ledger(data_dir, pack, step=end_it) as ledger:
            with pytest.raises(Killed):
                await ledger.executing.settle_after_crash()
    async with opened_ledger(data_dir, pack, step=end_it) as ledger:
        [settled] = await ledger.executing.settle_after_crash()
    called = [each["action_id"] for each in effects(data_dir)]
    assert (settled.state, called) == ("unknown", [action_id] * 5)


async def test_a_dangerous_one_is_never_tried_again_even_if_it_takes_keys(
    data_dir: Path, tmp_path: Path
):
    keyed = 'handler: "handlers:open_valve"'
    pack = write_valves(tmp_path, (keyed, f"{keyed}\n    idempotent: true"))
    async with opened_ledger(data_dir, pack) as ledger:
        await _approved(ledger)
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
    assert (settled.state, effects(data_dir)) == ("unknown", [])


async def test_under_other_code_nothing_is_concluded(data_dir: Path, tmp_path: Path):
    async with opened_ledger(data_dir, write_valves(tmp_path)) as before:
        await _approved(before)
    sql(data_dir, LEFT, (LONG_AGO,))
    pack = write_valves(tmp_path, *TARGETS["transactional"])
    async with opened_ledger(data_dir, pack) as after:
        [settled] = await after.executing.settle_after_crash()
    assert settled.state == "unknown"


async def test_an_approved_one_that_nobody_starts_is_started(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger)
    await ledger.executing.reconcile()
    assert (await ledger.action(approved.action_id)).state == "approved"
    age(data_dir, days=1)
    await ledger.executing.reconcile()
    assert (await ledger.action(approved.action_id)).state == "succeeded"
    assert len(effects(data_dir)) == 1


async def test_an_end_that_comes_after_it_was_settled_changes_nothing(data_dir: Path, pack: Path):
    claimed = asyncio.Event()

    def tell(name: str) -> None:
        if name == "after_claim":
            claimed.set()

    async with (
        opened_ledger(data_dir, pack, step=tell, handler_seconds=0.5) as late,
        opened_ledger(data_dir, pack) as other,
    ):
        approved = await _approved(late, note="hang")
        running = asyncio.create_task(late.execute(approved.action_id))
        await claimed.wait()
        sql(data_dir, "update ledger_action set lease_until = 1.0")
        [settled] = await other.executing.reconcile()
        await other.settle(approved.action_id, CAPTAIN, False, "I looked at the valve")
        outcome = await running
        standing = await other.action(approved.action_id)
    assert (settled.state, outcome.state) == ("unknown", "failed")
    assert standing.evidence == "I looked at the valve"


async def test_a_claim_that_slept_too_long_is_not_begun(ledger: Ledger, data_dir: Path):
    hours = iter(range(0, 36_000, 3_600))
    sleepy = replace(ledger.executing, seconds_now=lambda: float(next(hours)), _under_way={})
    outcome = await sleepy.execute((await _approved(ledger)).action_id)
    assert (outcome.state, effects(data_dir)) == ("failed", [])


def _leave_effect(data_dir: Path, approved: LedgerAction) -> None:
    folder = data_dir / "packs" / "aurora"
    folder.mkdir(parents=True)
    line = f'{{"action_id": "{approved.action_id}", "action": "open_valve"}}\n'
    (folder / "effects.jsonl").write_text(line)


async def _approved(ledger: Ledger, *, note: str | None = None) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101", note=note))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)


# Only a person, with evidence, says what became of an action that nobody can tell.


@pytest.mark.parametrize(("happened", "state"), [(True, "succeeded"), (False, "failed")])
async def test_a_person_settles_it_and_it_stays_so(
    ledger: Ledger, data_dir: Path, pack: Path, happened: bool, state: str
):
    unknown = await _unknown(ledger)
    settled = await ledger.settle(unknown.action_id, CAPTAIN, happened, "  seen on deck  ")
    assert (settled.state, settled.settled_by, settled.evidence) == (
        state,
        "ingrid",
        "seen on deck",
    )
    assert settled.reason is None
    assert (await ledger.execute(unknown.action_id)).state == state
    with pytest.raises(Conflict):
        await ledger.settle(unknown.action_id, CAPTAIN, not happened, "no, it was the other way")
    assert (await audited(data_dir, pack)).faults == ()


@pytest.mark.parametrize(
    ("principal", "error"), [(COOK, Forbidden), (ROBOT, Forbidden), (STRANGER, NotFound)]
)
async def test_who_may_not_approve_it_may_not_settle_it(ledger: Ledger, principal, error):
    unknown = await _unknown(ledger)
    with pytest.raises(error):
        await ledger.settle(unknown.action_id, principal, True, "seen on deck")
    assert (await ledger.action(unknown.action_id)).state == "unknown"


@pytest.mark.parametrize("evidence", ["", "   ", "x" * 2_001, "a\x00b", "a\ud800b"])
async def test_without_evidence_that_can_be_kept_nothing_is_settled(ledger: Ledger, evidence: str):
    unknown = await _unknown(ledger)
    with pytest.raises(BadInput):
        await ledger.settle(unknown.action_id, CAPTAIN, True, evidence)
    assert (await ledger.action(unknown.action_id)).state == "unknown"


@pytest.mark.parametrize("state", ["pending", "approved", "started", "succeeded", "rejected"])
async def test_only_an_unknown_one_is_settled(ledger: Ledger, data_dir: Path, state: str):
    shown = await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = ?", (state,))
    with pytest.raises(Conflict) as refused:
        await ledger.settle(shown.action_id, CAPTAIN, True, "seen on deck")
    assert refused.value.standing == state


async def test_where_four_eyes_are_due_the_asker_does_not_settle(ledger: Ledger):
    asker = CAPTAIN.model_copy(update={"user": "sven"})
    unknown = await _unknown(ledger, "flood_hold", asker)
    with pytest.raises(Forbidden):
        await ledger.settle(unknown.action_id, asker, True, "seen on deck")


@pytest.mark.parametrize(("happened", "executed"), [(True, "open_valve"), (False, None)])
async def test_the_query_log_hears_what_became_of_it(
    ledger: Ledger, data_dir: Path, happened: bool, executed: str | None
):
    unknown = await _unknown(ledger)
    await plant_query(
        ledger.database,
        "open V-101",
        action_id=unknown.action_id,
        action_executed="open_valve",
        execution_method="confirmation",
        executed_at=1.0,
        time_to_action_ms=1.0,
    )
    await ledger.settle(unknown.action_id, CAPTAIN, happened, "seen on deck")
    [noted] = sql(
        data_dir,
        "select action_executed, execution_method is null, executed_at is null,"
        " time_to_action_ms is null from query_log",
    )
    assert noted == (executed, *[not happened] * 3)


async def _unknown(
    ledger: Ledger, action: str = "open_valve", requester: Principal = ENGINEER
) -> LedgerAction:
    note: dict[str, Any] = {"note": "break", "valve": "V-101"} if action == "open_valve" else {}
    shown = await ledger.propose(proposal(action, requester=requester, **note))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    if action != "open_valve":
        await ledger.database.write(
            lambda connection: connection.exec_driver_sql(
                "update ledger_action set state = 'unknown'"
            )
        )
    else:
        assert (await ledger.execute(shown.action_id)).state == "unknown"
    return await ledger.action(shown.action_id)


# Old and ended actions go from the front; the chain still holds, and nothing open goes.

TRIGGERS = "select name, sql from sqlite_master where type = 'trigger' order by name"


async def test_what_ended_long_ago_goes_and_the_rest_is_whole(
    ledger: Ledger, data_dir: Path, pack: Path
):
    for number in range(4):
        await _done(ledger, f"d-{number}")
    await _done(ledger, "d-9", requester=STRANGER)
    age(data_dir, days=40, up_to=2)
    heads = await heads_of(data_dir, pack)
    guards = sql(data_dir, TRIGGERS)
    pruned = await LedgerPruner(ledger.database).prune(30)
    assert pruned == Pruned(ledger_actions=3, ledger_entries=15)
    assert sql(data_dir, "select count(*) from ledger_action") == [(2,)]
    assert sql(data_dir, "select count(*) from ledger_approval") == [(2,)]
    assert sql(data_dir, TRIGGERS) == guards
    report = await audited(data_dir, pack, heads=heads)
    assert (report.faults, report.heads) == ((), {"aurora": 20, "borealis": 5})


async def test_the_chain_goes_on_after_everything_was_let_go(
    ledger: Ledger, data_dir: Path, pack: Path
):
    await _done(ledger, "d-0")
    age(data_dir, days=40)
    heads = await heads_of(data_dir, pack)
    await LedgerPruner(ledger.database).prune(30)
    assert sql(data_dir, "select count(*) from ledger_entry") == [(0,)]
    await _done(ledger, "d-1")
    report = await audited(data_dir, pack, heads=heads)
    assert (report.faults, report.heads) == ((), {"aurora": 10})


async def test_what_is_pruned_and_then_cut_is_still_found(
    ledger: Ledger, data_dir: Path, pack: Path
):
    for number in range(3):
        await _done(ledger, f"d-{number}")
    age(data_dir, days=40, up_to=1)
    await LedgerPruner(ledger.database).prune(30)
    sql(data_dir, "drop trigger ledger_entry_stays_on_delete")
    sql(data_dir, "delete from ledger_entry where number = 6")
    assert "deleted" in {fault.kind for fault in (await audited(data_dir, pack)).faults}


@pytest.mark.parametrize("state", ["proposed", "pending", "approved", "started", "unknown"])
async def test_nothing_behind_an_open_one_goes(ledger: Ledger, data_dir: Path, state: str):
    await _done(ledger, "d-0")
    held = await ledger.propose(proposal(decision_id="d-1", valve="V-102"))
    sql(data_dir, "update ledger_action set state = ? where action_id = ?", (state, held.action_id))
    await _done(ledger, "d-2")
    age(data_dir, days=40)
    assert await LedgerPruner(ledger.database).prune(30) == Pruned(
        ledger_actions=1, ledger_entries=5
    )


async def test_an_action_goes_whole_or_not_at_all(ledger: Ledger, data_dir: Path):
    first = await ledger.propose(proposal(decision_id="d-0", valve="V-100"))
    await _done(ledger, "d-1")
    held = await ledger.propose(proposal(decision_id="d-2", valve="V-102"))
    await ledger.decide(first.action_id, yes(first), CAPTAIN)
    await ledger.execute(first.action_id)
    age(data_dir, days=40)
    assert held.state == "pending"
    assert await LedgerPruner(ledger.database).prune(30) == Pruned()


async def test_a_trial_counts_and_changes_nothing(ledger: Ledger, data_dir: Path):
    await _done(ledger, "d-0")
    age(data_dir, days=40)
    pruning = LedgerPruner(ledger.database)
    trial = await pruning.prune(30, is_trial=True)
    assert trial == Pruned(ledger_actions=1, ledger_entries=5)
    assert sql(data_dir, "select count(*) from ledger_entry") == [(5,)]
    assert await pruning.prune(30) == trial


async def test_no_days_keep_everything(ledger: Ledger, data_dir: Path):
    await _done(ledger, "d-0")
    age(data_dir, days=4000)
    assert await LedgerPruner(ledger.database).prune(0) == Pruned()


async def test_many_go_in_several_transactions(
    ledger: Ledger, data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tools.gate.ledger.maintenance.AT_ONCE", 7)
    for number in range(4):
        await _done(ledger, f"d-{number}")
    age(data_dir, days=40)
    pruned = await LedgerPruner(ledger.database).prune(30)
    assert pruned == Pruned(ledger_actions=4, ledger_entries=20)
    assert (await audited(data_dir, pack)).faults == ()


async def test_a_fault_midway_leaves_everything_and_every_guard(ledger: Ledger, data_dir: Path):
    await _done(ledger, "d-0")
    age(data_dir, days=40)
    guards = sql(data_dir, TRIGGERS)
    sql(
        data_dir,
        "create trigger no before insert on ledger_anchor begin select raise(abort, 'x'); end",
    )
    with pytest.raises(Exception, match="x"):
        await LedgerPruner(ledger.database).prune(30)
    sql(data_dir, "drop trigger no")
    assert sql(data_dir, TRIGGERS) == guards
    assert sql(data_dir, "select count(*) from ledger_entry") == [(5,)]


async def _done(ledger: Ledger, decision_id: str, requester: Principal = CAPTAIN) -> None:
    shown = await ledger.propose(proposal(decision_id=decision_id, requester=requester))
    shown = await ledger.decide(shown.action_id, yes(shown), requester)
    await ledger.execute(shown.action_id)


# What a person finds that became of a change is said in its entry of the journal.

UNKNOWN = LedgerAction(
    action_id="a-1",
    tenant_id="default",
    decision_id="d-1",
    action="close_valve",
    pack="bank",
    execution_class="C",
    arguments={},
    digest="0",
    summary="Close valve 7",
    state="unknown",
    requester="mia",
    requester_roles=("cook",),
    approver_roles=(),
    quorum=1,
    four_eyes=False,
    proposed_at=NOW,
    reason="the line went dead",
)


@pytest.mark.parametrize(
    ("state", "status", "notes"),
    [
        ("succeeded", DecisionStatus.ACTIVE, ""),
        ("failed", DecisionStatus.REJECTED, "It was allowed and failed"),
    ],
)
async def test_an_unknown_end_is_told_until_a_person_says_what_became_of_it(
    tmp_path: Path, state: str, status: DecisionStatus, notes: str
):
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    store = JournalStore(database)
    made = action_decision(UNKNOWN, event_of("close valve 7"), approvers=["ingrid"], at=NOW)
    await store.put([made])
    assert made.notes.endswith("nobody knows yet whether it happened: the line went dead")
    settled = UNKNOWN.model_copy(update={"state": state, "reason": None})
    await database.write(lambda connection: update_resolved_entry(connection, settled))
    kept = await store.get(action_entry_id("a-1"), whole("default"))
    assert (kept.status, kept.notes, kept.decision) == (status, notes, "Close valve 7")
    assert (await store.drift()).text_is_whole
    await database.close()


# Whom webhooks wake: a question, the last of its time, and its end.


async def test_approvals_are_told_when_asked_running_out_and_decided(
    ledger: Ledger, data_dir: Path
):
    everything = {"url": "https://h.test/x", "events": ("*",), "secret": "s" * 24}
    endpoints = tuple(
        Endpoint.model_validate({"name": name, "tenant": name, **everything})
        for name in ("aurora", "borealis")
    )
    ledger.database.on_entry = ApprovalWebhooks(Outbox(ledger.database, endpoints))
    first, second, third = [
        await ledger.propose(proposal(decision_id=f"d-{number}", valve=f"V-101{number}"))
        for number in range(3)
    ]
    twin = await ledger.propose(proposal(decision_id="d-7", requester=MATE, valve="V-1010"))
    await ledger.propose(proposal("read_gauge", decision_id="d-9", gauge="G-1"))
    await ledger.decide(first.action_id, yes(first), CAPTAIN)
    await ledger.execute(first.action_id)
    await ledger.decide(second.action_id, no(second), CAPTAIN)
    soon = "update ledger_action set expires_at = asked_at + {} where action_id = '{}'"
    sql(data_dir, soon.format("0.001", third.action_id))
    assert await ledger.asking.expire_due()
    fourth = await ledger.propose(proposal(decision_id="d-4"))
    sql(data_dir, soon.format("60", fourth.action_id))
    back = "update ledger_action set asked_at = asked_at - 3600 where action_id = '{}'"
    sql(data_dir, back.format(fourth.action_id))
    assert await ledger.asking.warn_due()
    assert not await ledger.asking.warn_due()

    rows = sql(data_dir, "select body from webhook_delivery order by delivery_id")
    told = [json.loads(str(body)) for (body,) in rows]
    named = {first.action_id: 1, second.action_id: 2, third.action_id: 3, fourth.action_id: 4}
    named[twin.action_id] = 5
    assert [
        (
            one["type"].removeprefix("approval:"),
            named[one["data"]["action_id"]],
            one["data"]["state"],
        )
        for one in told
    ] == [
        ("asked", 1, "pending"),
        ("asked", 2, "pending"),
        ("asked", 3, "pending"),
        ("asked", 5, "pending"),
        ("decided", 1, "approved"),
        ("decided", 5, "stale"),
        ("decided", 2, "rejected"),
        ("decided", 3, "expired"),
        ("asked", 4, "pending"),
        ("expiring", 4, "pending"),
    ]
    assert {one["tenant_id"] for one in told} == {"aurora"}
    assert told[4]["data"]["decided_by"] == CAPTAIN.user
    assert not any("V-101" in json.dumps(one) for one in told)

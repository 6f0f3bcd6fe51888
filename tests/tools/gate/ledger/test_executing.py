"""An approved action runs once, exactly as approved, or it does not run."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from state.approval import LedgerAction
from state.errors import Busy, NotFound
from state.execution import ExecutionTuning, PackExecution, ReleasePhase
from state.preview import Change, Preview
from state.principal import Principal
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    FILE,
    MATE,
    PERMISSIVE,
    TUNING,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects, write_valves
from tests.tools.gate.ledger.till import BOSS, CLERK, invoices, write_till
from tools.access.api_keys import SqlKeys
from tools.gate.ledger.handler_runner import moved_since
from tools.gate.ledger.ledger import Ledger
from tools.platform.clock import VirtualClock


async def test_a_yes_runs_it_once_however_often_it_is_asked_for(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger)
    first = await ledger.execute(approved.action_id)
    again = [await ledger.execute(approved.action_id) for _ in range(3)]
    assert (first.state, first.executed_now, first.text) == ("succeeded", True, "open_valve done")
    assert {(each.state, each.executed_now, each.text) for each in again} == {
        ("succeeded", False, "open_valve done")
    }
    assert len(effects(data_dir)) == 1


@pytest.mark.parametrize("action", PERMISSIVE)
async def test_what_runs_is_what_was_approved(ledger: Ledger, data_dir: Path, action: str):
    shown = await ledger.propose(proposal(action, requester=CAPTAIN))
    for user in ("sven", "tove"):
        if shown.state == "pending":
            person = CAPTAIN.model_copy(update={"user": user})
            shown = await ledger.decide(shown.action_id, yes(shown), person)
    await ledger.execute(shown.action_id)
    [done] = effects(data_dir)
    assert done["action"] == action
    assert {k: v for k, v in done["arguments"].items() if v is not None} == PERMISSIVE[action]


async def test_asked_for_at_once_by_many_it_runs_once(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger)
    outcomes = await asyncio.gather(*(ledger.execute(approved.action_id) for _ in range(8)))
    assert sorted(each.executed_now for each in outcomes) == [False] * 7 + [True]
    assert {each.state for each in outcomes} == {"succeeded"}
    assert len(effects(data_dir)) == 1


async def test_two_processes_run_it_once(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as one, opened_ledger(data_dir, pack) as two:
        approved = await _approved(one)
        outcomes = await asyncio.gather(
            *(ledger.execute(approved.action_id) for ledger in (one, two, one, two))
        )
        assert [each.executed_now for each in outcomes].count(True) == 1
        assert len(effects(data_dir)) == 1
        assert (await two.execute(approved.action_id)).state == "succeeded"


@pytest.mark.parametrize("state", ["pending", "rejected", "expired", "superseded", "unknown"])
async def test_without_a_standing_yes_nothing_runs(ledger: Ledger, data_dir: Path, state: str):
    shown = await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = ?", (state,))
    outcome = await ledger.execute(shown.action_id)
    assert (outcome.state, outcome.executed_now, effects(data_dir)) == (state, False, [])


async def test_an_id_that_is_not_there_is_not_found(ledger: Ledger):
    with pytest.raises(NotFound):
        await ledger.execute("00000000-0000-0000-0000-000000000000")


async def test_a_refusal_of_the_handler_is_told_and_final(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger, note="refuse")
    outcome = await ledger.execute(approved.action_id)
    assert (outcome.state, outcome.reason) == ("failed", "the valve is locked")
    await ledger.execute(approved.action_id)
    assert effects(data_dir) == []


@pytest.mark.parametrize("note", ["break", "nonsense"])
async def test_a_handler_that_breaks_leaves_unknown_and_is_never_tried_again(
    ledger: Ledger, data_dir: Path, note: str
):
    approved = await _approved(ledger, note=note)
    outcomes = [await ledger.execute(approved.action_id) for _ in range(2)]
    assert [each.state for each in outcomes] == ["unknown", "unknown"]
    assert len(effects(data_dir)) == 1


async def test_a_handler_that_hangs_leaves_unknown(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack, handler_seconds=0.05) as ledger:
        approved = await _approved(ledger, note="hang")
        assert (await ledger.execute(approved.action_id)).state == "unknown"
        assert len(effects(data_dir)) == 1


async def test_a_read_that_breaks_has_failed(ledger: Ledger):
    frozen = await ledger.propose(proposal("read_gauge", gauge="G-500"))
    assert (await ledger.execute(frozen.action_id)).state == "failed"


async def test_a_caller_that_goes_away_does_not_stop_it(data_dir: Path, pack: Path):
    claimed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(name: str) -> None:
        if name == "after_claim":
            loop.call_soon(claimed.set)

    async with opened_ledger(data_dir, pack, step=tell) as ledger:
        approved = await _approved(ledger)
        caller = asyncio.create_task(ledger.execute(approved.action_id))
        await claimed.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        outcome = await ledger.execute(approved.action_id)
        assert (outcome.state, len(effects(data_dir))) == ("succeeded", 1)


async def test_what_another_process_left_started_becomes_unknown(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        read = await ledger.propose(proposal("read_gauge", gauge="G-1"))
        sql(data_dir, "update ledger_action set state = 'started', owner = 'another', fence = 1")
        settled = await ledger.executing.settle_after_crash()
        assert {each.action_id: each.state for each in settled} == {
            approved.action_id: "unknown",
            read.action_id: "approved",
        }
        assert await ledger.executing.settle_after_crash() == ()
        assert (await ledger.execute(approved.action_id)).state == "unknown"
        assert (await ledger.execute(read.action_id)).state == "succeeded"
        assert [each["action"] for each in effects(data_dir)] == ["read_gauge"]


async def test_a_running_action_of_ours_is_not_taken_for_a_crash(data_dir: Path, pack: Path):
    claimed = asyncio.Event()

    def tell(name: str) -> None:
        if name == "after_claim":
            claimed.set()

    async with opened_ledger(data_dir, pack, step=tell) as ledger:
        approved = await _approved(ledger, note="hang")
        running = asyncio.create_task(ledger.execute(approved.action_id))
        await claimed.wait()
        assert await ledger.executing.settle_after_crash() == ()
        assert (await ledger.action(approved.action_id)).state == "started"
        ledger.executing._under_way[approved.action_id].cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_worker_that_wakes_up_late_does_not_overwrite_the_end(data_dir: Path, pack: Path):
    def settled_meanwhile(name: str) -> None:
        if name == "after_effect":
            sql(data_dir, "update ledger_action set state = 'unknown', fence = fence + 1")

    async with opened_ledger(data_dir, pack, step=settled_meanwhile) as ledger:
        assert (await ledger.execute((await _approved(ledger)).action_id)).state == "unknown"


async def test_an_end_that_could_not_be_written_down_is_unknown(
    data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tools.storage.database.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(data_dir / FILE)) as other:

        def held_by_somebody_else(name: str) -> None:
            if name == "after_effect":
                other.execute("begin immediate")

        async with opened_ledger(data_dir, pack, step=held_by_somebody_else) as ledger:
            approved = await _approved(ledger)
            with pytest.raises(Busy):
                await ledger.execute(approved.action_id)
            other.rollback()
            assert (await ledger.execute(approved.action_id)).state == "unknown"
            assert len(effects(data_dir)) == 1


async def test_without_a_committed_claim_nothing_runs(
    data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tools.storage.database.BUSY_SECONDS", 0.05)
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        with closing(sqlite3.connect(data_dir / FILE)) as other:
            other.execute("begin immediate")
            with pytest.raises(Busy):
                await ledger.execute(approved.action_id)
            assert effects(data_dir) == []
            other.rollback()
        assert (await ledger.execute(approved.action_id)).state == "succeeded"
        assert len(effects(data_dir)) == 1


async def test_a_handler_works_in_its_tenants_folder_of_the_packs(ledger: Ledger, data_dir: Path):
    await ledger.execute((await _approved(ledger)).action_id)
    assert (data_dir / "packs" / "aurora" / "effects.jsonl").exists()


async def test_a_no_after_the_effect_comes_too_late(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger)
    await ledger.execute(approved.action_id)
    with pytest.raises(Exception, match="already"):
        await ledger.decide(approved.action_id, no(approved), CAPTAIN)
    assert (await ledger.action(approved.action_id)).state == "succeeded"


async def _approved(ledger: Ledger, *, note: str | None = None) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101", note=note))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)


# A yes is for what was shown: once anything about it has changed, it is for nothing.


async def test_a_row_set_to_approved_without_a_vote_does_not_run(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = 'approved'")
    assert ((await ledger.execute(shown.action_id)).state, effects(data_dir)) == ("stale", [])


async def test_a_vote_for_another_digest_does_not_count(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal())
    sql(
        data_dir,
        "insert into ledger_approval values (?, 'ingrid', 'approve', 'x', 'approve', 1.0)",
        (shown.action_id,),
    )
    sql(data_dir, "update ledger_action set state = 'approved'")
    assert (await ledger.execute(shown.action_id)).state == "stale"
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("arguments", '{"valve": "V-999"}'),
        ("action", "buy_pump"),
        ("tenant_id", "borealis"),
        ("execution_class", "A"),
        ("quorum", 2),
    ],
)
async def test_a_row_changed_on_disk_after_its_approval_does_not_run(
    ledger: Ledger, data_dir: Path, column: str, value: object
):
    approved = await _approved(ledger)
    sql(data_dir, "drop trigger ledger_action_is_frozen")
    sql(data_dir, f"update ledger_action set {column} = ?", (value,))
    assert (await ledger.execute(approved.action_id)).state == "stale"
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    "change",
    [
        ("  open_valve:\n", "  open_sluice:\n"),
        ('handler: "handlers:open_valve"', 'handler: "handlers:close_valve"'),
        ("turns: {type: integer}", "turns: {type: text}"),
        ("approvers: {roles: [engineer, captain]}", "approvers: {roles: [captain]}"),
        ("    roles: [engineer, captain]\n", "    roles: [captain]\n"),
        ("effect: destructive", "effect: financial"),
        ('summary: "Open valve', 'summary: "Close valve'),
    ],
)
async def test_a_changed_catalogue_makes_an_approval_stale(data_dir: Path, tmp_path: Path, change):
    async with opened_ledger(data_dir, write_valves(tmp_path)) as before:
        approved = await _approved(before)
    async with opened_ledger(data_dir, write_valves(tmp_path, change)) as after:
        outcome = await after.execute(approved.action_id)
        again = await after.execute(approved.action_id)
    assert (outcome.state, outcome.executed_now, again.state) == ("stale", False, "stale")
    assert effects(data_dir) == []


async def test_an_approval_that_was_not_started_in_time_expires(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger)
    sql(data_dir, "update ledger_action set expires_at = 1.0")
    assert (await ledger.execute(approved.action_id)).state == "expired"
    assert (await ledger.execute(approved.action_id)).state == "expired"
    assert effects(data_dir) == []


@pytest.mark.parametrize("year", [1980, 2190])
async def test_a_wrong_clock_of_the_process_moves_no_deadline(data_dir: Path, pack: Path, year):
    clock = VirtualClock(datetime(year, 1, 1, tzinfo=UTC))
    async with opened_ledger(data_dir, pack, clock=clock) as ledger:
        assert (await ledger.execute((await _approved(ledger)).action_id)).state == "succeeded"


# At the claim, the world is looked at again: targets, phase, policy, and who may say yes.

PREVIEWED = (
    'handler: "handlers:open_valve"',
    'handler: "handlers:open_valve"\n    preview: "handlers:look_at"',
)
REVOKE = "update api_key set revoked_at = 1.0 where user = ?"
RUN_OUT = "update api_key set expires_at = 1.0 where user = ?"


@pytest.fixture
def previewed(tmp_path: Path) -> Path:
    return write_valves(tmp_path, PREVIEWED)


@pytest.mark.parametrize(
    ("stands", "reason"),
    [
        ("V-101 2", "V-101 changed since it was shown"),
        ("V-101 1\nV-102 1", "V-102 changed since it was shown"),
        ("", "V-101 changed since it was shown"),
        ("gone", "it is not possible any more"),
        ("broken", "its target could not be read"),
    ],
)
async def test_a_target_that_is_not_as_it_was_shown_makes_it_stale(
    data_dir: Path, previewed: Path, stands: str, reason: str
):
    _stand(data_dir, "V-101 1")
    async with opened_ledger(data_dir, previewed) as ledger:
        approved = await _approved_plainly(ledger)
        assert approved.target_versions == {"V-101": "1"}
        _stand(data_dir, stands)
        outcome = await ledger.execute(approved.action_id)
    assert outcome.state == "stale"
    assert reason in (outcome.reason or "")
    assert effects(data_dir) == []


async def test_a_target_as_it_was_shown_may_be_changed(data_dir: Path, previewed: Path):
    _stand(data_dir, "V-101 1")
    async with opened_ledger(data_dir, previewed) as ledger:
        outcome = await ledger.execute((await _approved_plainly(ledger)).action_id)
    assert (outcome.state, len(effects(data_dir))) == ("succeeded", 1)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"phase": "shadow"}, "shadow"),
        ({"bulk_count": 4}, "policy"),
        ({"typed_amount": 1.0}, "policy"),
    ],
)
async def test_under_another_policy_a_yes_is_no_yes(data_dir: Path, pack: Path, changed, reason):
    async with opened_ledger(data_dir, pack) as before:
        approved = await _approved_plainly(before)
    tuning = TUNING.model_copy(update=changed)
    async with opened_ledger(data_dir, pack, tuning=tuning) as after:
        outcome = await after.execute(approved.action_id)
    assert outcome.state == "stale"
    assert reason in (outcome.reason or "")
    assert effects(data_dir) == []


async def test_what_changes_for_another_pack_changes_nothing_here(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as before:
        approved = await _approved_plainly(before)
    async with opened_ledger(data_dir, pack, tuning=_for("another", "shadow")) as after:
        assert (await after.execute(approved.action_id)).state == "succeeded"


async def test_a_single_action_may_be_in_shadow(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as before:
        approved = await _approved_plainly(before)
    async with opened_ledger(data_dir, pack, tuning=_for("valves", "shadow")) as after:
        assert (await after.execute(approved.action_id)).state == "stale"


@pytest.mark.parametrize("change", [REVOKE, RUN_OUT])
async def test_a_yes_whose_key_is_no_longer_good_does_not_count(
    ledger: Ledger, data_dir: Path, change: str
):
    await SqlKeys(ledger.database).make(CAPTAIN)
    approved = await _approved_plainly(ledger)
    sql(data_dir, change, (CAPTAIN.user,))
    assert (await ledger.execute(approved.action_id)).state == "stale"
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (CAPTAIN, "succeeded"),
        (CAPTAIN.model_copy(update={"roles": ("engineer",)}), "succeeded"),
        (CAPTAIN.model_copy(update={"roles": ("cook",)}), "stale"),
        (CAPTAIN.model_copy(update={"roles": ()}), "stale"),
        (CAPTAIN.model_copy(update={"kind": "service"}), "stale"),
        (CAPTAIN.model_copy(update={"tenant_id": "borealis", "roles": ("cook",)}), "succeeded"),
        (CAPTAIN.model_copy(update={"user": "sven", "roles": ("cook",)}), "succeeded"),
    ],
)
async def test_a_yes_counts_with_the_roles_its_person_has_now(ledger: Ledger, now, state):
    approved = await _approved_plainly(ledger)
    await SqlKeys(ledger.database).make(now)
    assert (await ledger.execute(approved.action_id)).state == state


async def test_one_good_key_of_several_is_enough(ledger: Ledger, data_dir: Path):
    keys = SqlKeys(ledger.database)
    await keys.make(CAPTAIN)
    sql(data_dir, REVOKE, (CAPTAIN.user,))
    await keys.make(CAPTAIN)
    assert (await ledger.execute((await _approved_plainly(ledger)).action_id)).state == "succeeded"


async def test_of_a_quorum_every_yes_has_to_stand(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal("shift_ballast"))
    for person in (CAPTAIN, ENGINEER):
        await SqlKeys(ledger.database).make(person)
        shown = await ledger.decide(shown.action_id, yes(shown), person)
    assert shown.state == "approved"
    sql(data_dir, REVOKE, (ENGINEER.user,))
    assert (await ledger.execute(shown.action_id)).state == "stale"


@pytest.mark.parametrize("change", [REVOKE, RUN_OUT])
async def test_a_key_that_ends_between_two_yeses_leaves_room_for_a_third(
    ledger: Ledger, data_dir: Path, change: str
):
    shown = await ledger.propose(proposal("shift_ballast", requester=COOK))
    await SqlKeys(ledger.database).make(ENGINEER)
    await ledger.decide(shown.action_id, yes(shown), ENGINEER)
    sql(data_dir, change, (ENGINEER.user,))
    assert (await ledger.decide(shown.action_id, yes(shown), CAPTAIN)).state == "pending"
    assert (await ledger.decide(shown.action_id, yes(shown), MATE)).state == "approved"
    assert (await ledger.execute(shown.action_id)).state == "succeeded"


async def test_where_four_eyes_are_due_the_askers_vote_does_not_count(
    ledger: Ledger, data_dir: Path
):
    shown = await ledger.propose(proposal("flood_hold", requester=CAPTAIN))
    sql(
        data_dir,
        "insert into ledger_approval values (?, ?, 'approve', ?, 'approve', 1.0)",
        (shown.action_id, CAPTAIN.user, shown.digest),
    )
    sql(data_dir, "update ledger_action set state = 'approved'")
    assert (await ledger.execute(shown.action_id)).state == "stale"
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("shift_ballast", "quorum = 1"),
        ("flood_hold", "four_eyes = 0"),
        ("flood_hold", "requester = 'mallory'"),
        ("flood_hold", "editor = 'mallory'"),
        ("flood_hold", "approver_roles = '[]'"),
        ("flood_hold", "quorum = 1, four_eyes = 0, requester = 'mallory', approver_roles = '[]'"),
    ],
)
async def test_who_must_say_yes_cannot_be_changed_in_the_tables(
    ledger: Ledger, data_dir: Path, name: str, change: str
):
    shown = await ledger.propose(proposal(name, requester=MATE))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    sql(data_dir, "drop trigger ledger_action_is_frozen")
    sql(data_dir, f"update ledger_action set {change}, state = 'approved'")
    assert (await ledger.execute(shown.action_id)).state == "stale"
    assert effects(data_dir) == []


async def test_who_must_say_yes_is_told_by_the_catalogue(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal("shift_ballast"))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    for guard in ("ledger_action_is_frozen", "ledger_entry_stays_on_update"):
        sql(data_dir, f"drop trigger {guard}")
    sql(data_dir, "update ledger_action set quorum = 1, state = 'approved'")
    sql(data_dir, "update ledger_entry set body = '{}'")
    outcome = await ledger.execute(shown.action_id)
    assert (outcome.state, "its row was changed" in (outcome.reason or "")) == ("stale", True)


def _for(pack: str, phase: ReleasePhase) -> ExecutionTuning:
    return TUNING.model_copy(update={"packs": {pack: PackExecution(phase=phase)}})


def _stand(data_dir: Path, stands: str) -> None:
    folder = data_dir / "packs" / "aurora"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stands").write_text(stands, encoding="utf-8")


async def _approved_plainly(ledger: Ledger) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101"))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)


# An action runs with the rights that its asker has when it starts, not with ours.


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (ENGINEER, "succeeded"),
        (ENGINEER.model_copy(update={"roles": ("captain",)}), "succeeded"),
        (ENGINEER.model_copy(update={"kind": "service"}), "succeeded"),
        (ENGINEER.model_copy(update={"roles": ("cook",)}), "stale"),
        (ENGINEER.model_copy(update={"roles": ()}), "stale"),
        (ENGINEER.model_copy(update={"tenant_id": "borealis", "roles": ("cook",)}), "succeeded"),
    ],
)
async def test_it_runs_with_the_rights_that_its_asker_has_now(
    ledger: Ledger, data_dir: Path, now: Principal, state: str
):
    approved = await _approved_plainly(ledger)
    await SqlKeys(ledger.database).make(now)
    assert (await ledger.execute(approved.action_id)).state == state
    assert len(effects(data_dir)) == (state == "succeeded")


@pytest.mark.parametrize("change", [REVOKE, RUN_OUT])
async def test_what_somebody_asked_who_is_gone_does_not_run(ledger: Ledger, data_dir: Path, change):
    await SqlKeys(ledger.database).make(ENGINEER)
    approved = await _approved_plainly(ledger)
    sql(data_dir, change, (ENGINEER.user,))
    outcome = await ledger.execute(approved.action_id)
    assert (outcome.state, outcome.reason) == (
        "stale",
        "the requester is no longer permitted to ask for it",
    )
    assert effects(data_dir) == []


# What was shown has to be what is there at the start, whether or not a pack tells versions.

SHOWN = Preview(
    changes=(Change(target="I-1", field="state", before="open", after="paid at 10:00"),),
    count=1,
    amount=51.0,
    currency="EUR",
    recipients=("Anna", "Ben"),
    versions={"I-1": "3"},
)


@pytest.mark.parametrize(
    ("otherwise", "moved"),
    [
        ({}, []),
        ({"versions": {"I-1": "4"}}, ["I-1"]),
        ({"versions": {}}, ["I-1"]),
        ({"count": 2}, ["the count"]),
        ({"count": None}, ["the count"]),
        ({"amount": 400_050.0}, ["the amount"]),
        ({"currency": "USD"}, ["the amount"]),
        ({"recipients": ("Anna", "Eve")}, ["the recipients"]),
        ({"recipients": ("Ben", "Anna")}, []),
        ({"changes": ()}, ["I-1"]),
        ({"changes": (Change(target="I-1", field="state", before="late", after="paid"),)}, ["I-1"]),
        ({"changes": (Change(target="I-1", field="state", before="open", after="at 10:05"),)}, []),
    ],
)
def test_what_is_not_as_it_was_shown_is_named(otherwise: dict[str, Any], moved: list[str]):
    assert moved_since(SHOWN, SHOWN.model_copy(update=otherwise)) == moved


async def test_an_amount_that_grew_after_the_yes_is_stale_without_versions(
    data_dir: Path, tmp_path: Path
):
    pack = write_till(tmp_path)
    handlers = pack / "handlers.py"
    told = "        versions={invoice: json.dumps(known[invoice], sort_keys=True)},\n"
    assert told in handlers.read_text()
    handlers.write_text(handlers.read_text().replace(told, ""))
    async with opened_ledger(data_dir, pack) as ledger:
        invoices(ledger, I_1={"state": "open", "owed": 51.0})
        shown = await ledger.propose(proposal("pay", requester=CLERK, invoice="I-1"))
        await ledger.decide(shown.action_id, yes(shown), BOSS)
        invoices(ledger, I_1={"state": "open", "owed": 400_050.0})
        outcome = await ledger.execute(shown.action_id)
        assert (outcome.state, "the amount changed" in (outcome.reason or "")) == ("stale", True)

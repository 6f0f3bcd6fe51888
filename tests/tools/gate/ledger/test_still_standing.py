"""At the claim, the world is looked at again: targets, phase, policy, and who may say yes."""

from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.execution import ExecutionTuning, PackExecution, ReleasePhase
from state.principal import Principal
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    MATE,
    TUNING,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects, write_valves
from tools.gate.ledger.ledger import Ledger
from tools.storage.credentials import SqlKeys

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
        ("gone", "it cannot be done any more"),
        ("broken", "nobody could look at what it concerns"),
    ],
)
async def test_a_target_that_is_not_as_it_was_shown_makes_it_stale(
    data_dir: Path, previewed: Path, stands: str, reason: str
) -> None:
    _stand(data_dir, "V-101 1")
    async with opened_ledger(data_dir, previewed) as ledger:
        approved = await _approved(ledger)
        assert approved.target_versions == {"V-101": "1"}
        _stand(data_dir, stands)
        outcome = await ledger.execute(approved.action_id)
    assert outcome.state == "stale"
    assert reason in (outcome.reason or "")
    assert effects(data_dir) == []


async def test_a_target_as_it_was_shown_may_be_changed(data_dir: Path, previewed: Path) -> None:
    _stand(data_dir, "V-101 1")
    async with opened_ledger(data_dir, previewed) as ledger:
        outcome = await ledger.execute((await _approved(ledger)).action_id)
    assert (outcome.state, len(effects(data_dir))) == ("succeeded", 1)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"phase": "shadow"}, "shadow"),
        ({"bulk_count": 4}, "policy"),
        ({"typed_amount": 1.0}, "policy"),
    ],
)
async def test_under_another_policy_a_yes_is_no_yes(
    data_dir: Path, pack: Path, changed: dict[str, object], reason: str
) -> None:
    async with opened_ledger(data_dir, pack) as before:
        approved = await _approved(before)
    tuning = TUNING.model_copy(update=changed)
    async with opened_ledger(data_dir, pack, tuning=tuning) as after:
        outcome = await after.execute(approved.action_id)
    assert outcome.state == "stale"
    assert reason in (outcome.reason or "")
    assert effects(data_dir) == []


async def test_what_changes_for_another_pack_changes_nothing_here(
    data_dir: Path, pack: Path
) -> None:
    async with opened_ledger(data_dir, pack) as before:
        approved = await _approved(before)
    async with opened_ledger(data_dir, pack, tuning=_for("another", "shadow")) as after:
        assert (await after.execute(approved.action_id)).state == "succeeded"


async def test_a_single_action_may_be_in_shadow(data_dir: Path, pack: Path) -> None:
    async with opened_ledger(data_dir, pack) as before:
        approved = await _approved(before)
    async with opened_ledger(data_dir, pack, tuning=_for("valves", "shadow")) as after:
        assert (await after.execute(approved.action_id)).state == "stale"


@pytest.mark.parametrize("change", [REVOKE, RUN_OUT])
async def test_a_yes_whose_key_is_no_longer_good_does_not_count(
    ledger: Ledger, data_dir: Path, change: str
) -> None:
    await SqlKeys(ledger.database).make(CAPTAIN)
    approved = await _approved(ledger)
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
async def test_a_yes_counts_with_the_roles_its_person_has_now(
    ledger: Ledger, now: Principal, state: str
) -> None:
    approved = await _approved(ledger)
    await SqlKeys(ledger.database).make(now)
    assert (await ledger.execute(approved.action_id)).state == state


async def test_one_good_key_of_several_is_enough(ledger: Ledger, data_dir: Path) -> None:
    keys = SqlKeys(ledger.database)
    await keys.make(CAPTAIN)
    sql(data_dir, REVOKE, (CAPTAIN.user,))
    await keys.make(CAPTAIN)
    assert (await ledger.execute((await _approved(ledger)).action_id)).state == "succeeded"


async def test_of_a_quorum_every_yes_has_to_stand(ledger: Ledger, data_dir: Path) -> None:
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
) -> None:
    shown = await ledger.propose(proposal("shift_ballast", requester=COOK))
    await SqlKeys(ledger.database).make(ENGINEER)
    await ledger.decide(shown.action_id, yes(shown), ENGINEER)
    sql(data_dir, change, (ENGINEER.user,))
    assert (await ledger.decide(shown.action_id, yes(shown), CAPTAIN)).state == "pending"
    assert (await ledger.decide(shown.action_id, yes(shown), MATE)).state == "approved"
    assert (await ledger.execute(shown.action_id)).state == "succeeded"


async def test_where_four_eyes_are_due_the_askers_vote_does_not_count(
    ledger: Ledger, data_dir: Path
) -> None:
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
        (
            "flood_hold",
            "quorum = 1, four_eyes = 0, requester = 'mallory', approver_roles = '[]'",
        ),
    ],
)
async def test_who_must_say_yes_cannot_be_changed_in_the_tables(
    ledger: Ledger, data_dir: Path, name: str, change: str
) -> None:
    shown = await ledger.propose(proposal(name, requester=MATE))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    sql(data_dir, "drop trigger ledger_action_is_frozen")
    sql(data_dir, f"update ledger_action set {change}, state = 'approved'")
    assert (await ledger.execute(shown.action_id)).state == "stale"
    assert effects(data_dir) == []


async def test_who_must_say_yes_is_told_by_the_catalogue(ledger: Ledger, data_dir: Path) -> None:
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


async def _approved(ledger: Ledger) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101"))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)

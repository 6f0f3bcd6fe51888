"""What stands in the ledger stays what it was, even for a mistake of our own."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.safety.benches import CAPTAIN, MATE, no, opened_ledger, proposal, sql, yes
from tools.gate.ledger.ledger import Ledger

MAY_MOVE = {
    "state": "approved",
    "expires_at": 1.0,
    "fence": 1,
    "owner": "x",
    "started_at": 1.0,
    "finished_at": 1.0,
    "replaced_by": "x",
    "decided_by": "x",
    "reason": "x",
    "result": "{}",
    "asked_at": 1.0,
    "warned_at": 1.0,
    "lease_until": 1.0,
    "settled_by": "x",
    "evidence": "x",
    "undo_until": 1.0,
    "undo_arguments": "{}",
    "undo_by": "x",
    "undo_at": 1.0,
    "undo_decision_id": "x",
}
"""How an action stands; everything else about it was settled when it was proposed."""

ENDS = ("rejected", "expired", "stale", "succeeded", "failed", "superseded")


async def test_nothing_but_its_standing_ever_changes(ledger: Ledger, data_dir: Path) -> None:
    await ledger.propose(proposal())
    columns = [str(row[1]) for row in sql(data_dir, "pragma table_info(ledger_action)")]
    moved = []
    for column in columns:
        try:
            sql(data_dir, f"update ledger_action set {column} = ?", (MAY_MOVE.get(column, "2"),))
            moved.append(column)
        except sqlite3.IntegrityError as error:
            assert "a ledger action never changes" in str(error)  # noqa: PT017
    assert set(moved) == set(MAY_MOVE)


async def test_an_action_is_never_deleted(ledger: Ledger, data_dir: Path) -> None:
    await ledger.propose(proposal())
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        sql(data_dir, "delete from ledger_action")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("to", ["approved", "pending", "started"])
async def test_an_action_that_has_ended_never_moves_again(
    ledger: Ledger, data_dir: Path, end: str, to: str
) -> None:
    await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = ?", (end,))
    with pytest.raises(sqlite3.IntegrityError, match="never moves"):
        sql(data_dir, "update ledger_action set state = ?", (to,))


async def test_a_state_outside_the_list_is_refused(ledger: Ledger, data_dir: Path) -> None:
    await ledger.propose(proposal())
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        sql(data_dir, "update ledger_action set state = 'granted'")


@pytest.mark.parametrize(
    "statement",
    [
        "update ledger_approval set approver = 'ingrid'",
        "update ledger_approval set digest_seen = 'x'",
        "delete from ledger_approval",
        "update ledger_entry set event = 'approved'",
        "delete from ledger_entry",
    ],
)
async def test_votes_and_entries_are_only_added_to(
    ledger: Ledger, data_dir: Path, statement: str
) -> None:
    shown = await ledger.propose(proposal())
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
        sql(data_dir, statement)


async def test_every_step_of_an_action_leaves_an_entry(ledger: Ledger, data_dir: Path) -> None:
    first = await ledger.propose(proposal())
    await ledger.decide(first.action_id, yes(first), CAPTAIN)
    await ledger.execute(first.action_id)
    second = await ledger.propose(proposal(decision_id="decision-2"))
    await ledger.decide(second.action_id, no(second), MATE)
    assert _entries(data_dir, first.action_id) == [
        ("amir", "proposed pending"),
        ("ingrid", "yes"),
        ("ingrid", "approved"),
        ("executor", "started"),
        ("executor", "succeeded"),
    ]
    assert _entries(data_dir, second.action_id) == [
        ("amir", "proposed pending"),
        ("olav", "rejected"),
    ]


async def test_a_ledger_opened_twice_is_one_ledger(data_dir: Path, pack: Path) -> None:
    async with opened_ledger(data_dir, pack) as one, opened_ledger(data_dir, pack) as two:
        shown = await one.propose(proposal())
        approved = await two.decide(shown.action_id, yes(shown), CAPTAIN)
        assert await one.action(shown.action_id) == approved


def _entries(data_dir: Path, action_id: str) -> list[tuple[Any, ...]]:
    query = "select actor, event from ledger_entry where action_id = ? order by seq"
    return sql(data_dir, query, (action_id,))

"""The same deed twice: one question a person, named to whoever answers, void once one has run."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from state.approval import LedgerAction
from state.errors import AlreadyAsked, Conflict
from state.principal import Principal
from state.proposal import Origin
from state.reader import Reader
from tests.safety.benches import (
    CAPTAIN,
    ENGINEER,
    MATE,
    TUNING,
    edited,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects
from tools.gate.approvals.dialog import approval_view
from tools.gate.ledger.ledger import Ledger


async def _ask(
    ledger: Ledger,
    decision: str,
    who: Principal = ENGINEER,
    origin: Origin = "routed",
    **arguments: Any,
) -> LedgerAction:
    asked = proposal(decision_id=decision, requester=who, **{"valve": "V-1", **arguments})
    return await ledger.propose(asked.model_copy(update={"origin": origin}))


async def _done(ledger: Ledger, asked: LedgerAction, who: Principal = CAPTAIN) -> str:
    await ledger.decide(asked.action_id, yes(asked), who)
    return (await ledger.execute(asked.action_id)).state


def _named(ledger: Ledger, standing: LedgerAction) -> str:
    dialog = approval_view(standing, ledger.proposing.catalogue, TUNING).dialog
    assert dialog is not None
    assert set(dialog.duplicates) <= set(dialog.lines)
    return " | ".join(dialog.duplicates)


async def test_the_same_person_is_told_of_the_question_that_is_open(
    ledger: Ledger, data_dir: Path
) -> None:
    first = await _ask(ledger, "d-1", turns=2)
    for number in range(34):
        with pytest.raises(AlreadyAsked, match="already asked less than a minute ago") as told:
            await _ask(ledger, f"again-{number}", turns=2)
        assert told.value.action_id == first.action_id
    sql(data_dir, "update ledger_action set expires_at = 1.0")  # nobody has closed it yet
    assert (await _ask(ledger, "d-2", turns=2)).state == "pending"


@pytest.mark.parametrize(
    ("first", "second", "is_merged"),
    [
        ("routed", "routed", True),
        ("routed", "choice", True),
        ("routed", "model", True),  # it adds nothing to what the person has asked
        ("model", "untrusted", True),
        ("model", "routed", False),  # a person never waits behind what was put in their name
        ("untrusted", "choice", False),
    ],
)
async def test_nobodys_own_request_waits_behind_a_foreign_one(
    ledger: Ledger, first: Origin, second: Origin, *, is_merged: bool
) -> None:
    await _ask(ledger, "d-1", origin=first)
    if is_merged:
        with pytest.raises(AlreadyAsked):
            await _ask(ledger, "d-2", origin=second)
    else:
        assert "asked for elsewhere, too" in _named(
            ledger, await _ask(ledger, "d-2", origin=second)
        )


@pytest.mark.parametrize("origin", ["model", "untrusted"])
async def test_what_is_slipped_in_takes_nothing_of_a_persons_budget(
    ledger: Ledger, data_dir: Path, origin: Origin
) -> None:
    most = TUNING.untrusted_asks_per_hour
    slipped = [
        await _ask(ledger, f"s-{number}", origin=origin, valve=f"V-{number}")
        for number in range(most + 40)
    ]
    assert [one.state for one in slipped] == ["pending"] * most + ["proposed"] * 40
    own = [
        await _ask(ledger, f"o-{number}", valve=f"V-{number + 100}")
        for number in range(TUNING.asks_per_hour + 1)
    ]
    assert [one.state for one in own] == ["pending"] * TUNING.asks_per_hour + ["proposed"]
    assert await ledger.asking.ask_next() == ()
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601")
    moved = [one.action_id for one in await ledger.asking.ask_next()]
    assert moved == [own[-1].action_id, *(one.action_id for one in slipped[most : 2 * most])]


async def test_each_asker_keeps_a_question_and_the_second_is_void_once_one_has_run(
    ledger: Ledger, data_dir: Path
) -> None:
    mine, theirs = await _ask(ledger, "d-1"), await _ask(ledger, "d-2", MATE)
    queued = await _ask(ledger, "d-3", CAPTAIN)
    sql(data_dir, "update ledger_action set state = 'proposed' where requester = 'ingrid'")
    for one in await ledger.actions("aurora", state="pending"):
        assert len(one.duplicates) == 2
        assert "once one has run, the other is void" in _named(ledger, one)
    assert await _done(ledger, mine) == "succeeded"
    for other in (theirs, queued):
        standing = await ledger.action(other.action_id)
        assert standing.state == "stale"
        assert mine.action_id in (standing.reason or "")
    with pytest.raises(Conflict, match="the same was done meanwhile, asked by amir") as told:
        await ledger.decide(theirs.action_id, yes(theirs), CAPTAIN)
    assert told.value.standing == "stale"
    assert (await ledger.execute(theirs.action_id)).state == "stale"
    assert len(effects(data_dir)) == 1


async def test_what_is_closed_to_a_reader_is_told_without_a_name(
    ledger: Ledger, data_dir: Path
) -> None:
    sql(
        data_dir,
        "insert into decision (decision_id, tenant_id, session_id, kind, source, event_id, event,"
        " thread_id, standing, accepted_at) values"
        " ('d-1', 'aurora', 'board', 'message', 's', 'e', ?, 'd-1', 'waiting', 1.0)",
        ('{"text": "open it"}',),
    )
    await _ask(ledger, "d-1")
    theirs = await _ask(ledger, "d-2", MATE)
    barred = Reader(tenant_id="aurora", closed=("board",))
    told = await ledger.told(theirs.action_id, barred)
    assert [(one.requester, one.action_id) for one in told.duplicates] == [(None, None)]
    assert "asked in a session that is closed to you" in _named(ledger, told)
    assert (await ledger.action(theirs.action_id)).duplicates[0].requester == "amir"


async def test_a_number_written_otherwise_is_the_same(ledger: Ledger) -> None:
    one = proposal("shift_ballast", tonnes=20, decision_id="d-1")
    other = proposal("shift_ballast", tonnes=20.0, requester=MATE, decision_id="d-2")
    first, second = await ledger.propose(one), await ledger.propose(other)
    assert [each.action_id for each in second.duplicates] == [first.action_id]


@pytest.mark.parametrize(
    ("became", "minutes_ago", "says"),
    [
        ("succeeded", 3, "the same action ran 3 minutes before this was asked (asked by amir, "),
        ("unknown", 59, "began 59 minutes before this was asked; how it ended is not known"),
        ("succeeded", 61, ""),
        ("failed", 3, ""),
        ("undone", 3, ""),
        ("of another valve", 3, ""),
    ],
)
async def test_what_ran_lately_is_named_and_needs_a_yes_of_its_own(
    ledger: Ledger, data_dir: Path, became: str, minutes_ago: int, says: str
) -> None:
    note: dict[str, Any] = {"unknown": {"note": "break"}, "failed": {"note": "refuse"}}.get(
        became, {}
    )
    first = await _ask(ledger, "d-1", **note)
    await _done(ledger, first)
    sql(data_dir, f"update ledger_action set started_at = started_at - {minutes_ago * 60}")
    if became == "undone":
        sql(data_dir, "update ledger_action set undo_at = finished_at")
    again: dict[str, Any] = {"valve": "V-2"} if became == "of another valve" else note
    second = await _ask(ledger, "d-2", MATE, **again)
    told = _named(ledger, second)
    assert says in told
    assert bool(told) == bool(says)
    assert (await ledger.execute(second.action_id)).state == "pending"
    ran = len(effects(data_dir))
    await _done(ledger, second)
    assert len(effects(data_dir)) == ran + (became != "failed")


async def test_of_two_identical_questions_in_a_race_one_runs(
    ledger: Ledger, data_dir: Path
) -> None:
    for number in range(20):
        both = [
            await _ask(ledger, f"{who.user}-{number}", who, valve=f"V-{number}")
            for who in (ENGINEER, MATE)
        ]
        await asyncio.gather(
            *(ledger.decide(one.action_id, yes(one), CAPTAIN) for one in both),
        )
        ended = await asyncio.gather(*(ledger.execute(one.action_id) for one in both))
        assert sorted(one.state for one in ended) == ["stale", "succeeded"]
    assert len(effects(data_dir)) == 20


async def test_left_started_by_a_crash_the_other_does_not_begin(
    ledger: Ledger, data_dir: Path
) -> None:
    mine, theirs = await _ask(ledger, "d-1"), await _ask(ledger, "d-2", MATE)
    await ledger.decide(theirs.action_id, yes(theirs), CAPTAIN)
    left = "update ledger_action set state = 'started', fence = 1, started_at = proposed_at"
    sql(data_dir, f"{left} where action_id = ?", (mine.action_id,))
    outcome = await ledger.execute(theirs.action_id)
    assert outcome.state == "stale"
    assert mine.action_id in (outcome.reason or "")
    assert "is running now" in _named(ledger, await _ask(ledger, "d-3", CAPTAIN))
    assert effects(data_dir) == []


async def test_an_edit_into_what_has_just_run_is_asked_anew(ledger: Ledger) -> None:
    await _done(ledger, await _ask(ledger, "d-1", turns=1))
    other = await _ask(ledger, "d-2", turns=2)
    into = edited(other, valve="V-1", turns=1)
    asked = await ledger.decide(other.action_id, into, CAPTAIN)
    assert (asked.state, asked.arguments) == ("pending", {"valve": "V-1", "turns": 1})
    assert "the same action ran" in _named(ledger, await ledger.action(asked.action_id))

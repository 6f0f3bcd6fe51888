"""A decision is accepted once, moved by its own thread only, and recorded once."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from state.approval import ApprovalAnswer, LedgerAction
from state.errors import Conflict
from state.event import Event
from state.salience import SalienceVector
from state.session import Session
from tests.safety.benches import CAPTAIN, no, opened_ledger, proposal, sql, yes
from tests.safety.valves import write_valves
from tests.tools.storage.made import LATER, event, finish, record
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions

LATER_ON = "2026-06-15T12:00:00Z"
Move = Callable[[SqlDecisions, Event, str], Awaitable[bool]]


async def wait(decisions: SqlDecisions, event: Event, thread_id: str) -> bool:
    return await decisions.wait(record(event, "awaiting_approval"), {}, thread_id=thread_id)


async def hold(decisions: SqlDecisions, event: Event, thread_id: str) -> bool:
    return await decisions.hold(record(event, "held"), {}, LATER, thread_id=thread_id)


async def accepted(decisions: SqlDecisions, *events: Event) -> list[bool]:
    return [is_new for _kept, is_new in await decisions.accept(events)]


@pytest.fixture
def decisions(database: Database) -> SqlDecisions:
    return SqlDecisions(database)


async def test_an_event_is_accepted_once(decisions: SqlDecisions) -> None:
    assert await accepted(decisions, event(1), event(2)) == [True, True]
    assert await accepted(decisions, event(2), event(3)) == [False, True]


async def test_delivered_by_many_at_once_it_is_accepted_once(decisions: SqlDecisions) -> None:
    fresh = await asyncio.gather(*(accepted(decisions, event(1)) for _ in range(16)))
    assert sum(each == [True] for each in fresh) == 1


FIRST = {"text": "smoke in the galley", "payload": {"status": "firing"}, "sender": "smoke-head"}


@pytest.mark.parametrize(
    "other",
    [
        {"tenant_id": "borealis"},
        {"source": "helm"},
        {"sender": "bridge"},
        {"sender": None},
        {"text": "all normal"},
        {"payload": {"status": "resolved"}},
        {"session_id": "nobody-listens"},
        {"salience": SalienceVector(threat=0.9)},
        {"occurred_at": "2026-06-15T12:00:00Z"},
        {"kind": "signal"},
    ],
)
async def test_what_happened_is_another_event_whatever_used_its_id(
    decisions: SqlDecisions, other: dict[str, Any]
) -> None:
    await decisions.accept((event(1, **(FIRST | other)),))
    [(kept, is_new)] = await decisions.accept((event(1, **FIRST),))
    again = await accepted(decisions, event(1, **FIRST), event(1, **(FIRST | other)))
    assert (is_new, again) == (True, [False, False])
    opened = await decisions.open(kept, kept.decision_id)
    assert (opened.standing, opened.event.text) == ("accepted", "smoke in the galley")


async def test_no_alarm_is_lost_under_ids_that_were_used_before(decisions: SqlDecisions) -> None:
    taken = [event(n, sender="bridge" if n % 2 else "smoke-head") for n in range(500)]
    await decisions.accept(tuple(taken))
    alarms = tuple(event(n, text="smoke in the galley", sender="smoke-head") for n in range(500))
    kept = await decisions.accept(alarms)
    assert all(is_new for _kept, is_new in kept)
    assert len({each.decision_id for each, _is_new in kept}) == 500
    assert len(await decisions.unfinished()) == 1_000


async def test_a_message_is_no_other_one_under_a_used_id(decisions: SqlDecisions) -> None:
    first = {"kind": "message", "user": "ann", "text": "close the valve"}
    assert await accepted(decisions, event(1, **first)) == [True]
    assert await accepted(decisions, event(1, **first | {"occurred_at": LATER_ON})) == [False]
    with pytest.raises(Conflict, match="came with other content"):
        await decisions.accept((event(2), event(1, **first | {"text": "open the valve"})))
    assert await accepted(decisions, event(2)) == [True]  # nothing of a refused list is kept


async def test_the_first_thread_has_the_decision(decisions: SqlDecisions) -> None:
    assert (await decisions.open(event(1), "mine")).standing == "accepted"
    assert (await decisions.open(event(1), "mine")).standing == "accepted"
    assert (await decisions.open(event(1), "theirs")).standing == "duplicate"


async def test_an_accepted_event_belongs_to_the_thread_of_its_decision(
    decisions: SqlDecisions,
) -> None:
    await decisions.accept((event(1),))
    assert (await decisions.open(event(1), "theirs")).standing == "duplicate"
    assert (await decisions.open(event(1), event(1).decision_id)).standing == "accepted"


async def test_a_recorded_decision_is_told_to_whoever_comes(decisions: SqlDecisions) -> None:
    await decisions.open(event(1), "mine")
    await finish(decisions, event(1), "mine")
    for thread in ("mine", "theirs"):
        opened = await decisions.open(event(1), thread)
        assert (opened.standing, opened.record) == ("duplicate", record(event(1)))


@pytest.mark.parametrize("move", [wait, hold, finish])
async def test_no_thread_moves_the_decision_of_another(
    decisions: SqlDecisions, data_dir: Path, move: Move
) -> None:
    await decisions.open(event(1), "mine")
    assert not await move(decisions, event(1), "theirs")
    assert sql(data_dir, "select standing, record from decision") == [("accepted", None)]


@pytest.mark.parametrize(
    ("first", "then", "moves"),
    [
        (wait, wait, True),
        (wait, finish, True),
        (wait, hold, False),
        (hold, wait, False),
        (hold, finish, False),
        (hold, hold, False),
        (finish, wait, False),
        (finish, hold, False),
        (finish, finish, False),
    ],
)
async def test_a_decision_only_moves_forwards(
    decisions: SqlDecisions, first: Move, then: Move, moves: bool
) -> None:
    await decisions.open(event(1), "mine")
    assert await first(decisions, event(1), "mine")
    assert await then(decisions, event(1), "mine") is moves


async def test_of_many_records_one_stands(decisions: SqlDecisions) -> None:
    await decisions.open(event(1), "mine")
    written = await asyncio.gather(*(finish(decisions, event(1), "mine") for _ in range(8)))
    assert written.count(True) == 1


async def test_the_session_remembers_what_came_in_between(decisions: SqlDecisions) -> None:
    for number, bias in ((1, 0.05), (2, 0.10)):
        await decisions.open(event(number), f"thread-{number}")

        def more(known: Session, bias: float = bias) -> Session:
            return known.model_copy(update={"talk_bias": known.talk_bias + bias})

        await decisions.finish(record(event(number)), {}, more, thread_id=f"thread-{number}")
        await decisions.finish(record(event(number)), {}, more, thread_id=f"thread-{number}")
    known = await decisions.session("aurora", "default")
    assert known.talk_bias == pytest.approx(0.15)


@pytest.mark.parametrize("answer", [None, yes, no])
async def test_a_decision_does_not_end_while_its_question_is_open(
    data_dir: Path, tmp_path: Path, answer: Callable[[LedgerAction], ApprovalAnswer] | None
) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        decisions = SqlDecisions(ledger.database)
        await decisions.open(event(1), "mine")
        shown = await ledger.propose(proposal(decision_id=event(1).decision_id))
        await wait(decisions, event(1), "mine")
        if answer is not None:
            await ledger.decide(shown.action_id, answer(shown), CAPTAIN)
        assert await finish(decisions, event(1), "mine") is (answer is no)


async def test_what_has_its_answer_is_listed_until_it_is_recorded(
    data_dir: Path, tmp_path: Path
) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        decisions = SqlDecisions(ledger.database)
        await decisions.open(event(1), "mine")
        shown = await ledger.propose(proposal(decision_id=event(1).decision_id))
        await wait(decisions, event(1), "mine")
        assert await decisions.answered() == ()
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        assert [each for each, _thread in await decisions.answered()] == [event(1)]
        assert await decisions.is_answered(event(1).decision_id)
        await ledger.execute(shown.action_id)
        assert await finish(decisions, event(1), "mine")
        assert await decisions.answered() == ()
        assert not await decisions.is_answered(event(1).decision_id)


async def test_what_is_not_decided_is_listed_oldest_first(
    decisions: SqlDecisions, data_dir: Path
) -> None:
    await decisions.accept(tuple(event(number) for number in (3, 1, 2, 4)))
    await finish(decisions, event(4), event(4).decision_id)
    sql(data_dir, "update decision set accepted_at = accepted_at - 90 where event_id = 'e-2'")
    sql(data_dir, "update decision set accepted_at = accepted_at - 60 where event_id = 'e-1'")
    left = [each.event_id for each, _thread in await decisions.unfinished()]
    old = [each.event_id for each, _thread in await decisions.unfinished(older_seconds=75)]
    assert left[:2] == ["e-2", "e-1"]
    assert (set(left), old) == ({"e-1", "e-2", "e-3"}, ["e-2"])

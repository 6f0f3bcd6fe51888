"""A hold ends once: by its signal, by a prompt, or by its time."""

from datetime import timedelta

import pytest

from state.event import Event
from state.record import DecisionRecord
from tests.tools.storage.made import LATER, NOW, event, finish, record
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions
from tools.storage.holds import SqlHolds

LONG_AFTER = (NOW + timedelta(days=1)).timestamp()


@pytest.fixture
def decisions(database: Database) -> SqlDecisions:
    return SqlDecisions(database)


@pytest.fixture
def holds(database: Database) -> SqlHolds:
    return SqlHolds(database)


async def test_a_hold_ends_by_its_time_once(decisions: SqlDecisions, holds: SqlHolds) -> None:
    await _held(decisions, event(1))
    assert await holds.next_due() == NOW.timestamp()
    assert await holds.release_due(NOW.timestamp() - 1) == 0
    assert await holds.release_due(NOW.timestamp()) == 1
    assert await holds.release_due(LONG_AFTER) == 0
    assert await holds.next_due() is None
    opened = await decisions.open(event(1), event(1).decision_id)
    assert (opened.standing, opened.released_by) == ("released", "expiry")


@pytest.mark.parametrize(
    ("signal", "is_released"),
    [("typing_pause", True), ("combat_ended", False), ("expiry", False)],
)
async def test_a_hold_ends_by_a_signal_it_waits_for(
    decisions: SqlDecisions, signal: str, is_released: bool
) -> None:
    await _held(decisions, event(1))
    await _signalled(decisions, signal)
    opened = await decisions.open(event(1), event(1).decision_id)
    assert (opened.standing == "released") is is_released
    assert opened.released_by == (signal if is_released else None)


async def test_a_signal_of_another_tenant_ends_nothing(decisions: SqlDecisions) -> None:
    await _held(decisions, event(1))
    await _signalled(decisions, "typing_pause", tenant_id="borealis")
    assert (await decisions.open(event(1), event(1).decision_id)).standing == "duplicate"


async def test_a_held_decision_is_nobodys_turn(decisions: SqlDecisions) -> None:
    await _held(decisions, event(1))
    assert (await decisions.open(event(1), event(1).decision_id)).standing == "duplicate"
    assert await decisions.unfinished() == ()


async def test_a_released_decision_is_work_left_over_until_it_is_recorded(
    decisions: SqlDecisions, holds: SqlHolds
) -> None:
    await _held(decisions, event(1))
    await holds.release_due(LONG_AFTER)
    assert [each for each, _thread in await decisions.unfinished(older_seconds=60)] == [event(1)]
    assert await finish(decisions, event(1), event(1).decision_id)
    assert await decisions.unfinished() == ()


async def test_a_hold_without_an_end_is_refused_and_nothing_is_held(
    decisions: SqlDecisions,
) -> None:
    await decisions.open(event(1), "mine")
    endless = LATER.model_copy(update={"due_at": None})
    with pytest.raises(ValueError, match="without an end"):
        await decisions.hold(record(event(1), "held"), {}, endless, thread_id="mine")
    assert (await decisions.open(event(1), "mine")).standing == "accepted"


async def _held(decisions: SqlDecisions, held: Event) -> None:
    await decisions.accept((held,))
    thread_id = held.decision_id
    assert await decisions.hold(record(held, "held"), {}, LATER, thread_id=thread_id)


async def _signalled(
    decisions: SqlDecisions, name: str, tenant_id: str = "aurora"
) -> DecisionRecord:
    signal = event(9, tenant_id=tenant_id)
    written = record(signal, "silent")
    await decisions.accept((signal,))
    await decisions.finish(
        written, {}, lambda known: known, thread_id=signal.decision_id, signal=name
    )
    return written

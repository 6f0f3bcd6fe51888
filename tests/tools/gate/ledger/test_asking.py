"""Before anybody is asked: previews, risk, the queue, warnings."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from state.errors import (
    Conflict,
    Forbidden,
    InvalidArguments,
    NotFound,
    Unreachable,
)
from state.refusal import RefusalWish
from tests.safety.benches import no, proposal, sql, yes
from tests.tools.gate.ledger.till import (
    BOSS,
    CLERK,
    MANY,
    asked,
    invoices,
    opened_till,
    rows,
)
from tools.gate.ledger.ledger import Ledger


@pytest.fixture
async def till(data_dir: Path, tmp_path: Path) -> AsyncIterator[Ledger]:
    async with opened_till(data_dir, tmp_path, MANY, handler_seconds=0.2) as opened:
        yield opened


async def test_what_it_would_do_is_frozen_with_the_versions_it_was_seen_in(till: Ledger) -> None:
    shown = await asked(till)
    assert shown.preview is not None
    assert (shown.preview.amount, shown.preview.changes[0].after) == (40.0, "paid")
    assert shown.target_versions == {"I-1": '{"owed": 40.0, "state": "open"}'}
    assert shown.asked_at is not None
    invoices(till, I_2={"state": "late", "owed": 41.0})
    other = await asked(till, number=2)
    assert other.digest != shown.digest


async def test_a_changed_target_is_another_question(till: Ledger) -> None:
    first = proposal("pay", decision_id="d-1", requester=CLERK, invoice="I-7")
    second = proposal("pay", decision_id="d-2", requester=CLERK, invoice="I-7")
    one = await till.propose(first)
    invoices(till, I_7={"state": "late", "owed": 40.0})
    two = await till.propose(second)
    assert one.digest != two.digest


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"number": 999}, NotFound, "I-999"),
        ({"number": 1}, Conflict, "paid already"),
        ({"number": 1, "action": "break_preview"}, Unreachable, "cannot be shown"),
        ({"number": 2, "action": "break_preview"}, Unreachable, "in time"),
        ({"number": 3, "action": "break_preview"}, Unreachable, "cannot be shown"),
        ({"number": 4, "amount": "much"}, InvalidArguments, "amount"),
    ],
)
async def test_what_cannot_be_done_is_said_and_nobody_is_asked(
    till: Ledger, data_dir: Path, arguments: dict[str, Any], error: type[Exception], says: str
) -> None:
    invoices(till, I_1={"state": "paid", "owed": 40.0})
    with pytest.raises(error, match=says) as refused:
        await asked(till, **arguments)
    assert "secret inner words" not in str(refused.value)
    assert await rows(data_dir) == 0


async def test_proposing_again_after_it_ran_meets_the_first_and_reads_nothing_anew(
    till: Ledger,
) -> None:
    shown = await asked(till)
    await till.decide(shown.action_id, yes(shown), BOSS)
    await till.execute(shown.action_id)
    assert (await asked(till)).state == "succeeded"


async def test_a_write_to_somebody_outside_is_asked_about(till: Ledger) -> None:
    inside = proposal("remind", requester=CLERK, invoice="I-1", payee="ann@till.example")
    with pytest.raises(Forbidden, match="when its chip is chosen"):
        await till.propose(inside)
    shown = await asked(till, "remind", payee="ann@elsewhere.example")
    assert (shown.execution_class, shown.state) == ("C", "pending")
    assert "outside_recipients" in shown.raised


async def test_what_is_queued_is_taken_back_by_who_asked_and_by_nobody_else(till: Ledger) -> None:
    everything = [await asked(till, number=number) for number in range(1, 34)]
    queued, next_one = [each for each in everything if each.state == "proposed"][:2]
    lasting = no(queued).model_copy(update={"standing": RefusalWish(same="action")})
    for answer, who in ((no(queued), BOSS), (yes(queued), CLERK), (lasting, CLERK)):
        with pytest.raises((Conflict, Forbidden)):
            await till.decide(queued.action_id, answer, who)
    taken = await till.decide(queued.action_id, no(queued), CLERK)
    assert (taken.state, taken.decided_by) == ("rejected", CLERK.user)
    with pytest.raises(Conflict):
        await till.take_back(queued, CLERK)
    assert (await till.execute(queued.action_id)).state == "rejected"
    assert (await till.action(next_one.action_id)).state == "proposed"


async def test_what_one_person_causes_beyond_the_cap_is_queued_and_asked_later(
    till: Ledger, data_dir: Path
) -> None:
    most = till.asking.asks_per_hour
    everything = [await asked(till, number=number) for number in range(1, 101)]
    states = [each.state for each in everything]
    assert states == ["pending"] * most + ["proposed"] * (100 - most)
    assert (await asked(till, who=BOSS, number=150)).state == "pending"
    queued = everything[most]
    assert (queued.asked_at, queued.expires_at) == (None, None)
    for answer in (yes(queued), no(queued)):
        with pytest.raises(Conflict, match="queued") as told:
            await till.decide(queued.action_id, answer, BOSS)
        assert told.value.standing == "proposed"
    assert (await till.execute(queued.action_id)).state == "proposed"
    assert await till.asking.ask_next() == ()
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601 where requester = 'cleo'")
    moved = await till.asking.ask_next()
    assert [each.action_id for each in moved] == [
        each.action_id for each in everything[most : 2 * most]
    ]
    assert {each.state for each in moved} == {"pending"}
    assert moved[0].expires_at is not None
    assert moved[0].asked_at is not None
    assert (moved[0].expires_at - moved[0].asked_at).total_seconds() == pytest.approx(600, abs=1)
    assert len(await till.actions("aurora", state="proposed", limit=200)) == 100 - 2 * most


async def test_a_newcomer_does_not_overtake_the_queue(till: Ledger, data_dir: Path) -> None:
    till = replace(till, asking=replace(till.asking, asks_per_hour=30))
    for number in range(1, 32):
        await asked(till, number=number)
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601 where requester = 'cleo'")
    assert (await asked(till, number=40)).state == "proposed"
    moved = await till.asking.ask_next()
    assert [dict(each.arguments)["invoice"] for each in moved] == ["I-31", "I-40"]


async def test_people_are_warned_once_and_then_it_expires(till: Ledger, data_dir: Path) -> None:
    shown = await asked(till)
    assert await till.asking.warn_due() == ()
    sql(
        data_dir,
        "update ledger_action set asked_at = asked_at - 485, expires_at = expires_at - 485",
    )
    (warned,) = await till.asking.warn_due()
    assert (warned.action_id, warned.state) == (shown.action_id, "pending")
    assert warned.warned_at is not None
    assert await till.asking.warn_due() == ()
    assert await till.asking.expire_due() == ()
    sql(data_dir, "update ledger_action set expires_at = 1.0")
    (expired,) = await till.asking.expire_due()
    assert expired.state == "expired"

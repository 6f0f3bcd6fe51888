"""Standing refusals: whose they are, what they cover, when they end."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from state.approval import ApprovalAnswer
from state.errors import (
    BadInput,
    Conflict,
    Forbidden,
    InvalidArguments,
    NotFound,
    RefusedBeforehand,
)
from state.principal import Principal
from state.refusal import NewRefusal, RefusalWish
from tests.safety.benches import proposal, sql
from tests.tools.gate.ledger.till import (
    BOSS,
    CLERK,
    ELSEWHERE,
    MANY,
    PARTNER,
    ROBOT,
    asked,
    opened_till,
    rows,
)
from tools.gate.ledger.ledger import Ledger


@pytest.fixture
async def till(data_dir: Path, tmp_path: Path) -> AsyncIterator[Ledger]:
    async with opened_till(data_dir, tmp_path, MANY, handler_seconds=0.2) as opened:
        yield opened


async def test_a_no_may_stand_for_what_comes_like_it(till: Ledger, data_dir: Path) -> None:
    shown = await asked(till, amount=5)
    wish = RefusalWish(same="arguments", minutes=60)
    await till.decide(
        shown.action_id,
        ApprovalAnswer(decision="reject", digest=shown.digest, reason="never", standing=wish),
        BOSS,
    )
    again = proposal("pay", decision_id="d-2", requester=BOSS, invoice="I-1", amount=5)
    with pytest.raises(RefusedBeforehand, match="never") as refused:
        await till.propose(again)
    assert refused.value.code == "standing_refusal"
    assert await rows(data_dir) == 1
    other = proposal("pay", decision_id="d-3", requester=BOSS, invoice="I-1", amount=6)
    assert (await till.propose(other)).state == "pending"
    (kept,) = await till.refusals.list(BOSS)
    await till.refusals.withdraw(kept.refusal_id, PARTNER)
    assert (await till.propose(again)).state == "pending"
    with pytest.raises(Conflict, match="withdrawn already"):
        await till.refusals.withdraw(kept.refusal_id, BOSS)


@pytest.mark.parametrize(
    ("same", "own", "others"), [("action", False, False), ("requester", False, True)]
)
async def test_a_refusal_covers_the_action_or_the_one_who_asks(
    till: Ledger, same: Any, own: bool, others: bool
) -> None:
    shown = await asked(till, number=1)
    answer = ApprovalAnswer(decision="reject", digest=shown.digest, standing=RefusalWish(same=same))
    await till.decide(shown.action_id, answer, BOSS)
    for number, (who, passes) in enumerate(((CLERK, own), (PARTNER, others)), 2):
        if passes:
            assert (await asked(till, who=who, number=number)).state == "pending"
        else:
            with pytest.raises(RefusedBeforehand):
                await asked(till, who=who, number=number)
    assert (await asked(till, "pay_twice_seen", number=9)).state == "pending"


async def test_a_refusal_ends_and_never_reaches_another_tenant(
    till: Ledger, data_dir: Path
) -> None:
    made = await till.refusals.add(NewRefusal(action="pay", minutes=1), BOSS)
    assert await till.refusals.list(ELSEWHERE) == []
    with pytest.raises(NotFound):
        await till.refusals.withdraw(made.refusal_id, ELSEWHERE)
    sql(data_dir, "update standing_refusal set until = 1.0")
    assert (await asked(till)).state == "pending"
    assert await till.refusals.list(BOSS) == []
    with pytest.raises(Conflict, match="expired already"):
        await till.refusals.withdraw(made.refusal_id, BOSS)


@pytest.mark.parametrize(
    ("who", "wanted", "error"),
    [
        (CLERK, NewRefusal(action="pay"), Forbidden),
        (ROBOT, NewRefusal(action="pay"), Forbidden),
        (BOSS, NewRefusal(action="no_such"), NotFound),
        (BOSS, NewRefusal(action="read_till"), BadInput),
        (BOSS, NewRefusal(action="pay", arguments={"invoic": "I-1"}), InvalidArguments),
        (BOSS, NewRefusal(action="pay", arguments={"amount": "5"}), InvalidArguments),
    ],
)
async def test_a_refusal_that_nobody_may_make_is_none(
    till: Ledger, who: Principal, wanted: NewRefusal, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await till.refusals.add(wanted, who)
    assert await till.refusals.list(BOSS) == []


async def test_whom_a_refusal_is_aimed_at_cannot_lift_it(till: Ledger) -> None:
    made = await till.refusals.add(NewRefusal(action="break_preview"), BOSS)  # names no approvers
    (seen,) = await till.refusals.list(CLERK)
    assert seen.refusal_id == made.refusal_id
    for who in (CLERK, PARTNER):
        with pytest.raises(Forbidden, match="may be withdrawn by"):
            await till.refusals.withdraw(made.refusal_id, who)
    assert (await till.refusals.withdraw(made.refusal_id, BOSS)).withdrawn_by == BOSS.user


async def test_a_refusal_allows_nothing(till: Ledger) -> None:
    made = await till.refusals.add(NewRefusal(action="pay", arguments={"amount": 1}), BOSS)
    await till.refusals.withdraw(made.refusal_id, BOSS)
    shown = await asked(till, amount=1)
    assert (shown.state, shown.approvals) == ("pending", 0)
    assert (await till.execute(shown.action_id)).state == "pending"


async def test_what_was_queued_and_refused_meanwhile_is_closed(
    till: Ledger, data_dir: Path
) -> None:
    for number in range(1, till.asking.asks_per_hour + 1):
        await asked(till, number=number)
    last = await asked(till, number=199)
    await till.refusals.add(NewRefusal(action="pay", reason="enough"), BOSS)
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601")
    (closed,) = await till.asking.ask_next()
    assert (closed.action_id, closed.state) == (last.action_id, "rejected")
    assert "enough" in (closed.reason or "")

"""Every role against every action and tenant, and several people at once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from state.approval import ApprovalAnswer, LedgerAction
from state.errors import (
    Conflict,
    DigestMismatch,
    Forbidden,
    NotFound,
)
from state.principal import Principal
from tests.safety.benches import no, sql, yes
from tests.tools.gate.ledger.till import (
    BOSS,
    CLERK,
    ELSEWHERE,
    PARTNER,
    ROBOT,
    THIRD,
    THREE,
    asked,
    opened_till,
)
from tools.gate.ledger.ledger import Ledger


@pytest.fixture
async def till(data_dir: Path, tmp_path: Path) -> AsyncIterator[Ledger]:
    async with opened_till(data_dir, tmp_path, THREE) as opened:
        yield opened


PEOPLE = {
    "clerk": CLERK,
    "boss": BOSS,
    "partner": PARTNER,
    "robot": ROBOT,
    "elsewhere": ELSEWHERE,
    "nobody": Principal(user="noa", tenant_id="aurora"),
    "both": Principal(user="cleo", tenant_id="aurora", roles=("clerk", "boss")),
}
MAY: dict[str, dict[str, set[str]]] = {  # action → asker → who may say yes; others get an error
    "pay": {
        "clerk": {"boss", "partner", "both"},
        "boss": {"boss", "partner", "both"},
        "both": {"boss", "partner", "both"},
        "nobody": set(),
    },
    "pay_twice_seen": {
        "clerk": {"boss", "partner"},  # "both" is the same person as the clerk
        "boss": {"partner", "both"},
        "both": {"boss", "partner"},
        "nobody": {"boss", "partner", "both"},
    },
}


@pytest.mark.parametrize("decision", ["approve", "edit", "reject", "respond"])
@pytest.mark.parametrize("approver", PEOPLE)
@pytest.mark.parametrize("asker", ["clerk", "boss", "both", "nobody"])
@pytest.mark.parametrize("action", MAY)
async def test_every_role_against_every_action_and_tenant(
    till: Ledger, action: str, asker: str, approver: str, decision: str
) -> None:
    if asker == "nobody" and action == "pay":
        with pytest.raises(Forbidden):
            await asked(till, action, who=PEOPLE[asker])
        return
    shown = await asked(till, action, who=PEOPLE[asker])
    answer = ApprovalAnswer.model_validate(
        {
            "decision": decision,
            "digest": shown.digest,
            "arguments": {"invoice": "I-2"} if decision == "edit" else None,
            "reason": "why" if decision == "respond" else None,
        }
    )
    takes_back = decision == "reject" and PEOPLE[approver].user == PEOPLE[asker].user
    if approver in MAY[action][asker] or (takes_back and approver != "elsewhere"):
        settled = await till.decide(shown.action_id, answer, PEOPLE[approver])
        ends = {"approve": "approved", "edit": "pending"}  # to another invoice: asked anew
        assert settled.state == ends.get(decision, "rejected")
        return
    with pytest.raises(NotFound if approver == "elsewhere" else Forbidden):
        await till.decide(shown.action_id, answer, PEOPLE[approver])
    assert await till.action(shown.action_id) == shown


@pytest.mark.parametrize(
    ("who", "answer"),
    [
        (CLERK.model_copy(update={"kind": "service"}), {}),
        (CLERK.model_copy(update={"scopes": ("read",)}), {}),
        (CLERK.model_copy(update={"scopes": ("approve",)}), {}),
        (CLERK, {"standing": {"same": "action"}}),
        (CLERK, {"decision": "approve"}),
        (CLERK, {"digest": "0" * 64}),
        (PEOPLE["nobody"], {}),
    ],
)
async def test_only_a_plain_no_of_who_asked_takes_it_back(
    till: Ledger, who: Principal, answer: dict[str, object]
) -> None:
    shown = await asked(till, "pay", who=CLERK)
    given = ApprovalAnswer.model_validate({"decision": "reject", "digest": shown.digest, **answer})
    with pytest.raises((Forbidden, DigestMismatch)):
        await till.decide(shown.action_id, given, who)
    assert await till.action(shown.action_id) == shown


async def test_what_is_taken_back_nobody_can_say_yes_to(till: Ledger) -> None:
    shown = await asked(till, "pay_twice_seen", who=CLERK)
    taken = await till.decide(shown.action_id, no(shown), CLERK)
    assert (taken.state, taken.decided_by) == ("rejected", CLERK.user)
    with pytest.raises(Conflict):
        await till.decide(shown.action_id, yes(shown), BOSS)


async def test_nobody_takes_back_for_another(till: Ledger) -> None:
    shown = await asked(till, "pay", who=CLERK)
    with pytest.raises(Forbidden):
        await till.take_back(shown, BOSS)
    assert (await till.take_back(shown, CLERK)).state == "rejected"


async def test_of_eight_clients_on_one_approval_one_decides_and_it_runs_once(
    till: Ledger, data_dir: Path
) -> None:
    shown = await asked(till)
    people = (BOSS, PARTNER, THIRD, PEOPLE["both"])

    async def client(number: int) -> LedgerAction:
        who = people[number % 4]
        answer = yes(shown) if number < 4 else no(shown)
        settled = await till.decide(shown.action_id, answer, who)
        await till.execute(shown.action_id)
        return settled

    answers = await asyncio.gather(*map(client, range(8)), return_exceptions=True)
    decided = [each for each in answers if isinstance(each, LedgerAction)]
    others = [each for each in answers if not isinstance(each, LedgerAction)]
    assert len(decided) == 1
    ends = {"approved", "started", "succeeded", "rejected"}
    assert all(isinstance(each, Conflict) and each.standing in ends for each in others)
    started = "select count(*) from ledger_entry where event = 'started'"
    assert sql(data_dir, started) == [(int(decided[0].state == "approved"),)]

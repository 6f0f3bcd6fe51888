"""A person who is asked for a slot says the value, or says something else about it."""

import pytest

from tests.graph.harbour import MASTER, Harbour
from tests.safety.benches import no

ASKED = "close the lock"


@pytest.mark.parametrize(
    "text",
    [
        "not LK-12",
        "LK-12 must stay open",
        "LK-12? no",
        "LK-12, but only if Ingrid agrees",
        "> LK-12",
        "LK-12 was already closed",
        "Tom said LK-12",
    ],
)
async def test_what_is_no_answer_asks_nobody_to_approve(harbour: Harbour, text: str) -> None:
    asked = await harbour.says(ASKED)
    assert (asked.outcome, asked.action) == ("spoke", "close_lock")

    said = await harbour.says(text)

    assert said.action_id is None
    assert said.outcome != "awaiting_approval"
    assert "lock" not in (said.arguments or {})
    assert harbour.effects() == []


async def test_the_question_stands_until_it_is_answered(harbour: Harbour) -> None:
    await harbour.says(ASKED)
    await harbour.says("not LK-12")

    answered = await harbour.says("LK-40, please")

    assert answered.arguments == {"lock": "LK-40"}
    assert answered.action_id is not None


async def test_denying_what_was_asked_for_ends_the_question(harbour: Harbour) -> None:
    await harbour.says(ASKED)
    denied = await harbour.says("don't close LK-12")
    after = await harbour.says("LK-12")

    assert denied.action_id is None
    assert after.action != "close_lock"


async def test_an_answer_that_waits_for_a_yes_is_the_end_of_the_question(harbour: Harbour) -> None:
    await harbour.says(ASKED)
    answered = await harbour.says("LK-40, please")
    agreed = await harbour.says("yes")
    after = await harbour.says("LK-12")

    assert answered.outcome == "awaiting_approval"
    assert "A reply in chat is not enough" in (agreed.text or "")
    assert after.outcome != "awaiting_approval"
    assert after.action_id is None


async def test_a_question_is_over_whatever_became_of_its_answer(harbour: Harbour) -> None:
    await harbour.says(ASKED)
    answered = await harbour.says("LK-40, please")
    shown = await harbour.executive.approvals.get(answered.action_id or "", "default")
    await harbour.executive._box.ledger.decide(shown.action_id, no(shown), MASTER)

    after = await harbour.says("LK-12")

    assert after.action_id is None
    assert after.outcome != "awaiting_approval"


async def test_what_ends_late_lets_no_later_question_go(harbour: Harbour) -> None:
    early = await harbour.says("close lock LK-12")
    harbour.pass_seconds(1)
    await harbour.says(ASKED)
    harbour.pass_seconds(1)
    await harbour.answers(early.action_id)

    answered = await harbour.says("LK-40, please")

    assert answered.arguments == {"lock": "LK-40"}
    assert answered.action_id is not None


async def test_what_waits_from_before_a_question_leaves_it_open(harbour: Harbour) -> None:
    await harbour.says("close lock LK-12")
    await harbour.says(ASKED)
    answered = await harbour.says("LK-40, please")

    assert answered.arguments == {"lock": "LK-40"}
    assert answered.action_id is not None


async def test_of_two_that_were_named_an_answer_takes_one(harbour: Harbour) -> None:
    asked = await harbour.says("close lock LK-12 and LK-40")
    assert (asked.reason, asked.action) == ("several_things", "close_lock")

    answered = await harbour.says("LK-40")

    assert (answered.action, answered.arguments) == ("close_lock", {"lock": "LK-40"})
    assert answered.outcome in ("awaiting_approval", "offered")
    assert harbour.effects() == []

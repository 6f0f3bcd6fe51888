"""Edits, words instead of an answer, and phrases that are typed by hand."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from state.approval import ApprovalAnswer, LedgerAction
from state.errors import (
    AgentError,
    BadInput,
    Conflict,
    DigestMismatch,
    Forbidden,
    InvalidArguments,
    NotFound,
    RefusedBeforehand,
)
from state.principal import ACCESS
from state.refusal import NewRefusal, RefusalWish
from tests.safety.benches import edited, no, sql, yes
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


def typed(shown: LedgerAction, phrase: str | None) -> ApprovalAnswer:
    return ApprovalAnswer(decision="approve", digest=shown.digest, typed=phrase)


async def test_an_edit_is_previewed_and_judged_anew(till: Ledger) -> None:
    shown = await asked(till)
    settled = await till.decide(shown.action_id, edited(shown, invoice="I-2", amount=600), BOSS)
    assert settled.preview is not None
    assert (settled.preview.amount, settled.editor) == (600, "bo")
    # Another invoice and more money than he was shown: his edit is no yes.
    assert (settled.state, settled.approvals) == ("pending", 0)
    assert list(settled.target_versions) == ["I-2"]
    assert "amount" in settled.raised
    assert settled.asked_at == shown.asked_at


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"invoice": "I-3"}, Conflict, "paid already"),
        ({"invoice": "I-9"}, NotFound, "I-9"),
        ({"invoice": "I-2", "amount": "all"}, InvalidArguments, "amount"),
        ({"invoice": "I-2", "__class__": "x"}, InvalidArguments, "no slot"),
        ({"invoice": "I-2", "payee": "refused"}, RefusedBeforehand, "refused beforehand"),
    ],
)
async def test_an_edit_that_cannot_be_done_leaves_the_question_open(
    till: Ledger, arguments: dict[str, object], error: type[AgentError], says: str
) -> None:
    await till.refusals.add(NewRefusal(action="pay", arguments={"payee": "refused"}), BOSS)
    shown = await asked(till)
    with pytest.raises(error, match=says):
        await till.decide(shown.action_id, edited(shown, **arguments), BOSS)
    assert await till.action(shown.action_id) == shown


async def test_whoever_may_not_edit_learns_nothing_from_the_preview(till: Ledger) -> None:
    shown = await asked(till)
    for who in (CLERK, ROBOT):
        with pytest.raises(Forbidden):
            await till.decide(shown.action_id, edited(shown, invoice="I-9"), who)
    with pytest.raises(NotFound, match="approval"):
        await till.decide(shown.action_id, edited(shown, invoice="I-9"), ELSEWHERE)


async def test_with_four_eyes_neither_who_asked_nor_who_edited_says_yes(till: Ledger) -> None:
    shown = await asked(till, "pay_twice_seen", who=BOSS)
    with pytest.raises(Forbidden, match="asked for it"):
        await till.decide(shown.action_id, yes(shown), BOSS)
    second = await till.decide(shown.action_id, edited(shown, invoice="I-2"), PARTNER)
    assert (second.state, second.approvals, second.editor) == ("pending", 0, "pia")
    with pytest.raises(Forbidden, match="edited it"):
        await till.decide(second.action_id, yes(second), PARTNER)
    with pytest.raises(Forbidden, match="edited it"):  # an edit that changes nothing is a yes
        await till.decide(second.action_id, edited(second, invoice="I-2"), PARTNER)
    with pytest.raises(Forbidden, match="asked for it"):
        await till.decide(second.action_id, yes(second), BOSS)
    assert (await till.decide(second.action_id, yes(second), THIRD)).state == "approved"


async def test_an_editor_may_take_back_what_he_wrote(till: Ledger) -> None:
    shown = await asked(till, "pay_twice_seen")
    second = await till.decide(shown.action_id, edited(shown, invoice="I-2"), PARTNER)
    assert (await till.decide(second.action_id, no(second), PARTNER)).state == "rejected"


async def test_a_large_amount_is_typed_by_hand(till: Ledger) -> None:
    shown = await asked(till, amount=6_250)
    for phrase in (None, "", "yes", "6,250", "62,500.00 EUR", "6,250.00 USD"):
        with pytest.raises(BadInput, match=r"6,250\.00 EUR"):
            await till.decide(shown.action_id, typed(shown, phrase), BOSS)
    assert await till.action(shown.action_id) == shown
    settled = await till.decide(shown.action_id, typed(shown, " 6250.00  eur "), BOSS)
    assert settled.state == "approved"


async def test_an_edit_up_to_a_large_amount_is_no_yes_until_it_is_typed(till: Ledger) -> None:
    shown = await asked(till, amount=10)
    large = await till.decide(shown.action_id, edited(shown, invoice="I-1", amount=9_000), BOSS)
    assert (large.state, large.approvals) == ("pending", 0)
    settled = await till.decide(large.action_id, typed(large, "9,000.00 EUR"), BOSS)
    assert settled.state == "approved"


async def test_words_instead_of_an_answer_close_it_and_come_back_as_a_message(
    till: Ledger, data_dir: Path
) -> None:
    shown = await asked(till)
    answer = ApprovalAnswer(decision="respond", digest=shown.digest, reason="pay I-2 instead")
    answering_only = BOSS.model_copy(update={"scopes": ACCESS["approver"]})
    for other in (answer, edited(shown, invoice="I-1", amount=9)):
        with pytest.raises(Forbidden, match="not good for asking"):
            await till.decide(shown.action_id, other, answering_only)
    settled = await till.decide(shown.action_id, answer, BOSS)
    assert (settled.state, settled.reason) == ("rejected", "pay I-2 instead")
    ((event, session, standing),) = sql(
        data_dir, "select event, session_id, standing from decision"
    )
    told = json.loads(event)
    assert (told["kind"], told["text"], told["user"]) == ("message", "pay I-2 instead", "bo")
    assert (told["role"], told["event_id"]) == ("boss", f"respond-{shown.action_id}")
    assert (session, standing) == ("default", "accepted")
    with pytest.raises(Conflict):
        await till.decide(shown.action_id, answer, BOSS)
    assert sql(data_dir, "select count(*) from decision") == [(1,)]


@pytest.mark.parametrize(
    "given",
    [
        {"decision": "respond"},
        {"decision": "respond", "reason": "  "},
        {"decision": "approve", "arguments": {"invoice": "I-2"}},
        {"decision": "reject", "arguments": {"invoice": "I-2"}},
        {"decision": "edit"},
        {"decision": "approve", "standing": {"same": "action"}},
        {"decision": "edit", "arguments": {"invoice": "I-2"}, "standing": {"same": "action"}},
    ],
)
async def test_an_answer_that_is_not_whole_changes_nothing(
    till: Ledger, given: dict[str, object]
) -> None:
    shown = await asked(till)
    answer = ApprovalAnswer.model_validate({"digest": shown.digest, **given})
    with pytest.raises(BadInput):
        await till.decide(shown.action_id, answer, BOSS)
    assert await till.action(shown.action_id) == shown
    assert await till.refusals.list(BOSS) == []


async def test_a_no_and_what_it_refuses_from_now_on_are_one(till: Ledger) -> None:
    shown = await asked(till)
    standing = no(shown).model_copy(update={"standing": RefusalWish(same="action")})
    stale = standing.model_copy(update={"digest": "0" * 64})
    with pytest.raises(DigestMismatch):
        await till.decide(shown.action_id, stale, BOSS)
    assert await till.refusals.list(BOSS) == []
    await till.decide(shown.action_id, standing, BOSS)
    assert len(await till.refusals.list(BOSS)) == 1

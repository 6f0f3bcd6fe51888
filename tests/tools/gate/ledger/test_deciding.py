"""Who may answer, what an answer binds, and which of several answers counts."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

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
from state.principal import ACCESS, Principal
from state.refusal import NewRefusal, RefusalWish
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    MATE,
    ROBOT,
    STRANGER,
    edited,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects
from tests.tools.gate.ledger.till import (
    BOSS,
    CLERK,
    ELSEWHERE,
    MANY,
    PARTNER,
    THIRD,
    THREE,
    asked,
    opened_till,
    rows,
)
from tests.tools.gate.ledger.till import ROBOT as TILL_ROBOT
from tools.access import SqlKeys
from tools.gate.approvals import approval_rules, decision
from tools.gate.ledger.ledger import Ledger

Answer = Callable[[LedgerAction], ApprovalAnswer]

OVER = "update ledger_action set expires_at = 1.0 where state in ('pending', 'approved')"


async def test_the_one_who_asked_may_confirm(ledger: Ledger):
    shown = await ledger.propose(proposal(requester=ENGINEER))
    settled = await ledger.decide(shown.action_id, yes(shown), ENGINEER)
    assert (settled.state, settled.approvals, settled.decided_by) == ("approved", 1, "amir")


async def test_a_no_ends_it_with_its_reason(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal())
    settled = await ledger.decide(shown.action_id, no(shown), CAPTAIN)
    outcome = await ledger.execute(shown.action_id)
    assert (settled.state, settled.reason) == ("rejected", "not now")
    assert (outcome.state, effects(data_dir)) == ("rejected", [])


@pytest.mark.parametrize(
    ("principal", "error"), [(COOK, Forbidden), (ROBOT, Forbidden), (STRANGER, NotFound)]
)
@pytest.mark.parametrize("answer", [yes, no])
async def test_whoever_may_not_answer_changes_nothing(ledger: Ledger, principal, error, answer):
    shown = await ledger.propose(proposal())
    with pytest.raises(error):
        await ledger.decide(shown.action_id, answer(shown), principal)
    assert await ledger.action(shown.action_id) == shown


async def test_an_approval_that_does_not_exist_is_not_found(ledger: Ledger):
    shown = await ledger.propose(proposal())
    with pytest.raises(NotFound):
        await ledger.decide("00000000-0000-0000-0000-000000000000", yes(shown), CAPTAIN)


@pytest.mark.parametrize("digest", ["0" * 64, "approved", "*"])
async def test_an_answer_to_something_else_is_refused(ledger: Ledger, digest: str):
    shown = await ledger.propose(proposal())
    with pytest.raises(DigestMismatch):
        await ledger.decide(
            shown.action_id, ApprovalAnswer(decision="approve", digest=digest), CAPTAIN
        )
    assert await ledger.action(shown.action_id) == shown


@pytest.mark.parametrize("first", [yes, no])
@pytest.mark.parametrize("second", [yes, no])
async def test_the_first_answer_wins_and_later_ones_hear_how_it_stands(
    ledger: Ledger, first: Answer, second: Answer
):
    shown = await ledger.propose(proposal())
    settled = await ledger.decide(shown.action_id, first(shown), CAPTAIN)
    with pytest.raises(Conflict) as conflict:
        await ledger.decide(shown.action_id, second(shown), MATE)
    assert conflict.value.standing == settled.state
    assert await ledger.action(shown.action_id) == settled


async def test_of_many_answers_at_once_one_counts(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as one, opened_ledger(data_dir, pack) as two:
        shown = await one.propose(proposal())
        answers = await asyncio.gather(
            *(
                ledger.decide(shown.action_id, answer(shown), who)
                for ledger in (one, two)
                for answer in (yes, no)
                for who in (ENGINEER, CAPTAIN, MATE)
            ),
            return_exceptions=True,
        )
        counted = [each for each in answers if not isinstance(each, BaseException)]
        assert len(counted) == 1
        assert all(isinstance(each, Conflict) for each in answers if each not in counted)
        assert (await one.action(shown.action_id)).state == counted[0].state


async def test_four_eyes_are_two_people(ledger: Ledger):
    shown = await ledger.propose(proposal("flood_hold", requester=CAPTAIN))
    for answer in (yes(shown), edited(shown, hold="H-2")):
        with pytest.raises(Forbidden, match=r"somebody other|another person"):
            await ledger.decide(shown.action_id, answer, CAPTAIN)
    other = Principal(user="sven", tenant_id="aurora", roles=("captain",))
    assert (await ledger.decide(shown.action_id, yes(shown), other)).state == "approved"


async def test_a_quorum_counts_people_not_answers(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal("shift_ballast"))
    half = await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    with pytest.raises(Conflict, match=r"somebody other|another person"):
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    await ledger.execute(shown.action_id)
    assert (half.state, half.approvals, effects(data_dir)) == ("pending", 1, [])
    whole = await ledger.decide(shown.action_id, yes(shown), MATE)
    await ledger.execute(shown.action_id)
    assert (whole.state, whole.approvals, len(effects(data_dir))) == ("approved", 2, 1)


async def test_one_no_ends_a_quorum(ledger: Ledger):
    shown = await ledger.propose(proposal("shift_ballast"))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    assert (await ledger.decide(shown.action_id, no(shown), MATE)).state == "rejected"


async def test_an_edit_opens_another_action_and_what_runs_is_what_the_editor_saw(
    ledger: Ledger, data_dir: Path
):
    shown = await ledger.propose(proposal(valve="V-1", turns=9))
    settled = await ledger.decide(shown.action_id, edited(shown, valve="V-1", turns=2), CAPTAIN)
    first = await ledger.action(shown.action_id)
    outcome = await ledger.execute(shown.action_id)
    assert (first.state, first.replaced_by) == ("superseded", settled.action_id)
    assert (settled.state, settled.approvals, settled.requester) == ("approved", 1, "amir")
    assert outcome.action_id == settled.action_id
    assert [each["arguments"]["turns"] for each in effects(data_dir)] == [2]


async def test_an_edit_that_changes_nothing_is_a_yes(ledger: Ledger):
    shown = await ledger.propose(proposal(valve="V-1"))
    settled = await ledger.decide(shown.action_id, edited(shown, valve="V-1"), CAPTAIN)
    assert (settled.action_id, settled.state) == (shown.action_id, "approved")


async def test_an_edit_needs_the_quorum_anew(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal("shift_ballast", tonnes=20))
    await ledger.decide(shown.action_id, yes(shown), MATE)
    settled = await ledger.decide(shown.action_id, edited(shown, tonnes=500), CAPTAIN)
    await ledger.execute(shown.action_id)
    await ledger.execute(settled.action_id)
    assert (settled.state, settled.approvals, effects(data_dir)) == ("pending", 1, [])
    with pytest.raises(Conflict):
        await ledger.decide(shown.action_id, yes(shown), MATE)
    with pytest.raises(DigestMismatch):
        await ledger.decide(settled.action_id, yes(shown), MATE)
    assert (await ledger.decide(settled.action_id, yes(settled), MATE)).state == "approved"


async def test_an_edit_that_does_not_fit_leaves_the_question_open(ledger: Ledger):
    shown = await ledger.propose(proposal(valve="V-1"))
    for answer, error in (
        (edited(shown, valve=7), InvalidArguments),
        (edited(shown, valve="V-1", approved=True), InvalidArguments),
        (ApprovalAnswer(decision="edit", digest=shown.digest), BadInput),
    ):
        with pytest.raises(error):
            await ledger.decide(shown.action_id, answer, CAPTAIN)
    assert await ledger.action(shown.action_id) == shown


async def test_an_edit_back_to_what_stood_before_is_undone_whole(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal("shift_ballast", tonnes=20))
    half = await ledger.decide(shown.action_id, edited(shown, tonnes=30), CAPTAIN)
    with pytest.raises(Conflict, match="already proposed for this decision"):
        await ledger.decide(half.action_id, edited(half, tonnes=20), MATE)
    assert await ledger.action(half.action_id) == half
    votes = "select approver from ledger_approval where action_id = ?"
    assert sql(data_dir, votes, (half.action_id,)) == [("ingrid",)]


async def test_an_answer_after_the_end_is_told_that_it_expired(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal())
    sql(data_dir, OVER)
    with pytest.raises(Conflict) as conflict:
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    standing = await ledger.action(shown.action_id)
    assert (conflict.value.standing, standing.state) == ("expired", "expired")
    assert (await ledger.execute(shown.action_id)).state == "expired"
    assert effects(data_dir) == []


async def test_a_question_nobody_answered_is_closed_once(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal())
    await ledger.propose(proposal(decision_id="decision-2", valve="V-2"))
    sql(data_dir, f"{OVER} and decision_id = 'decision-1'")
    closed = await ledger.asking.expire_due()
    assert [each.action_id for each in closed] == [shown.action_id]
    assert await ledger.asking.expire_due() == ()


async def test_the_time_to_answer_is_the_catalogues(ledger: Ledger):
    shown = await ledger.propose(proposal("flood_hold", requester=CAPTAIN))
    assert shown.expires_at is not None
    assert abs((shown.expires_at - shown.proposed_at).total_seconds() - 60) < 1


async def test_a_tenant_lists_its_own_questions_only(ledger: Ledger):
    mine = await ledger.propose(proposal())
    theirs = await ledger.propose(proposal(requester=STRANGER, decision_id="decision-9"))
    assert await ledger.actions("aurora") == [mine]
    assert await ledger.actions("borealis") == [theirs]


async def test_a_limit_never_cuts_off_what_runs_out_first(ledger: Ledger):
    flood = await ledger.propose(proposal("flood_hold", requester=CAPTAIN))  # 1 minute; oldest
    for number in range(3):
        asked = proposal(decision_id=f"later-{number}", requester=CAPTAIN, valve=f"V-{number}")
        await ledger.propose(asked)
    gone = await ledger.propose(proposal(decision_id="gone", requester=CAPTAIN))
    await ledger.decide(gone.action_id, no(gone), ENGINEER)
    assert await ledger.queue("aurora", {"pending"}, limit=1) == ([flood], 4)
    assert await ledger.queue("borealis", {"pending"}, limit=1) == ([], 0)
    (ended,), total = await ledger.queue("aurora", {"rejected", "expired"}, limit=1)
    assert (ended.action_id, total) == (gone.action_id, 1)


# Edits, words instead of an answer, and phrases that are typed by hand.


@pytest.fixture
async def till(data_dir: Path, tmp_path: Path) -> AsyncIterator[Ledger]:
    async with opened_till(data_dir, tmp_path, THREE) as opened:
        yield opened


def typed(shown: LedgerAction, phrase: str | None) -> ApprovalAnswer:
    return ApprovalAnswer(decision="approve", digest=shown.digest, typed=phrase)


async def test_an_edit_is_previewed_and_judged_anew(till: Ledger):
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
        ({"invoice": "I-2", "__class__": "x"}, InvalidArguments, "no argument"),
        ({"invoice": "I-2", "payee": "refused"}, RefusedBeforehand, "by an auto-reject rule"),
    ],
)
async def test_an_edit_that_cannot_be_done_leaves_the_question_open(
    till: Ledger, arguments: dict[str, object], error: type[AgentError], says: str
):
    await till.refusals.add(NewRefusal(action="pay", arguments={"payee": "refused"}), BOSS)
    shown = await asked(till)
    with pytest.raises(error, match=says):
        await till.decide(shown.action_id, edited(shown, **arguments), BOSS)
    assert await till.action(shown.action_id) == shown


async def test_whoever_may_not_edit_learns_nothing_from_the_preview(till: Ledger):
    shown = await asked(till)
    for who in (CLERK, TILL_ROBOT):
        with pytest.raises(Forbidden):
            await till.decide(shown.action_id, edited(shown, invoice="I-9"), who)
    with pytest.raises(NotFound, match="approval"):
        await till.decide(shown.action_id, edited(shown, invoice="I-9"), ELSEWHERE)


async def test_with_four_eyes_neither_who_asked_nor_who_edited_says_yes(till: Ledger):
    shown = await asked(till, "pay_twice_seen", who=BOSS)
    with pytest.raises(Forbidden, match="other than the requester"):
        await till.decide(shown.action_id, yes(shown), BOSS)
    second = await till.decide(shown.action_id, edited(shown, invoice="I-2"), PARTNER)
    assert (second.state, second.approvals, second.editor) == ("pending", 0, "pia")
    with pytest.raises(Forbidden, match="than its editor"):
        await till.decide(second.action_id, yes(second), PARTNER)
    with pytest.raises(Forbidden, match="than its editor"):  # an edit that changes nothing is a yes
        await till.decide(second.action_id, edited(second, invoice="I-2"), PARTNER)
    with pytest.raises(Forbidden, match="other than the requester"):
        await till.decide(second.action_id, yes(second), BOSS)
    assert (await till.decide(second.action_id, yes(second), THIRD)).state == "approved"


async def test_an_editor_may_take_back_what_he_wrote(till: Ledger):
    shown = await asked(till, "pay_twice_seen")
    second = await till.decide(shown.action_id, edited(shown, invoice="I-2"), PARTNER)
    assert (await till.decide(second.action_id, no(second), PARTNER)).state == "rejected"


SPELLINGS = ("Bo", "BO", "b o", "\uff42\uff4f", "b\u043e", "\u0042\u03bf")
"""Of `bo`: its case, a space, full-width, with a Cyrillic and with a Greek o."""


@pytest.mark.parametrize("name", SPELLINGS)
async def test_another_spelling_of_a_name_is_the_same_person(
    till: Ledger, name: str, monkeypatch: pytest.MonkeyPatch
):
    respelt = BOSS.model_copy(update={"user": name})
    shown = await asked(till, "pay_twice_seen", who=BOSS)
    with pytest.raises(Forbidden, match="other than the requester"):
        await till.decide(shown.action_id, yes(shown), respelt)
    second = await till.decide(shown.action_id, edited(shown, invoice="I-2"), PARTNER)
    with pytest.raises(Forbidden, match="than its editor"):
        await till.decide(
            second.action_id, yes(second), PARTNER.model_copy(update={"user": "P\u0456a"})
        )
    # Also where such a yes was recorded, by an older release say, the claim does not count it.
    monkeypatch.setattr(approval_rules, "demand_approver", lambda *_given: None)
    monkeypatch.setattr(decision, "demand_approver", lambda *_given: None)
    assert (await till.decide(second.action_id, yes(second), respelt)).state == "pending"


async def test_two_spellings_of_a_name_are_no_quorum(
    ledger: Ledger, data_dir: Path, monkeypatch: pytest.MonkeyPatch
):
    shown = await ledger.propose(proposal("shift_ballast"))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    for name in ("Ingrid", "INGRID", "\u0456ngrid", "lngrid"):
        respelt = CAPTAIN.model_copy(update={"user": name})
        if name != "lngrid":  # that is how a capital i looks, and no other spelling of a small one
            with pytest.raises(Conflict, match="another person"):
                await ledger.decide(shown.action_id, yes(shown), respelt)
    monkeypatch.setattr(decision, "passes_for_any", lambda *_names: False)
    respelt = CAPTAIN.model_copy(update={"user": "Ingrid"})
    both = await ledger.decide(shown.action_id, yes(shown), respelt)
    await ledger.execute(shown.action_id)
    assert (both.state, both.approvals, effects(data_dir)) == ("pending", 2, [])


async def test_a_yes_that_does_not_count_says_why(ledger: Ledger, data_dir: Path):
    keys = SqlKeys(ledger.database)
    await keys.make(CAPTAIN.model_copy(update={"roles": ("cook",)}))
    shown = await ledger.propose(proposal(requester=ENGINEER, at_least="C"))
    told = await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    assert (told.state, told.approvals) == ("pending", 1)
    assert "no valid key of theirs has one of the roles" in (told.reason or "")
    with pytest.raises(Conflict, match="no valid key of theirs"):  # the same person again
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    (key,) = await keys.list()
    await keys.revoke(key.key_id)
    for valve, name in (("V-2", "ingrid"), ("V-3", "Ingrid")):  # a spelling revives no key
        shown = await ledger.propose(
            proposal(requester=ENGINEER, at_least="C", decision_id=valve, valve=valve)
        )
        respelt = CAPTAIN.model_copy(update={"user": name})
        told = await ledger.decide(shown.action_id, yes(shown), respelt)
        assert told.state == "pending"
        assert "every key of theirs is revoked" in (told.reason or "")
    await ledger.execute(shown.action_id)
    assert effects(data_dir) == []


async def test_a_large_amount_is_typed_by_hand(till: Ledger):
    shown = await asked(till, amount=6_250)
    for phrase in (None, "", "yes", "6,250", "62,500.00 EUR", "6,250.00 USD"):
        with pytest.raises(BadInput, match=r"6,250\.00 EUR"):
            await till.decide(shown.action_id, typed(shown, phrase), BOSS)
    assert await till.action(shown.action_id) == shown
    settled = await till.decide(shown.action_id, typed(shown, " 6250.00  eur "), BOSS)
    assert settled.state == "approved"


async def test_an_edit_up_to_a_large_amount_is_no_yes_until_it_is_typed(till: Ledger):
    shown = await asked(till, amount=10)
    large = await till.decide(shown.action_id, edited(shown, invoice="I-1", amount=9_000), BOSS)
    assert (large.state, large.approvals) == ("pending", 0)
    settled = await till.decide(large.action_id, typed(large, "9,000.00 EUR"), BOSS)
    assert settled.state == "approved"


async def test_words_instead_of_an_answer_close_it_and_come_back_as_a_message(
    till: Ledger, data_dir: Path
):
    shown = await asked(till)
    answer = ApprovalAnswer(decision="respond", digest=shown.digest, reason="pay I-2 instead")
    answering_only = BOSS.model_copy(update={"scopes": ACCESS["approver"]})
    for other in (answer, edited(shown, invoice="I-1", amount=9)):
        with pytest.raises(Forbidden, match="no right to make requests"):
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
async def test_an_answer_that_is_not_whole_changes_nothing(till: Ledger, given: dict[str, object]):
    shown = await asked(till)
    answer = ApprovalAnswer.model_validate({"digest": shown.digest, **given})
    with pytest.raises(BadInput):
        await till.decide(shown.action_id, answer, BOSS)
    assert await till.action(shown.action_id) == shown
    assert await till.refusals.list(BOSS) == []


async def test_a_no_and_what_it_refuses_from_now_on_are_one(till: Ledger):
    shown = await asked(till)
    standing = no(shown).model_copy(update={"standing": RefusalWish(same="action")})
    stale = standing.model_copy(update={"digest": "0" * 64})
    with pytest.raises(DigestMismatch):
        await till.decide(shown.action_id, stale, BOSS)
    assert await till.refusals.list(BOSS) == []
    await till.decide(shown.action_id, standing, BOSS)
    assert len(await till.refusals.list(BOSS)) == 1


# Standing refusals: whose they are, what they cover, when they end.


@pytest.fixture
async def open_till(data_dir: Path, tmp_path: Path) -> AsyncIterator[Ledger]:
    async with opened_till(data_dir, tmp_path, MANY, handler_seconds=0.2) as opened:
        yield opened


async def test_a_no_may_stand_for_what_comes_like_it(open_till: Ledger, data_dir: Path):
    shown = await asked(open_till, amount=5)
    wish = RefusalWish(same="arguments", minutes=60)
    await open_till.decide(
        shown.action_id,
        ApprovalAnswer(decision="reject", digest=shown.digest, reason="never", standing=wish),
        BOSS,
    )
    again = proposal("pay", decision_id="d-2", requester=BOSS, invoice="I-1", amount=5)
    with pytest.raises(RefusedBeforehand, match="never") as refused:
        await open_till.propose(again)
    assert refused.value.code == "standing_refusal"
    assert await rows(data_dir) == 1
    other = proposal("pay", decision_id="d-3", requester=BOSS, invoice="I-1", amount=6)
    assert (await open_till.propose(other)).state == "pending"
    (kept,) = await open_till.refusals.list(BOSS)
    await open_till.refusals.withdraw(kept.refusal_id, PARTNER)
    assert (await open_till.propose(again)).state == "pending"
    with pytest.raises(Conflict, match="already withdrawn"):
        await open_till.refusals.withdraw(kept.refusal_id, BOSS)


@pytest.mark.parametrize(
    ("same", "own", "others"), [("action", False, False), ("requester", False, True)]
)
async def test_a_refusal_covers_the_action_or_the_one_who_asks(
    open_till: Ledger, same: Any, own: bool, others: bool
):
    shown = await asked(open_till, number=1)
    answer = ApprovalAnswer(decision="reject", digest=shown.digest, standing=RefusalWish(same=same))
    await open_till.decide(shown.action_id, answer, BOSS)
    for number, (who, passes) in enumerate(((CLERK, own), (PARTNER, others)), 2):
        if passes:
            assert (await asked(open_till, who=who, number=number)).state == "pending"
        else:
            with pytest.raises(RefusedBeforehand):
                await asked(open_till, who=who, number=number)
    assert (await asked(open_till, "pay_twice_seen", number=9)).state == "pending"


async def test_a_refusal_ends_and_never_reaches_another_tenant(open_till: Ledger, data_dir: Path):
    made = await open_till.refusals.add(NewRefusal(action="pay", minutes=1), BOSS)
    assert await open_till.refusals.list(ELSEWHERE) == []
    with pytest.raises(NotFound):
        await open_till.refusals.withdraw(made.refusal_id, ELSEWHERE)
    sql(data_dir, "update standing_refusal set until = 1.0")
    assert (await asked(open_till)).state == "pending"
    assert await open_till.refusals.list(BOSS) == []
    with pytest.raises(Conflict, match="already expired"):
        await open_till.refusals.withdraw(made.refusal_id, BOSS)


@pytest.mark.parametrize(
    ("who", "wanted", "error"),
    [
        (CLERK, NewRefusal(action="pay"), Forbidden),
        (TILL_ROBOT, NewRefusal(action="pay"), Forbidden),
        (BOSS, NewRefusal(action="no_such"), NotFound),
        (BOSS, NewRefusal(action="read_till"), BadInput),
        (BOSS, NewRefusal(action="pay", arguments={"invoic": "I-1"}), InvalidArguments),
        (BOSS, NewRefusal(action="pay", arguments={"amount": "5"}), InvalidArguments),
    ],
)
async def test_a_refusal_that_nobody_may_make_is_none(open_till: Ledger, who, wanted, error):
    with pytest.raises(error):
        await open_till.refusals.add(wanted, who)
    assert await open_till.refusals.list(BOSS) == []


async def test_whom_a_refusal_is_aimed_at_cannot_lift_it(open_till: Ledger):
    made = await open_till.refusals.add(
        NewRefusal(action="break_preview"), BOSS
    )  # names no approvers
    (seen,) = await open_till.refusals.list(CLERK)
    assert seen.refusal_id == made.refusal_id
    for who in (CLERK, PARTNER):
        with pytest.raises(Forbidden, match="can be deleted by bo"):
            await open_till.refusals.withdraw(made.refusal_id, who)
    assert (await open_till.refusals.withdraw(made.refusal_id, BOSS)).withdrawn_by == BOSS.user


async def test_a_refusal_allows_nothing(open_till: Ledger):
    made = await open_till.refusals.add(NewRefusal(action="pay", arguments={"amount": 1}), BOSS)
    await open_till.refusals.withdraw(made.refusal_id, BOSS)
    shown = await asked(open_till, amount=1)
    assert (shown.state, shown.approvals) == ("pending", 0)
    assert (await open_till.execute(shown.action_id)).state == "pending"


async def test_what_was_queued_and_refused_meanwhile_is_closed(open_till: Ledger, data_dir: Path):
    for number in range(1, open_till.asking.tuning.asks_per_hour + 1):
        await asked(open_till, number=number)
    last = await asked(open_till, number=199)
    await open_till.refusals.add(NewRefusal(action="pay", reason="enough"), BOSS)
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601")
    (closed,) = await open_till.asking.ask_next()
    assert (closed.action_id, closed.state) == (last.action_id, "rejected")
    assert "enough" in (closed.reason or "")


# Every role against every action and tenant, and several people at once.

PEOPLE = {
    "clerk": CLERK,
    "boss": BOSS,
    "partner": PARTNER,
    "robot": TILL_ROBOT,
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
):
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
async def test_only_a_plain_no_of_who_asked_takes_it_back(till: Ledger, who, answer):
    shown = await asked(till, "pay", who=CLERK)
    given = ApprovalAnswer.model_validate({"decision": "reject", "digest": shown.digest, **answer})
    with pytest.raises((Forbidden, DigestMismatch)):
        await till.decide(shown.action_id, given, who)
    assert await till.action(shown.action_id) == shown


async def test_what_is_taken_back_nobody_can_say_yes_to(till: Ledger):
    shown = await asked(till, "pay_twice_seen", who=CLERK)
    taken = await till.decide(shown.action_id, no(shown), CLERK)
    assert (taken.state, taken.decided_by) == ("rejected", CLERK.user)
    with pytest.raises(Conflict):
        await till.decide(shown.action_id, yes(shown), BOSS)


async def test_nobody_takes_back_for_another(till: Ledger):
    shown = await asked(till, "pay", who=CLERK)
    with pytest.raises(Forbidden):
        await till.take_back(shown, BOSS)
    assert (await till.take_back(shown, CLERK)).state == "rejected"


async def test_of_eight_clients_on_one_approval_one_decides_and_it_runs_once(
    till: Ledger, data_dir: Path
):
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

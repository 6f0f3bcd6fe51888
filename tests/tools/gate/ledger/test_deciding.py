"""Who may answer, what an answer binds, and which of several answers counts."""

import asyncio
from collections.abc import Callable
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
)
from state.principal import Principal
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
from tools.gate.ledger.ledger import Ledger

Answer = Callable[[LedgerAction], ApprovalAnswer]

OVER = "update ledger_action set expires_at = 1.0 where state in ('pending', 'approved')"


async def test_the_one_who_asked_may_confirm(ledger: Ledger) -> None:
    shown = await ledger.propose(proposal(requester=ENGINEER))
    settled = await ledger.decide(shown.action_id, yes(shown), ENGINEER)
    assert (settled.state, settled.approvals, settled.decided_by) == ("approved", 1, "amir")


async def test_a_no_ends_it_with_its_reason(ledger: Ledger, data_dir: Path) -> None:
    shown = await ledger.propose(proposal())
    settled = await ledger.decide(shown.action_id, no(shown), CAPTAIN)
    outcome = await ledger.execute(shown.action_id)
    assert (settled.state, settled.reason) == ("rejected", "not now")
    assert (outcome.state, effects(data_dir)) == ("rejected", [])


@pytest.mark.parametrize(
    ("principal", "error"),
    [(COOK, Forbidden), (ROBOT, Forbidden), (STRANGER, NotFound)],
)
@pytest.mark.parametrize("answer", [yes, no])
async def test_whoever_may_not_answer_changes_nothing(
    ledger: Ledger, principal: Principal, error: type[AgentError], answer: Answer
) -> None:
    shown = await ledger.propose(proposal())
    with pytest.raises(error):
        await ledger.decide(shown.action_id, answer(shown), principal)
    assert await ledger.action(shown.action_id) == shown


async def test_an_approval_that_does_not_exist_is_not_found(ledger: Ledger) -> None:
    shown = await ledger.propose(proposal())
    with pytest.raises(NotFound):
        await ledger.decide("00000000-0000-0000-0000-000000000000", yes(shown), CAPTAIN)


@pytest.mark.parametrize("digest", ["0" * 64, "approved", "*"])
async def test_an_answer_to_something_else_is_refused(ledger: Ledger, digest: str) -> None:
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
) -> None:
    shown = await ledger.propose(proposal())
    settled = await ledger.decide(shown.action_id, first(shown), CAPTAIN)
    with pytest.raises(Conflict) as conflict:
        await ledger.decide(shown.action_id, second(shown), MATE)
    assert conflict.value.standing == settled.state
    assert await ledger.action(shown.action_id) == settled


async def test_of_many_answers_at_once_one_counts(data_dir: Path, pack: Path) -> None:
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


async def test_four_eyes_are_two_people(ledger: Ledger) -> None:
    shown = await ledger.propose(proposal("flood_hold", requester=CAPTAIN))
    for answer in (yes(shown), edited(shown, hold="H-2")):
        with pytest.raises(Forbidden, match="another person"):
            await ledger.decide(shown.action_id, answer, CAPTAIN)
    other = Principal(user="sven", tenant_id="aurora", roles=("captain",))
    assert (await ledger.decide(shown.action_id, yes(shown), other)).state == "approved"


async def test_a_quorum_counts_people_not_answers(ledger: Ledger, data_dir: Path) -> None:
    shown = await ledger.propose(proposal("shift_ballast"))
    half = await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    with pytest.raises(Conflict, match="another person"):
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    await ledger.execute(shown.action_id)
    assert (half.state, half.approvals, effects(data_dir)) == ("pending", 1, [])
    whole = await ledger.decide(shown.action_id, yes(shown), MATE)
    await ledger.execute(shown.action_id)
    assert (whole.state, whole.approvals, len(effects(data_dir))) == ("approved", 2, 1)


async def test_one_no_ends_a_quorum(ledger: Ledger) -> None:
    shown = await ledger.propose(proposal("shift_ballast"))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    assert (await ledger.decide(shown.action_id, no(shown), MATE)).state == "rejected"


async def test_an_edit_opens_another_action_and_what_runs_is_what_the_editor_saw(
    ledger: Ledger, data_dir: Path
) -> None:
    shown = await ledger.propose(proposal(valve="V-1", turns=9))
    settled = await ledger.decide(shown.action_id, edited(shown, valve="V-1", turns=2), CAPTAIN)
    first = await ledger.action(shown.action_id)
    outcome = await ledger.execute(shown.action_id)
    assert (first.state, first.replaced_by) == ("superseded", settled.action_id)
    assert (settled.state, settled.approvals, settled.requester) == ("approved", 1, "amir")
    assert outcome.action_id == settled.action_id
    assert [each["arguments"]["turns"] for each in effects(data_dir)] == [2]


async def test_an_edit_that_changes_nothing_is_a_yes(ledger: Ledger) -> None:
    shown = await ledger.propose(proposal(valve="V-1"))
    settled = await ledger.decide(shown.action_id, edited(shown, valve="V-1"), CAPTAIN)
    assert (settled.action_id, settled.state) == (shown.action_id, "approved")


async def test_an_edit_needs_the_quorum_anew(ledger: Ledger, data_dir: Path) -> None:
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
    agreed = await ledger.decide(settled.action_id, yes(settled), MATE)
    assert agreed.state == "approved"


async def test_an_edit_that_does_not_fit_leaves_the_question_open(ledger: Ledger) -> None:
    shown = await ledger.propose(proposal(valve="V-1"))
    for answer, error in (
        (edited(shown, valve=7), InvalidArguments),
        (edited(shown, valve="V-1", approved=True), InvalidArguments),
        (ApprovalAnswer(decision="edit", digest=shown.digest), BadInput),
    ):
        with pytest.raises(error):
            await ledger.decide(shown.action_id, answer, CAPTAIN)
    assert await ledger.action(shown.action_id) == shown


async def test_an_edit_back_to_what_stood_before_is_undone_whole(
    ledger: Ledger, data_dir: Path
) -> None:
    shown = await ledger.propose(proposal("shift_ballast", tonnes=20))
    half = await ledger.decide(shown.action_id, edited(shown, tonnes=30), CAPTAIN)
    with pytest.raises(Conflict, match="proposed for this decision before"):
        await ledger.decide(half.action_id, edited(half, tonnes=20), MATE)
    assert await ledger.action(half.action_id) == half
    votes = "select approver from ledger_approval where action_id = ?"
    assert sql(data_dir, votes, (half.action_id,)) == [("ingrid",)]


async def test_an_answer_after_the_end_is_told_that_it_expired(
    ledger: Ledger, data_dir: Path
) -> None:
    shown = await ledger.propose(proposal())
    sql(data_dir, OVER)
    with pytest.raises(Conflict) as conflict:
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    standing = await ledger.action(shown.action_id)
    assert (conflict.value.standing, standing.state) == ("expired", "expired")
    assert (await ledger.execute(shown.action_id)).state == "expired"
    assert effects(data_dir) == []


async def test_a_question_nobody_answered_is_closed_once(ledger: Ledger, data_dir: Path) -> None:
    shown = await ledger.propose(proposal())
    await ledger.propose(proposal(decision_id="decision-2", valve="V-2"))
    sql(data_dir, f"{OVER} and decision_id = 'decision-1'")
    closed = await ledger.asking.expire_due()
    assert [each.action_id for each in closed] == [shown.action_id]
    assert await ledger.asking.expire_due() == ()


async def test_the_time_to_answer_is_the_catalogues(ledger: Ledger) -> None:
    shown = await ledger.propose(proposal("flood_hold", requester=CAPTAIN))
    assert shown.expires_at is not None
    assert abs((shown.expires_at - shown.proposed_at).total_seconds() - 60) < 1


async def test_a_tenant_lists_its_own_questions_only(ledger: Ledger) -> None:
    mine = await ledger.propose(proposal())
    theirs = await ledger.propose(proposal(requester=STRANGER, decision_id="decision-9"))
    assert await ledger.actions("aurora") == [mine]
    assert await ledger.actions("borealis") == [theirs]


async def test_a_limit_never_cuts_off_what_runs_out_first(ledger: Ledger) -> None:
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

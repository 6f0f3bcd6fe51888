"""What the Executive was asked to change is in the journal, and "why was …?" finds it."""

import pytest

from state.errors import Conflict
from state.journal import Decision, DecisionStatus
from state.reader import whole
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tools.journal.action_decisions import action_entry_id

ASKED = "close lock LK-12 because the barge is waiting"


async def entry_of(harbour: Harbour, action_id: str | None) -> Decision:
    assert action_id is not None
    return await harbour.executive.journal.store.get(action_entry_id(action_id), whole("default"))


async def test_a_change_that_was_allowed_is_a_decision_with_who_asked_and_who_allowed(
    harbour: Harbour,
) -> None:
    asked = await harbour.says(ASKED)
    await harbour.answers(asked.action_id)
    made = await entry_of(harbour, asked.action_id)
    assert (made.origin, made.status, made.heard_in) == ("action", "active", asked.decision_id)
    assert made.stakeholders == (KEEPER.user, MASTER.user)
    assert (made.decision_maker, dict(made.votes)) == (MASTER.user, {MASTER.user: "for"})
    assert made.rationale == "the barge is waiting"
    [why] = made.evidence["rationale"]
    assert ASKED[why.start : why.end] == made.rationale


async def test_who_asks_why_something_was_done_is_told_with_the_words_it_was_asked_with(
    harbour: Harbour,
) -> None:
    await harbour.answers((await harbour.says(ASKED)).action_id)
    answer = await harbour.says("why was lock LK-12 closed?", MASTER)
    assert answer.text == (
        "2026-06-14: Close lock LK-12, because the barge is waiting "
        f"(asked by amir, allowed by ingrid): “{ASKED}”"
    )


async def test_nobody_says_of_a_change_that_it_was_taken_back(harbour: Harbour) -> None:
    asked = await harbour.says(ASKED)
    await harbour.answers(asked.action_id)
    noted = await harbour.says("we decided to paint the lamp red")
    made, said = (await entry_of(harbour, asked.action_id)).id, f"note-{noted.decision_id}"
    with pytest.raises(Conflict, match="its undo alone"):
        await harbour.executive.journal.link(said, made, KEEPER, reason="")
    assert (await entry_of(harbour, asked.action_id)).status is DecisionStatus.ACTIVE


async def test_what_waits_for_a_yes_is_no_decision_yet(harbour: Harbour) -> None:
    await harbour.says(ASKED)
    answer = await harbour.says("why was lock LK-12 closed?", MASTER)
    assert answer.text == "I have no decision on record about that."


async def test_a_refusal_is_kept_with_its_reason_and_is_not_in_force(harbour: Harbour) -> None:
    asked = await harbour.says(ASKED)
    await harbour.answers(asked.action_id, "reject", reason="the ferry comes first")
    made = await entry_of(harbour, asked.action_id)
    assert (made.status, made.rationale) == (DecisionStatus.REJECTED, "the ferry comes first")
    assert dict(made.votes) == {MASTER.user: "against"}
    answer = await harbour.says("why was lock LK-12 not closed?", MASTER)
    assert "because the ferry comes first (asked by amir, refused by ingrid)" in answer.text


async def test_a_read_leaves_no_entry(harbour: Harbour) -> None:
    assert (await harbour.says("show lock LK-12")).outcome == "executed"
    assert await harbour.executive.journal.store.all(whole("default")) == []


async def test_another_tenant_does_not_find_it(harbour: Harbour) -> None:
    await harbour.answers((await harbour.says(ASKED)).action_id)
    assert await harbour.executive.journal.ask("why was LK-12 closed?", whole("other")) == []

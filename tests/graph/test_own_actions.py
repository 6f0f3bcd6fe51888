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


# What people decided in conversation is noted, and told when somebody asks why.


DECIDED = "We decided to dredge the north channel in May because the ferry touched ground"


async def test_a_decision_in_a_message_is_noted_and_does_nothing_else(harbour: Harbour) -> None:
    record = await harbour.says(DECIDED, MASTER)
    trace = await harbour.executive.records.trace(record.decision_id, "default")
    noted = trace.stages["noted"]
    assert noted["decision"] == "dredge the north channel in May"
    assert noted["rationale"] == "the ferry touched ground"
    assert noted["decision_maker"] == "ingrid"
    assert harbour.effects() == []


async def test_who_asks_why_is_told_what_was_decided(harbour: Harbour) -> None:
    await harbour.says(DECIDED, MASTER)
    record = await harbour.says("why did we decide to dredge the north channel?")
    assert (record.outcome, record.path) == ("spoke", "policy")
    assert record.text == (
        "2026-06-14: dredge the north channel in May, because the ferry touched ground"
        " (said by ingrid)"
    )


async def test_who_asks_about_something_else_is_told_that_nothing_is_known(harbour: Harbour):
    await harbour.says(DECIDED, MASTER)
    record = await harbour.says("why did we hire the second pilot?")
    assert record.text == "I have no decision on record about that."


async def test_another_tenant_is_not_told(harbour: Harbour) -> None:
    await harbour.says(DECIDED, MASTER)
    event = harbour.event(
        "why did we decide to dredge the north channel?", user="olav", tenant_id="other"
    )
    record = await harbour.executive.submit(event)
    assert record.text == "I have no decision on record about that."


async def test_an_event_is_no_decision_of_people(harbour: Harbour) -> None:
    record = await harbour.happens(DECIDED, salience={"goal_relevance": 0.9})
    trace = await harbour.executive.records.trace(record.decision_id, "default")
    assert "noted" not in trace.stages

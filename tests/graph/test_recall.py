"""What people decided in conversation is noted, and told when somebody asks why."""

from tests.graph.harbour import MASTER, Harbour

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

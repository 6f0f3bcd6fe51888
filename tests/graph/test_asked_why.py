"""Who asks us why is told from the records of this session, as `prefrontal why` tells it."""

from graph.presenters.explanation import short_explanation
from graph.presenters.status import quiet_words
from state.record import DecisionRecord
from tests.graph.harbour import MASTER, Harbour

GOAL = {"goal_relevance": 0.9}


async def in_words(harbour: Harbour, record: DecisionRecord) -> tuple[str, ...]:
    return short_explanation(await harbour.executive.records.trace(record.decision_id, "default"))


async def test_why_it_is_silent_is_told_as_quiet_why_tells_it(harbour: Harbour) -> None:
    await harbour.says("be quiet for 20 minutes")
    await harbour.happens("The ferry is early", salience=GOAL)
    expected = await harbour.executive.controls.standing("default", "default")
    answer = await harbour.says("why are you silent?")
    assert answer.text == "\n".join(quiet_words(expected))
    assert "Quiet was requested, until" in answer.text
    assert "The ferry is early" in answer.text


async def test_why_it_did_that_is_told_of_the_last_thing_it_did(harbour: Harbour) -> None:
    told = await harbour.happens("The ferry is early", salience=GOAL)
    await harbour.happens("A gull", salience={"novelty": 0.3})
    harbour.pass_seconds(1)
    answer = await harbour.says("Why did you tell me that?")
    assert "About “The ferry is early”:" in answer.text
    for line in await in_words(harbour, told):
        assert line in answer.text
    assert told.decision_id[:8] in answer.text
    assert (await harbour.says("why did you do that?")).text == answer.text


async def test_why_it_did_not_is_told_of_what_it_kept_to_itself(harbour: Harbour) -> None:
    gull = await harbour.happens("A gull", salience={"novelty": 0.4})
    harbour.pass_seconds(1)
    seal = await harbour.happens("A seal", source="cam", salience={"novelty": 0.4})
    answer = await harbour.says("why didn't you say anything?")
    assert [line for line in await in_words(harbour, seal) if line not in answer.text] == []
    named = await harbour.says("why didn't you tell me about the gull?")
    assert "About “A gull”:" in named.text
    assert [line for line in await in_words(harbour, gull) if line not in named.text] == []


async def test_another_persons_requests_and_sessions_are_not_explained(harbour: Harbour) -> None:
    await harbour.says("close lock LK-12", MASTER)
    await harbour.happens("The ferry is early", salience=GOAL, session_id="elsewhere")
    answer = await harbour.says("why did you do that?")
    assert answer.text == "I have no decision in this session that this could be about."
    assert "About “close lock LK-12”" in (await harbour.says("why did you do that?", MASTER)).text


async def test_it_answers_no_question_of_ours(harbour: Harbour) -> None:
    await harbour.says("close a lock", MASTER)
    answer = await harbour.says("why did you ask that?", MASTER)
    assert answer.text.startswith("About “close a lock”:")

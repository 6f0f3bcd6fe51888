"""Who asks us why is told from the records, in words and as `prefrontal why` tells it."""

from pathlib import Path

import pytest

from graph.presenters.explanation import explain, short_explanation
from graph.presenters.status import quiet_words
from state.principal import Principal
from state.record import DecisionRecord, DecisionTrace
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import MASTER, Harbour
from tests.tools.adapters.papers.asking import settings_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import Reply, said
from tests.tools.adapters.papers.shelf import Entry

GOAL = {"goal_relevance": 0.9}


async def in_words(harbour: Harbour, record: DecisionRecord) -> tuple[str, ...]:
    return short_explanation(await harbour.executive.records.trace(record.decision_id, "default"))


async def test_why_it_is_silent_is_told_as_quiet_why_tells_it(harbour: Harbour) -> None:
    await harbour.says("be quiet for 20 minutes")
    await harbour.happens("The ferry is early", salience=GOAL)
    expected = await harbour.executive.controls.standing("default", "default")
    answer = await harbour.says("why are you silent?")
    reason, *rest = quiet_words(expected, brief=True)
    assert answer.text.splitlines()[0] == reason
    assert answer.text.splitlines()[1].startswith("The last event I kept to myself: “The ferry")
    assert answer.text.splitlines()[2:] == rest
    assert "Quiet was requested, until" in reason


async def test_why_it_was_silent_begins_with_the_reason_and_not_with_figures(
    harbour: Harbour,
) -> None:
    await harbour.happens("A gull", salience={"novelty": 0.4})
    harbour.pass_seconds(1)
    first, *rest = (await harbour.says("why were you silent?")).text.splitlines()
    assert first.startswith("The last event I kept to myself: “A gull”. Suppressed")
    assert "(usual" not in "".join(rest)


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


# One failing turn is explained from its record alone: `prefrontal why` needs nothing else.


MEMBER = Principal(user="ann", tenant_id="default", roles=("member",))
TEXT = "Can you find me open access papers on sea ice since 2020? top 5"
BUSY = said({"message": "Too Many Requests"}, 429, retry_after="3600")


async def _trace(shelf: Harbour, text: str) -> DecisionTrace:
    record = await shelf.says(text, MEMBER)
    return await shelf.executive.records.trace(record.decision_id, "default")


def _told(trace: DecisionTrace, *, verbose: bool = False) -> list[str]:
    return [line for section in explain(trace, verbose=verbose) for line in section.lines]


@pytest.mark.parametrize("is_down", [False, True], ids=["one_down", "both_down"])
async def test_why_tells_intent_arguments_step_and_what_each_provider_did(
    open_harbour: OpenHarbour, tmp_path: Path, is_down: bool
) -> None:
    ice = Entry("Sea ice", 2022, doi="10.1000/ice", is_open=True)
    with semantic_scholar([ice]) as first, openalex([ice]) as second:
        first.always = BUSY
        second.always = Reply(503, b"down") if is_down else None
        settings = settings_of(tmp_path, first, second)
        given = settings.model_dump(include=settings.model_fields_set - {"data_dir"})
        async with open_harbour(**given | {"packs": ("research",)}) as shelf:
            trace = await _trace(shelf, TEXT)
    internals = _told(trace, verbose=True)
    told = _told(trace)
    whole = "\n".join(told)
    assert "Intent: direct_search" in internals
    assert "search_papers has to run, whatever the confidence" in internals
    assert "year_from:2020 since@" in "\n".join(internals)
    assert "With: query=sea ice, year from=2020, open access only=True, limit=5" in told
    assert "On success the stage becomes finding_papers" in told
    assert "it answered 429: no more before 60 min" in whole
    has_moved = "exploring → finding_papers: a search for papers succeeded" in told
    assert has_moved is not is_down
    if is_down:
        assert any(line.startswith("Failed: no paper provider answered") for line in told)
        assert "OpenAlex: it answered 503, 3 times" in whole

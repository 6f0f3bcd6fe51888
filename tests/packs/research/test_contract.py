"""What policy promises of a search, whoever asks. Source: policy-first plan, phases A to D."""

import re
from pathlib import Path

import pytest

from tests.packs.research.conftest import OpenTalk
from tests.packs.research.conversation import MEMBER, VIEWER, Talk
from tools.catalog.pack import load_pack
from tools.response.llm_answer import prediction_prompt, system_prompt

PACKS = Path(__file__).parents[3] / "packs"
pytestmark = pytest.mark.langsmith(test_suite_name="prefrontal contract of search")
TOPIC = "Our research topic is whale song in the Pacific"
DIRECT = "Can you find me recent papers on this topic?"


async def test_a_direct_search_calls_the_tool_and_is_no_question_back(talk: Talk):
    await talk.says(TOPIC)
    record = await talk.says(DIRECT)
    assert (record.intent, record.action, record.outcome) == (
        "direct_search", "search_papers", "executed",
    )  # fmt: skip
    policy = await talk.policy(record)
    assert policy["force_tool"] == "search_papers"
    assert policy["search"]["query_terms"] == ["whale song", "Pacific"] or (
        "whale" in " ".join(policy["search"]["query_terms"])
    )
    assert talk.semantic_scholar.asked
    assert talk.openalex.asked


def test_no_prompt_routes_a_search():
    """Phase E: what is searched and when is policy's; a model only phrases."""
    words = f"{system_prompt()} {prediction_prompt()}".lower()
    packs = [load_pack(PACKS / name) for name in ("research", "vessel")]

    assert not [name for pack in packs for name in pack.actions if name in words]
    assert not {"search", "papers", "recent", "stage", "clarify"} & set(re.findall(r"\w+", words))


async def test_recent_is_a_filter_of_the_providers_and_no_word(talk: Talk):
    record = await talk.says("find recent open access papers on whale song")
    assert record.arguments is not None
    assert (record.arguments["year_from"], record.arguments["open_access_only"]) == (2021, True)
    asked = talk.semantic_scholar.asked[0].params
    assert asked["year"].startswith("2021") or asked["publicationDateOrYear"].startswith("2021")
    assert "openAccessPdf" in asked
    works = next(one for one in talk.openalex.asked if one.path == "/works")
    assert "is_oa:true" in works.params["filter"]
    assert "2021" in works.params["filter"]
    for query in (asked["query"], works.params.get("search", "")):
        assert not {"2021", "recent", "papers", "find"} & set(query.lower().split())
    assert "2024" in record.text
    assert "2009" not in record.text


@pytest.mark.parametrize(
    "text",
    [
        "don't search for papers on whale song",
        "please do not look for any articles",
        "he said find me papers on whale song",
        "thanks, that was helpful",
        "I would never search for papers on a Sunday",
    ],
)
async def test_what_asks_for_no_search_searches_nothing(talk: Talk, text: str):
    record = await talk.says(text)
    assert record.outcome != "executed", record
    assert (await talk.policy(record)).get("force_tool") is None
    assert talk.semantic_scholar.asked == []
    assert talk.openalex.asked == []


async def test_a_viewer_searches_and_analyses_and_changes_nothing(talk: Talk):
    found = await talk.says("find papers on whale song", VIEWER)
    assert (found.outcome, found.action) == ("executed", "search_papers")
    assert (await talk.says("analyse the first one", VIEWER)).outcome == "executed"
    refused = await talk.says("add the first one to the library", VIEWER)
    assert (refused.outcome, refused.reason) == ("refused", "read_only")
    assert refused.text == "Your role (viewer) can only read, so it can't add to libraries."
    assert (await talk.policy(refused))["blocked"] == ["add_to_library"]
    told = await talk.says("our research question is how do whales learn songs", VIEWER)
    assert told.intent != "remember"
    assert (await talk.memory()).facts.keys() <= {"research_topic"}


async def test_a_search_that_succeeds_makes_the_stage_finding_papers(talk: Talk):
    assert "exploring" in (await talk.says("where are we", VIEWER)).text
    record = await talk.says("find papers on whale song")
    assert record.stage == "finding_papers"
    memory = await talk.memory()
    assert memory.stage == "finding_papers"
    (step,) = memory.history
    assert (step.from_stage, step.to_stage, step.reason, step.decision_id) == (
        "exploring", "finding_papers", "a search for papers succeeded", record.decision_id,
    )  # fmt: skip
    after = await talk.says("where are we")
    assert "finding papers" in after.text
    assert "exploring → finding_papers, a search for papers succeeded" in after.text


async def test_a_search_that_fails_changes_no_stage(talk: Talk):
    talk.are_down()
    record = await talk.says("find papers on whale song")
    assert (record.outcome, record.action) == ("failed", "search_papers")
    assert "no paper provider answered" in record.text
    assert (await talk.policy(record))["stage_transition"]["to_stage"] == "finding_papers"
    memory = await talk.memory()
    assert (memory.stage, memory.history, memory.facts, memory.listed) == (None, (), {}, {})


async def test_one_provider_down_is_a_partial_answer_and_a_success(talk: Talk):
    from tests.tools.adapters.papers.servers import said

    talk.openalex.always = said({"message": "down"}, 500)
    record = await talk.says("find papers on whale song")
    assert (record.outcome, record.stage) == ("executed", "finding_papers")
    assert "OpenAlex could not be asked" in record.text


async def test_question_and_topic_stay_through_follow_ups(talk: Talk):
    question = "how does ship noise change whale song?"
    noted = await talk.says(f"Our research question is {question}")
    assert (noted.intent, noted.outcome) == ("remember", "spoke")
    assert question in noted.text
    await talk.says(TOPIC)
    facts = (await talk.memory()).facts
    for text in (
        DIRECT,
        "only open access",
        "and since 2020?",
        "more like the second one",
        "analyse number 1",
        "thanks",
        "find papers on ship noise",
    ):
        await talk.says(text)
        assert (await talk.memory()).facts == facts, text
    assert facts["research_question"].value == question
    assert facts["research_topic"].value == "whale song in the Pacific"


async def test_each_follow_up_changes_one_field_and_keeps_the_others(talk: Talk):
    await talk.says("find 5 recent papers on whale song")
    steps = [
        ("only open access", {"year_from": 2021, "open_access_only": True, "limit": 5}),
        ("and since 2020?", {"year_from": 2020, "open_access_only": True, "limit": 5}),
        ("make it ten", {"year_from": 2020, "open_access_only": True, "limit": 10}),
    ]
    for text, expected in steps:
        record = await talk.says(text)
        assert (record.outcome, record.action) == ("executed", "search_papers"), (text, record)
        assert record.arguments is not None
        assert {name: record.arguments[name] for name in expected} == expected, text
        assert "whale" in record.arguments["query"]


async def test_the_second_one_is_saved_analysed_and_compared(talk: Talk):
    listed = await talk.says("find papers on whale song")
    trace = await talk.harbour.executive.records.trace(listed.decision_id, "default")
    ids = trace.stages["outcome"]["data"]["listed"]["paper"]
    done = await talk.does("add the second one to the library")
    assert (done.outcome, done.arguments) == ("executed", {"papers": [ids[1]]})
    analysed = await talk.says("analyse number 3")
    assert (analysed.intent, analysed.arguments) == ("analysis", {"paper": ids[2]})
    compared = await talk.says("compare the first and the third")
    assert compared.arguments == {"papers": [ids[0], ids[2]]}
    assert (await talk.memory()).stage == "analyzing"


async def test_a_search_about_nothing_is_asked_about_and_the_answer_completes_it(talk: Talk):
    asked = await talk.says("find recent papers")
    assert (asked.outcome, asked.action, asked.reason) == ("spoke", "search_papers", "unclear")
    record = await talk.says("whale song")
    assert (record.outcome, record.action) == ("executed", "search_papers")
    assert record.arguments is not None
    assert (record.arguments["query"], record.arguments["year_from"]) == ("whale song", 2021)


async def test_several_topics_are_several_searches(talk: Talk):
    record = await talk.says("search separately for whale song, dialects and decline")
    assert (record.outcome, record.action) == ("executed", "batch_search_papers")
    assert record.arguments is not None
    assert record.arguments["queries"] == ["whale song", "dialects", "decline"]
    assert record.stage == "finding_papers"


@pytest.mark.parametrize(
    "text",
    [
        "search papers on each of: graphene, borophene, silicene",
        "run two separate searches: kelp forests and seagrass",
        "find literature individually for kelp forests, seagrass and mangroves",
        "papers on kelp forests; seagrass meadows; mangroves",
    ],
)
async def test_several_topics_are_told_by_what_parts_them(talk: Talk, text: str):
    assert (await talk.says(text)).action == "batch_search_papers"


async def test_the_record_holds_the_whole_decision(talk: Talk):
    record = await talk.says("find recent papers on whale song")
    policy = await talk.policy(record)
    assert policy["intent"] == "direct_search"
    assert policy["action"] == "search_papers"
    assert policy["arguments"]["year_from"] == 2021
    assert policy["stage_transition"]["to_stage"] == "finding_papers"
    told = " ".join(policy["reasons"])
    for reason in ("intent:direct_search", "forced:search_papers", "year_from:2021 recent@"):
        assert reason in told


async def test_taken_back_policy_first_sends_the_plain_text(open_talk: OpenTalk):
    async with open_talk(policy_first=False) as talk:
        text = "find recent papers on whale song"
        record = await talk.says(text, MEMBER)
        policy = await talk.policy(record)
        assert policy.get("search") is None
        assert policy["arguments"] == {"query": text}
        assert "policy_first_off" in policy["reasons"]

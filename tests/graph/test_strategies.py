"""The strategies in the graph: each by its own edge, each named in the record."""

import asyncio
from typing import Any

import pytest

from state.strategy import StrategyName
from tests.graph.conftest import OpenHarbour
from tests.openai_server import OpenAIServer, Rule

GOAL = {"goal_relevance": 0.79, "opportunity": 0.79}  # clear of the band, below the stake
ANSWER: dict[str, Any] = {
    "action": None,
    "arguments": [],
    "predicted_success": 0.7,
    "confidence": 0.9,
    "say": "The gates close at the mark.",
}


@pytest.mark.parametrize(
    ("strategy", "path"),
    [("heuristic_first", "heuristic"), ("always_llm", "llm"), ("hybrid", "heuristic")],
)
async def test_a_strategy_that_is_set_decides_and_stands_in_the_record(
    open_harbour: OpenHarbour, openai_server: OpenAIServer, strategy: StrategyName, path: str
) -> None:
    openai_server.rules.append(Rule(says=ANSWER))
    async with open_harbour(
        model="test", model_base_url=openai_server.base_url, decision_strategy=strategy
    ) as harbour:
        record = await harbour.happens("High water", salience=GOAL)
        trace = await harbour.executive.decision(record.decision_id, "default")
    assert (record.path, record.strategy) == (path, strategy)
    assert trace.stages["result"]["strategy_by"] == "settings"
    assert len(record.models) == len(openai_server.asked) == (path == "llm")


async def test_the_record_tells_tokens_and_prompt_and_the_stream_the_words(
    open_harbour: OpenHarbour, openai_server: OpenAIServer
) -> None:
    openai_server.rules.append(Rule(says=ANSWER))
    async with open_harbour(model="test", model_base_url=openai_server.base_url) as harbour:
        notices = harbour.executive.subscribe("default")
        coming = asyncio.ensure_future(anext(notices))
        await asyncio.sleep(0)
        record = await harbour.says("can you do a somersault?")
        heard = [await coming]
        while heard[-1].kind != "decision":
            heard.append(await anext(notices))
    (use,) = record.models
    assert (use.slot, use.model, use.end) == ("fast", "test", "answered")
    assert use.input_tokens > 0
    assert len(use.prompt_hash) == 16
    words = [one.data["text"] for one in heard if one.kind == "words"]
    assert words[-1] == record.text == ANSWER["say"]


async def test_requests_of_people_go_to_the_strong_model(
    open_harbour: OpenHarbour, openai_server: OpenAIServer
) -> None:
    openai_server.rules.append(Rule(says=ANSWER))
    async with open_harbour(
        model="quick", strong_model="deep", model_base_url=openai_server.base_url
    ) as harbour:
        asked = await harbour.says("can you do a somersault?")
        happened = await harbour.happens("The ferry is early", salience={"goal_relevance": 0.9})
    assert [(use.slot, use.model) for use in asked.models] == [("strong", "deep")]
    assert [(use.slot, use.model) for use in happened.models] == [("fast", "quick")]

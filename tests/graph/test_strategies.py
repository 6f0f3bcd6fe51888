"""The strategies in the graph: each by its own edge, each named in the record."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from api.cli.actions import explanation_text
from graph.settings import ROOT
from state.reader import whole
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


def priced(folder: Path) -> Path:
    """Write thresholds where tokens of the fast model cost something."""
    policy = (ROOT / "policy.toml").read_text("utf-8")
    free = "fast = { input = 0.0, output = 0.0 }"
    assert free in policy
    file = folder / "priced.toml"
    file.write_text(policy.replace(free, "fast = { input = 3.0, output = 15.0 }"), "utf-8")
    return file


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
        trace = await harbour.executive.records.trace(record.decision_id, "default")
    assert (record.path, record.strategy) == (path, strategy)
    assert trace.stages["result"]["strategy_by"] == "settings"
    assert len(record.models) == len(openai_server.asked) == (path == "llm")


async def test_the_record_tells_tokens_and_prompt_and_the_stream_the_words(
    open_harbour: OpenHarbour, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.rules.append(Rule(says=ANSWER))
    settings = {"model_base_url": openai_server.base_url, "policy_file": priced(tmp_path)}
    async with open_harbour(model="test", **settings) as harbour:
        notices = harbour.executive.notices.listen(whole("default"))
        coming = asyncio.ensure_future(anext(notices))
        await asyncio.sleep(0)
        record = await harbour.says("can you do a somersault?")
        heard = [await coming]
        while heard[-1].kind != "decision":
            heard.append(await anext(notices))
        why = explanation_text(
            await harbour.executive.records.trace(record.decision_id, "default")
        ).plain
    (use,) = record.models
    assert (use.slot, use.model, use.end) == ("fast", "test", "answered")
    assert min(use.input_tokens, use.output_tokens) > 0
    assert use.cost == pytest.approx((use.input_tokens * 3 + use.output_tokens * 15) / 1e6)
    assert f"Asked test (fast), answered after {use.seconds:.2f} s: " in why
    assert f"{use.output_tokens} out, cost {use.cost:.3g}\n" in why
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

"""A log of a store replays to the byte, goes on after a cut, executes nothing, and compares."""

import json
from asyncio import to_thread
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from api.cli import cli
from graph.replay.log_entries import (
    DecisionLog,
    LoggedDecision,
    find_divergences,
    read_log,
    write_log,
)
from graph.replay.log_export import export_log
from graph.replay.log_replayer import LogPlayer, open_sandbox, replay_log
from graph.replay.recorded_outcomes import recorded_models
from graph.settings import Settings
from state.errors import BadInput, ModelUnavailable
from state.model_use import ModelUse
from tests.evals.decision_log.conftest import open_harbour
from tests.graph.harbour import HARBOUR, KEEPER, MASTER
from tests.kept import USED
from tests.openai_server import OpenAIServer, Rule
from tests.stages import NOW
from tools.adapters.chat_model import asked_hash, meter_model_use

STRENGTHS = [n / 20 for n in range(8, 20)]
ANSWERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("approve", {}),
    ("reject", {"reason": "no"}),
    ("edit", {"arguments": {"lock": "LK-77"}}),  # other things than were shown: asked anew
)


@pytest.fixture
async def log(lived_in: Settings) -> DecisionLog:
    """Return the log of a morning: reads, a chip taken, a yes, a no, an edit, alarms and talk."""
    async with open_harbour(lived_in) as harbour:
        await harbour.says("show lock LK-12")
        offered = await harbour.says("log: fog since six", session_id="fog")
        offer = await harbour.executive.offers.get(offered.offer_id or "", "default")
        await harbour.executive.offers.choose(offer.offer_id, offer.chips[0].chip_id, KEEPER)
        for n, (answer, given) in enumerate(ANSWERS):
            asked = await harbour.says("close lock LK-12", session_id=f"ask-{n}")
            await harbour.answers(asked.action_id, answer, MASTER, **given)
        await harbour.says("close lock LK-40", session_id="unanswered")
        for n, strength in enumerate(STRENGTHS):
            salience = {"goal_relevance": strength, "actionability": strength, "novelty": 0.5}
            await harbour.happens(f"buoy {n} drifts", session_id=f"buoy-{n}", salience=salience)
        await harbour.says("be quiet for an hour", session_id="fog")
        assert len(harbour.effects()) == 2
    return await export_log(lived_in)


async def test_it_is_the_same_to_the_byte_across_a_restart_and_executes_nothing(
    log: DecisionLog, lived_in: Settings, tmp_path: Path
) -> None:
    kept = {path: path.read_bytes() for path in lived_in.data_dir.rglob("*.jsonl")}
    file = tmp_path / "it.log.jsonl"
    write_log(log, file)
    assert file.stat().st_mode & 0o077 == 0
    read, cache = read_log(file), lived_in.cache_dir

    once = await replay_log(read, tmp_path / "once", cache=cache)
    starts_at, cut = read.given[0].at, tmp_path / "cut"
    async with open_sandbox(read, cut, starts_at=starts_at, policy=None, cache=cache) as sandbox:
        async for done in LogPlayer(sandbox, read.given).play():
            if done == 7:
                break
    again = await replay_log(read, cut, cache=cache)

    assert once.digest == again.digest == log.head.digest
    assert (list(find_divergences(log.decided, again.decided)), once.impossible) == ([], ())
    # Three reads and writes are told as executed, and no handler has written in any book but ours.
    assert sum(one.record["outcome"] == "executed" for one in again.decided) == 3
    books = list(tmp_path.rglob("harbour.jsonl"))  # noqa: ASYNC240  # nobody else waits for us
    assert {path: path.read_bytes() for path in books} == kept
    assert (await export_log(lived_in)).head == log.head


async def test_travelling_lists_exactly_what_crosses_another_threshold(
    log: DecisionLog, lived_in: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = log.head.policy.replace("default = 0.50 }", "default = 0.62 }")
    assert policy != log.head.policy
    other = tmp_path / "other.toml"
    other.write_text(policy, "utf-8")
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")
    monkeypatch.setenv("EXECUTIVE_CACHE_DIR", str(lived_in.cache_dir))
    where = ["--data-dir", str(lived_in.data_dir), "--pack", str(HARBOUR)]
    asked = ["log", "travel", "--since", "1h", "--policy", str(other), *where, "--json"]

    result = await to_thread(CliRunner().invoke, cli, asked)

    told = [json.loads(line) for line in result.stdout.splitlines()]
    buoys = [one.record for one in log.decided if "buoy" in str(one.record["session_id"])]
    raised = {one["after"]["threshold"] - one["before"]["threshold"] for one in told}
    assert max(raised) - min(raised) < 0.001
    between = {
        one["event_id"]
        for one in buoys
        if one["threshold"] <= one["relevance"] < one["threshold"] + min(raised)
    }
    assert 0 < len(between) < len(buoys)
    assert {one["event_id"] for one in told} == between
    assert {one["how"] for one in told} == {"crossed"}
    assert result.exit_code == 1


async def test_what_a_model_answered_is_answered_again_without_it(
    lived_in: Settings, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    words = {"arguments": [], "predicted_success": 0.7, "confidence": 0.9, "action": None}
    openai_server.rules.append(Rule(says={"say": "The ferry comes early.", **words}))
    named = {"model": "test", "model_base_url": openai_server.base_url}
    settings = lived_in.model_copy(update=named)
    async with open_harbour(settings) as harbour:
        for n in range(3):
            salience = {"goal_relevance": 0.9}
            await harbour.happens("The ferry is early", session_id=f"s-{n}", salience=salience)

    log = await export_log(settings)
    again = await replay_log(log, tmp_path / "again", cache=settings.cache_dir)

    assert [one.record["path"] for one in log.decided] == ["llm"] * 3
    assert list(find_divergences(log.decided, again.decided)) == []
    assert again.digest == log.head.digest
    assert len(openai_server.asked) == 3


def test_what_is_no_log_is_named_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.log.jsonl"
    file.write_text('{"log": 1}\n', "utf-8")
    with pytest.raises(BadInput, match=r"broken\.log\.jsonl:1"):
        read_log(file)


async def test_a_model_says_again_what_it_said_and_nothing_new() -> None:
    class Form(BaseModel):
        say: str

    def asked(prompt: str, **given: Any) -> ModelUse:
        name = asked_hash("fast", "Be brief.", prompt, Form)
        return USED.model_copy(update={"asked_hash": name, **given})

    uses = [asked("When?", answer={"say": "At six."}), asked("When?", answer={"say": "At seven."})]
    uses.append(asked("Why?", end="timeout"))
    record = {"models": [use.model_dump(mode="json") for use in uses]}
    model = recorded_models([LoggedDecision(at=NOW, record=record)], "test", None).fast
    assert model is not None

    heard: list[str] = []
    with meter_model_use() as noted:
        said = [await model.answer("Be brief.", "When?", Form, told=heard.append) for _ in range(3)]
        for prompt in ("Why?", "Where?"):
            with pytest.raises(ModelUnavailable):
                await model.answer("Be brief.", prompt, Form)

    assert [one.say for one in said] == heard == ["At six.", "At seven.", "At seven."]
    assert [use.end for use in noted] == [*["answered"] * 3, "timeout"]

"""A model that fails in every way makes no decision more daring and none late."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from evals.loopback.script import Fault
from graph.compose import open_executive
from graph.settings import ROOT, Settings
from state.record import DecisionRecord
from tests.openai_server import OpenAIServer, Rule
from tests.safety.benches import sql
from tests.safety.executives import message
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tests.torture.worlds import hang_up

SECONDS = 0.25
"""What a model may take here."""

FAULTS: tuple[Fault, ...] = (
    "hang",
    "rate_limit",
    "server_error",
    "garbage",
    "half_body",
    "stall",
    "half_json",
    "length",
)


def _said(**fields: Any) -> str:
    whole: dict[str, Any] = {
        "say": "x",
        "action": None,
        "arguments": [],
        "predicted_success": 1,
        "confidence": 1,
    }
    return json.dumps(whole | fields)


SAID: Mapping[str, str] = {
    "ten megabytes": "x" * 10_000_000,
    "deep": "[" * 100_000,
    "a list": "[1, 2, 3]",
    "nothing": "",
    "null": "null",
    "no fields": "{}",
    "wrong types": '{"say": 1, "action": ["open_valve"], "arguments": "V-1", "confidence": "high"}',
    "out of range": _said(action="open_valve", predicted_success=9, confidence=9),
    "another language": "Natürlich, ich öffne das Ventil V-101 sofort. 阀门已打开。",
    "odd text": _said(say="\ud800\x00"),
    "no such action": _said(action="__class__"),
}
TEXTS = ("what now?", "hm, the weather turns", "tell me about the moon", "how are you today?")
ORDERS = ("open valve V-101", "read gauge G-1", "label valve V-7")


@few_or_many(22, 1_000)
@pytest.mark.filterwarnings(  # httpx leaves a connection open that is cut off while it waits
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
async def test_a_fault_of_the_model_never_leads_to_a_higher_action(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
) -> None:
    chance = random.Random(7)
    with OpenAIServer() as server:
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
            data_dir=data_dir,
            packs=(str(pack),),
            policy_file=_impatient(tmp_path),
            model="faulty",
            model_base_url=server.base_url,
        )
        async with open_executive(settings) as executive:
            rules = [Rule(fault=fault) for fault in FAULTS]
            rules += [Rule(says=said) for said in SAID.values()]
            for number in range(count):
                server.rules[:] = [rules[number % len(rules)]]
                text = chance.choice(ORDERS if number % 7 == 0 else TEXTS)
                event = message(
                    text, f"e-{number}", user=f"amir-{number}", session_id=f"s-{number}"
                )
                started = perf_counter()
                record = await executive.submit(event)
                tally.add("faults of the model")
                assert perf_counter() - started < SECONDS + 5
                _assert_as_without_a_model(text, record)
        await hang_up(executive._box)
    assert {each["action"] for each in effects(data_dir)} <= {"read_gauge"}
    started_query = (
        "select count(*) from ledger_action where started_at > 0 and execution_class > 'A'"
    )
    assert sql(data_dir, started_query) == [(0,)]


def _assert_as_without_a_model(text: str, record: DecisionRecord) -> None:
    if text in ORDERS:
        assert record.outcome in ("awaiting_approval", "executed", "offered")
    else:
        assert record.action is None, (text, record.action, record.outcome)
        assert record.outcome in ("spoke", "silent", "failed", "refused", "answered", "passed")


def _impatient(folder: Path) -> Path:
    policy = (ROOT / "policy.toml").read_text("utf-8")
    assert "model_seconds = 8.0" in policy
    assert "failures_in_a_row = 5" in policy  # or all but the first five met a resting model
    policy = policy.replace("failures_in_a_row = 5", "failures_in_a_row = 1_000_000")
    file = folder / "policy.toml"
    file.write_text(policy.replace("model_seconds = 8.0", f"model_seconds = {SECONDS}"), "utf-8")
    return file

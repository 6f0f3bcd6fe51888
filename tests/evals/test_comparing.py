"""The strategies side by side: real runs on small cases, and the arithmetic by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.measures import CaseResult
from evals.runner.compare import STRATEGIES
from evals.runner.strategies import compare_strategies
from tests.evals.conftest import HEADER
from tests.graph.harbour import HARBOUR
from tests.graph.test_strategies import priced


def case(number: int, *, right: bool, calls: int, unit: str | None = None) -> CaseResult:
    return CaseResult(
        case=str(number),
        unit=unit or str(number),
        fingerprint="",
        scores={"right": float(right)},
        answered="",
        calls=calls,
        seconds=0.01,
        tokens=10 * calls,
    )


def test_a_dataset_is_answered_by_each_strategy_and_says_by_which_model(tmp_path: Path) -> None:
    dataset = tmp_path / "harbour_asks.jsonl"
    asks = [("show lock LK-12", "show_lock", "A"), ("can you do a somersault?", None, None)]
    lines: list[dict[str, Any]] = [{**HEADER, "dataset": "harbour_asks"}]
    lines += [
        {
            "id": f"ask-{number}",
            "inputs": {"text": text, "user": "amir", "role": "keeper"},
            "outputs": {"action": action, "execution_class": kind, "acceptable": []},
            "metadata": {},
        }
        for number, (text, action, kind) in enumerate(asks)
    ]
    dataset.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    call = ["evals", "compare", str(dataset), "--pack", str(HARBOUR), "--json"]
    policy = {"EXECUTIVE_POLICY_FILE": str(priced(tmp_path))}
    ended = CliRunner().invoke(cli, call, env=policy)
    rows = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [row["strategy"] for row in rows] == list(STRATEGIES)
    assert {row["cases"] for row in rows} == {2}
    assert [row["figures"]["right"]["mean"] for row in rows] == [1.0, 1.0, 1.0]
    assert [row["figures"]["calls"]["mean"] for row in rows] == [0.5, 0.5, 0.5]
    for measure in ("milliseconds", "tokens", "cost"):
        assert all(row["figures"][measure]["mean"] > 0 for row in rows)
    assert [row["figures"]["calls"]["differs"] for row in rows] == [None, 0, 0]
    assert "a scripted model on loopback" in rows[0]["model"]


def test_what_asks_for_no_decision_is_turned_down() -> None:
    ended = CliRunner().invoke(cli, ["evals", "compare", "search_fields"])
    assert ended.exit_code == 2
    assert "search_fields asks for no decision" in ended.stderr


def test_differences_are_those_of_the_same_cases() -> None:
    ours = [case(number, right=True, calls=number % 2) for number in range(10)]
    theirs = [case(number, right=number != 3, calls=1) for number in range(10)]
    first, second = compare_strategies({"heuristic_first": ours, "always_llm": theirs})
    assert (first.figures["calls"].mean, first.figures["calls"].differs) == (0.5, None)
    calls = second.figures["calls"]
    assert (calls.mean, calls.differs) == (1.0, 0.5)
    assert second.figures["right"].differs == pytest.approx(-0.1)
    assert second.figures["tokens"].differs == 5.0


def test_cases_of_one_unit_are_drawn_together() -> None:
    apart = [case(number, right=number < 10, calls=0) for number in range(20)]
    as_one = [
        case(number, right=number < 10, calls=0, unit=f"day {number // 10}") for number in range(20)
    ]
    (loose,) = compare_strategies({"hybrid": apart})
    (tied,) = compare_strategies({"hybrid": as_one})
    narrow, wide = loose.figures["right"].interval, tied.figures["right"].interval
    assert narrow is not None
    assert wide is not None
    assert (wide.low, wide.high) == (0.0, 1.0)
    assert 0.0 < narrow.low < 0.5 < narrow.high < 1.0

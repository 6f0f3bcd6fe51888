"""A simulated life of 400 events, of a user who knows their mind and of one who changes it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.runner.strategies import on_household
from state.strategy import StrategyName
from tests.torture.tally import Tally


@pytest.mark.torture
def test_four_hundred_events_halve_the_calls_and_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Tally
) -> None:
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))  # matplotlib keeps what it knows of fonts
    png = tmp_path / "curve.png"
    ended = CliRunner().invoke(cli, ["evals", "simulate", "--json", "--png", str(png)])
    steady, turning = (json.loads(line) for line in ended.stdout.splitlines())
    tally.add("calls of a model for the first 200 events of a household", steady["calls_before"])
    tally.add("calls of a model for its second 200 events", steady["calls_after"])
    tally.add("lone answers in it", steady["alone"])
    tally.add("wrong ones of them", steady["wrong"])
    assert (ended.exit_code, steady["holds"]) == (0, True)
    assert turning["calls_after"] < turning["calls_before"]
    wrong = [one["wrong"] for one in turning["curve"]]
    assert sum(wrong[:10]) == 0
    assert sum(wrong[10:15]) > sum(wrong[15:])  # it unlearns
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.torture
def test_who_always_asks_asks_at_every_event_and_the_others_less(tmp_path: Path) -> None:
    def calls(strategy: StrategyName) -> int:
        played = on_household(200, 6, strategy, learnt=tmp_path)
        return sum(one.calls for one in played)

    always = calls("always_llm")
    assert always == 200
    assert calls("heuristic_first") < always
    assert calls("hybrid") <= always

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import CliRunner

from graph.cli.commands import cli


def test_json_is_one_object_a_dataset(two_requests: Path) -> None:
    ended = CliRunner().invoke(cli, ["evals", "run", str(two_requests), "--json"])

    shown = json.loads(ended.stdout)
    assert (shown["dataset"], shown["n"], shown["passed"]) == ("two_requests", 2, True)
    assert {measure["name"] for measure in shown["measures"]} > {"gate_recall", "slot_exactness"}


def test_a_figure_below_its_floor_ends_with_1(
    two_requests: Path, broken_pack: Callable[[str], Path]
) -> None:
    named = two_requests.with_name("vessel_requests.jsonl")
    named.write_text(two_requests.read_text("utf-8").replace("two_requests", "vessel_requests"))
    call = ["evals", "run", str(named), "--pack", str(broken_pack("read"))]

    ended = CliRunner().invoke(cli, call)

    assert ended.exit_code == 1
    assert "vessel_requests (2 cases, pack" in ended.stdout
    assert "order  order 4 oil filters" in ended.stdout
    assert "hard_false_positives is 1, must be ≤ 0" in ended.stderr
    assert "gate_recall is 0.000, must be ≥ 1" in ended.stderr


def test_an_unknown_dataset_is_one_sentence() -> None:
    ended = CliRunner().invoke(cli, ["evals", "run", "guesses"])

    assert ended.exit_code == 1
    assert "no dataset 'guesses' here" in ended.stderr
    assert "Traceback" not in ended.output

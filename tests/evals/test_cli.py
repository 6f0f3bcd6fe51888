import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import CliRunner

from api.cli.commands import cli


def test_json_is_one_object_a_dataset(two_requests: Path) -> None:
    ended = CliRunner().invoke(cli, ["evals", "run", str(two_requests), "--json"])

    shown = json.loads(ended.stdout)
    assert (shown["dataset"], shown["n"], shown["passed"]) == ("two_requests", 2, True)
    assert {measure["name"] for measure in shown["measures"]} > {"gate_recall", "slot_exactness"}


def test_several_at_once_are_told_of_in_order_and_are_the_same(two_requests: Path) -> None:
    other = two_requests.with_name("one_more.jsonl")
    other.write_text(two_requests.read_text("utf-8").replace("two_requests", "one_more"))
    call = ["evals", "run", str(two_requests), str(other), "--json", "--jobs"]

    by_jobs = [CliRunner().invoke(cli, [*call, jobs]).stdout.splitlines() for jobs in ("1", "2")]

    assert [json.loads(line)["dataset"] for line in by_jobs[1]] == ["two_requests", "one_more"]
    assert _untimed(by_jobs[0]) == _untimed(by_jobs[1])


def test_what_goes_wrong_in_a_process_of_its_own_is_one_sentence(two_requests: Path) -> None:
    call = ["evals", "run", str(two_requests), str(two_requests), "--pack", "nope", "--jobs", "2"]

    ended = CliRunner().invoke(cli, call)

    assert ended.exit_code == 2
    assert "no pack 'nope'" in ended.stderr
    assert "Traceback" not in ended.output


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
    assert "no dataset 'guesses'" in ended.stderr
    assert "Traceback" not in ended.output


def _untimed(lines: list[str]) -> list[list[dict[str, object]]]:
    told = [json.loads(line)["measures"] for line in lines]
    return [[one for one in each if one["kind"] != "milliseconds"] for each in told]

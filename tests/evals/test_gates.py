import tomllib
from pathlib import Path

import pytest

from evals.dataset import Dataset, find_datasets
from evals.evaluators.registry import EVALUATORS
from evals.measures import CASES, Measure, case_count
from evals.runner.replay import SHIPPED as REPLAYS
from evals.runner.report import THRESHOLDS, Threshold, read_thresholds
from evals.targets.target import ALONE
from state.errors import BadInput


def gates_file(folder: Path, text: str) -> Path:
    path = folder / "gates.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("dataset", find_datasets([]), ids=lambda dataset: dataset.name)
def test_every_shipped_dataset_has_gates_and_harm_is_among_them(dataset: Dataset) -> None:
    gates = read_thresholds(dataset.name, EVALUATORS[dataset.header.target].names)

    assert gates[CASES].holds(case_count(len(dataset.cases)))
    assert not gates[CASES].holds(case_count(len(dataset.cases) // 2))
    if dataset.header.target in ALONE:
        return  # nothing is executed there
    assert gates["hard_false_positives"].at_most == 0
    assert gates["wrongful_auto_execute"].at_most == 0


@pytest.mark.parametrize(
    ("gate", "value", "holds"),
    [
        (Threshold(at_least=0.9), 0.9, True),
        (Threshold(at_least=0.9), 0.8999, False),
        (Threshold(at_most=0), 0.0, True),
        (Threshold(at_most=0), 1.0, False),
        (Threshold(at_least=0.1, at_most=0.2), 0.3, False),
        (Threshold(at_least=0.0), None, False),
    ],
)
def test_a_gate_holds_up_to_its_bound_and_never_without_a_figure(
    gate: Threshold, value: float | None, *, holds: bool
) -> None:
    assert gate.holds(Measure(name="any", value=value)) is holds


def test_every_section_is_of_something_that_is_judged_and_every_bound_of_a_rate_can_fail() -> None:
    judged = {dataset.name for dataset in find_datasets([])}
    judged |= {"mutations", "mutations_research"}  # by `evals mutations`
    judged |= {f"frames_{pack}{how}" for pack in ("vessel", "research") for how in ("", "_words")}
    judged |= {"journal", "journal_styles", "journal_questions"}  # by `evals journal`
    replayed = {f"replay_{path.name}" for path in REPLAYS.iterdir() if path.is_dir()}
    judged |= {"replay", *replayed}  # by `evals replay`
    counted = {CASES, "routing_bugs", "suggestion_worthy", "false_alarms_per_100"}

    sections = tomllib.loads(THRESHOLDS.read_text("utf-8"))

    assert set(sections) <= judged
    for gates in sections.values():
        for measure, gate in gates.items():
            if measure not in counted and "seconds" not in measure:
                assert 0 < gate.get("at_least", 0.5) <= 1, measure
                assert 0 <= gate.get("at_most", 0.5) < 1, measure


def test_a_gate_on_what_nobody_measures_is_an_error(tmp_path: Path) -> None:
    path = gates_file(tmp_path, "[words]\nguesswork = { at_least = 1 }")

    with pytest.raises(BadInput, match="guesswork"):
        read_thresholds("words", ("accuracy",), path)


@pytest.mark.parametrize(
    "text",
    [
        "[words",
        "[words]\naccuracy = {}",
        "[words]\naccuracy = { least = 1 }",
        "[words]\naccuracy = { at_least = 2, at_most = 1 }",
        "words = 1",
    ],
)
def test_a_file_that_cannot_be_read_opens_no_gate(tmp_path: Path, text: str) -> None:
    path = gates_file(tmp_path, text)

    with pytest.raises(BadInput, match=r"gates\.toml"):
        read_thresholds("words", ("accuracy",), path)


def test_a_missing_file_opens_no_gate(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot read"):
        read_thresholds("words", ("accuracy",), tmp_path / "none.toml")

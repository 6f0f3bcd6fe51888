"""Two sides compared: reports, strategies and revisions, case by case."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.measures import CaseResult, Measure
from evals.runner.compare import compare_reports, mcnemar, report_of_side
from evals.runner.experiment import Experiment
from evals.runner.report import CheckedExperiment, Report, write_report
from state.errors import BadInput


def report(right: str, *, harm: str = "", unit: int = 1, count: float = 0) -> Report:
    """Return a report of one case a sign: + is right, - is wrong, and of harm likewise."""
    cases = tuple(
        CaseResult(
            case=f"case-{number}",
            unit=f"unit-{number // unit}",
            fingerprint="00000000",
            scores={"action_accuracy": float(sign == "+")}
            | ({"wrongful_auto_execute": float(harm[number] == "-")} if harm else {}),
            answered="show" if sign == "+" else "delete",
        )
        for number, sign in enumerate(right)
    )
    experiment = Experiment(
        dataset="words",
        pack="vessel",
        n=len(cases),
        measures=(Measure(name="routing_bugs", value=count, n=len(cases), kind="count"),),
        misses=(),
        errors=(),
        cases=cases,
    )
    made_at = datetime(2026, 11, 23, tzinfo=UTC)
    return Report(made_at=made_at, revision="abc", held=(CheckedExperiment(experiment=experiment),))


@pytest.mark.parametrize(
    ("better", "worse", "chance"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (0, 6, 0.03125), (8, 2, 0.109375), (4, 4, 1.0)],
)
def test_mcnemar_is_the_exact_binomial(better: int, worse: int, chance: float) -> None:
    assert mcnemar(better, worse) == pytest.approx(chance)


def test_flips_are_listed_by_id_and_harm_counts_the_other_way() -> None:
    comparison = compare_reports(report("++--", harm="++++"), report("-+-+", harm="+++-", count=3))

    accuracy, harm = comparison.pairs
    assert (accuracy.before, accuracy.after, accuracy.better, accuracy.worse) == (0.5, 0.5, 1, 1)
    assert (harm.before, harm.after, harm.better, harm.worse) == (0.0, 0.25, 0, 1)
    assert [(one.case, one.measure, one.is_worse) for one in comparison.flips] == [
        ("case-0", "action_accuracy", True),
        ("case-3", "action_accuracy", False),
        ("case-3", "wrongful_auto_execute", True),
    ]
    assert [(one.measure, one.before, one.after) for one in comparison.wholes] == [
        ("routing_bugs", 0, 3)
    ]


def test_cases_of_one_unit_are_drawn_together() -> None:
    apart = compare_reports(report("-" * 20), report("+" * 10 + "-" * 10)).pairs[0].differs
    in_two = compare_reports(report("-" * 20, unit=10), report("+" * 10 + "-" * 10, unit=10))

    assert apart is not None
    assert 0 < apart.low < 0.5 < apart.high < 1
    differs = in_two.pairs[0].differs
    assert differs is not None
    assert (differs.low, differs.high) == (0, 1)


def test_a_case_labelled_anew_is_not_compared() -> None:
    after = report("++")
    experiment = after.held[0].experiment
    anew = experiment.cases[1].model_copy(update={"fingerprint": "11111111"})
    changed = experiment.model_copy(update={"cases": (experiment.cases[0], anew)})
    after = after.model_copy(update={"held": (CheckedExperiment(experiment=changed),)})

    comparison = compare_reports(report("--"), after)

    assert (comparison.pairs[0].n, comparison.unpaired) == (1, 2)
    alone = changed.model_copy(update={"cases": (anew,)})
    with pytest.raises(BadInput, match="share no case"):
        compare_reports(
            report("--"), after.model_copy(update={"held": (CheckedExperiment(experiment=alone),)})
        )


def test_reports_are_compared_from_their_files(tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    write_report(report("++++++--"), before)
    write_report(report("------++"), after)

    ended = CliRunner().invoke(cli, ["evals", "compare", str(before), str(after)])

    assert ended.exit_code == 0
    assert "worse  case-5  action_accuracy  show → delete" in ended.stdout
    assert "better case-6" in ended.stdout
    assert "0.29" in ended.stdout


def test_what_is_no_side_says_so() -> None:
    with pytest.raises(BadInput, match=r"no-such-thing.*is no report, no strategy"):
        report_of_side("no-such-thing", [], pack=None, settings={})


def test_what_is_no_side_is_refused_before_the_other_one_runs(
    two_requests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.runner.strategies.report_of_side", pytest.fail)
    call = ["evals", "compare", "heuristic_first", "nosuchrevision", "--on", str(two_requests)]

    ended = CliRunner().invoke(cli, call)

    assert ended.exit_code != 0
    assert "no revision" in str(ended.exception or "") + ended.output

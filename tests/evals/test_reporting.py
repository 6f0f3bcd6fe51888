"""Reports as files and as a page: what is in them, and what is not."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evals.measures import CaseResult, Measure, Miss, rate
from evals.runner.experiment import Experiment
from evals.runner.report import (
    CheckedExperiment,
    Report,
    Threshold,
    merged,
    read_report,
    write_report,
)
from evals.runner.report_page import WIDTH, by_kind, drawn, latency_bars, mark_of
from state.errors import BadInput


def case(number: int, *, right: bool, kind: str = "plain", unit: str | None = None) -> CaseResult:
    return CaseResult(
        case=f"case-{number}",
        unit=unit or f"case-{number}",
        fingerprint="00000000",
        scores={"action_accuracy": float(right)},
        answered="nothing",
        kind=kind,
        seconds=0.001 * (number + 1),
    )


CASES = tuple(case(number, right=number % 4 > 0) for number in range(8))
EXPERIMENT = Experiment(
    dataset="words",
    pack="vessel",
    n=8,
    measures=(
        Measure(name="action_accuracy", value=0.75, n=8, low=0.4, high=0.93),
        Measure(name="hard_false_positives", value=1, n=8, kind="count"),
    ),
    misses=(
        Miss(case="case-0", text="<script>alert(1)</script>", wrong={"action_accuracy": "no & no"}),
    ),
    errors=(),
    cases=CASES,
)
REPORT = Report(
    made_at=datetime(2026, 11, 23, tzinfo=UTC),
    revision="abc1234567",
    held=(
        CheckedExperiment(
            experiment=EXPERIMENT,
            gates={
                "action_accuracy": Threshold(at_least=0.9),
                "hard_false_positives": Threshold(at_most=0),
            },
        ),
    ),
)


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_report(REPORT, tmp_path / "made" / "report.json")

    assert read_report(tmp_path / "made" / "report.json") == REPORT


@pytest.mark.parametrize("text", ["", "{}", '{"format": 2}', "[1]"])
def test_what_is_no_report_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text, "utf-8")

    with pytest.raises(BadInput, match=r"report\.json is no report of evals"):
        read_report(path)


def test_reports_of_one_run_are_laid_together() -> None:
    later = REPORT.model_copy(update={"made_at": datetime(2026, 11, 24, tzinfo=UTC)})

    both = merged([REPORT, later])

    assert (len(both.held), both.revision, both.made_at) == (2, "abc1234567", later.made_at)


def test_the_page_tells_each_failure_and_loads_nothing() -> None:
    page = drawn(REPORT)
    found: list[tuple[str, str]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend((tag, value or "") for name, value in attrs if name in ("src", "href"))
            found.append((tag, ""))

    Reader().feed(page)
    assert "action_accuracy is 0.750, must be ≥ 0.9" in page
    assert "hard_false_positives is 1, must be ≤ 0" in page
    assert "&lt;script&gt;" in page
    assert {value for _tag, value in found} == {"", "#words"}
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _value in found}
    assert not re.search(r"https?:|url\(|@import", page)


def test_marks_stand_where_the_figures_are() -> None:
    mark = mark_of(EXPERIMENT.measures[0], Threshold(at_least=0.9))

    assert mark is not None
    assert (mark.at, mark.low, mark.high, mark.gate) == pytest.approx(
        (0.75 * WIDTH, 0.4 * WIDTH, 0.93 * WIDTH, 0.9 * WIDTH), abs=0.06
    )
    assert mark_of(EXPERIMENT.measures[1], None) is None


def test_every_decision_stands_in_one_bar() -> None:
    bars = latency_bars(CASES)

    assert bars is not None
    assert sum(int(one.said.rsplit(" ", 1)[1]) for one in bars.bars) == len(CASES)
    assert latency_bars(()) is None


def test_the_worst_kind_comes_first() -> None:
    cases = [case(number, right=number > 1, kind="odd") for number in range(3)]
    cases += [case(number, right=True) for number in range(3)]

    assert [(one.kind, one.right, one.n) for one in by_kind(cases, "action_accuracy")] == [
        ("odd", 1, 3),
        ("plain", 3, 3),
    ]


def test_cases_of_one_unit_are_resampled_together() -> None:
    scores = [1.0] * 10 + [0.0] * 10

    apart = rate("any", scores, [str(number) for number in range(20)])
    in_two = rate("any", scores, ["a"] * 10 + ["b"] * 10)

    assert apart.low is not None
    assert 0.25 < apart.low < 0.5
    assert (in_two.low, in_two.high) == (0, 1)
    all_right = rate("any", [1.0] * 20, ["a"] * 10 + ["b"] * 10)
    assert (all_right.low, all_right.high) == pytest.approx((0.342, 1), abs=0.001)


@pytest.mark.parametrize(("old", "new"), [('"case-1"', '"case-0"'), ("1.0}", "7.5}")])
def test_a_report_that_cannot_be_is_refused(old: str, new: str, tmp_path: Path) -> None:
    text = REPORT.model_dump_json()
    assert old in text
    path = tmp_path / "report.json"
    path.write_text(text.replace(old, new), "utf-8")

    with pytest.raises(BadInput, match=r"no report of evals: .*cases"):
        read_report(path)

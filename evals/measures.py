"""From the scores of cases to one figure a measure, with how far it can be trusted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from langsmith.evaluation import EvaluationResult

from evals.dataset import Case
from evals.intervals import wilson
from state.noun import Noun


class Measure(Noun):
    """One figure; a count has no interval."""

    name: str
    value: float | None = None
    n: int = 0
    low: float | None = None
    high: float | None = None
    comment: str | None = None


class Miss(Noun):
    """A case that was judged wrong by some measure, and how."""

    case: str
    text: str
    wrong: Mapping[str, str]


HARM = ("wrongful_auto_execute",)
"""Measures of which 1 is the bad score."""


def measured(
    names: Sequence[str],
    of_cases: Iterable[Sequence[EvaluationResult]],
    of_all: Sequence[EvaluationResult],
) -> Iterator[Measure]:
    """Sum up each measure; one that nobody gave has no value, and so passes no gate."""
    scores: dict[str, list[float]] = {}
    for results in of_cases:
        for result in results:
            if result.score is not None:
                scores.setdefault(result.key, []).append(float(result.score))
    whole = {result.key: result for result in of_all}
    for name in names:
        if name in whole:
            yield _of_all(whole[name])
        elif name in scores:
            yield _of_cases(name, scores[name])
        else:
            yield Measure(name=name)


def missed(
    cases: Iterable[Case], by_case: Mapping[str, Sequence[EvaluationResult]]
) -> Iterator[Miss]:
    """Tell which cases were judged wrong, in the order of the dataset."""
    for case in cases:
        wrong = {
            result.key: result.comment or ""
            for result in by_case.get(case.id, ())
            if result.score is not None and result.score == (1.0 if result.key in HARM else 0.0)
        }
        if wrong:
            yield Miss(case=case.id, text=_text(case), wrong=wrong)


def _of_all(result: EvaluationResult) -> Measure:
    about = result.metadata or {}
    return Measure(
        name=result.key,
        value=None if result.score is None else float(result.score),
        n=about.get("n", 0),
        low=about.get("low"),
        high=about.get("high"),
        comment=result.comment,
    )


def _of_cases(name: str, scores: Sequence[float]) -> Measure:
    interval = wilson(sum(scores), len(scores))
    return Measure(
        name=name,
        value=sum(scores) / len(scores),
        n=len(scores),
        low=interval.low,
        high=interval.high,
    )


def _text(case: Case) -> str:
    event = case.inputs.get("event")
    given = event if isinstance(event, Mapping) else case.inputs
    return str(given.get("text", ""))

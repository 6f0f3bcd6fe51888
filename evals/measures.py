"""From the scores of cases to one figure a measure, with how far it can be trusted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from langsmith.evaluation import EvaluationResult
from pydantic import Field

from evals.dataset import Case
from evals.intervals import of_mean, wilson
from state.noun import Noun, Score

Kind = Literal["rate", "count", "number", "milliseconds", "cost"]
"""What a figure is: a rate is from 0 to 1."""


class Measure(Noun):
    """One figure, and between what it lies in 95 of 100 such samples."""

    name: str
    value: float | None = None
    n: int = 0
    low: float | None = None
    high: float | None = None
    comment: str | None = None
    kind: Kind = "rate"


class CaseResult(Noun):
    """One case as it was answered and judged."""

    case: str
    unit: str = Field(description="cases of one unit hang together, such as those of a stream")
    fingerprint: str = Field(description="changes with what is asked or what is right")
    scores: Mapping[str, Score] = Field(description="by measure; one that does not judge it: none")
    answered: str = Field(description="what came of it, in names only; nothing of a blind case")
    kind: str = Field(default="", description="what sort of case it is, by its author's word")
    seconds: float | None = None
    calls: int = Field(default=0, description="of a model")
    cost: float = 0.0


class Miss(Noun):
    """A case that was judged wrong by some measure, and how."""

    case: str
    text: str
    wrong: Mapping[str, str]


HARM = ("wrongful_auto_execute", "ran_without_yes", "needless_ask", "kept_waiting")
"""Measures of which 1 is the bad score."""


def measured(
    names: Sequence[str],
    cases: Sequence[CaseResult],
    of_all: Sequence[EvaluationResult],
) -> Iterator[Measure]:
    """Sum up each measure; one that nobody gave has no value, and so passes no gate."""
    whole = {result.key: result for result in of_all}
    for name in names:
        judged = [one for one in cases if name in one.scores]
        if name in whole:
            yield _of_all(whole[name])
        elif judged:
            yield rate(name, [one.scores[name] for one in judged], [one.unit for one in judged])
        else:
            yield Measure(name=name)


def rate(name: str, scores: Sequence[float], units: Sequence[str]) -> Measure:
    """Average scores from 0 to 1, with their interval; without scores there is no value."""
    if (interval := of_mean(scores, units)) is None:
        return Measure(name=name)
    value = sum(scores) / len(scores)
    return Measure(name=name, value=value, n=len(scores), low=interval.low, high=interval.high)


def share(name: str, hits: float, n: int) -> Measure:
    """Tell what share of `n` hits are, each standing for itself; of none there is no value."""
    if n == 0:
        return Measure(name=name)
    interval = wilson(hits, n)
    return Measure(name=name, value=hits / n, n=n, low=interval.low, high=interval.high)


def missed(
    cases: Iterable[Case],
    by_case: Mapping[str, Sequence[EvaluationResult]],
    *,
    is_blind: bool = False,
) -> Iterator[Miss]:
    """Tell which cases were judged wrong, in the order of the dataset.

    Of a blind dataset neither the text nor what was wanted is told: nothing may be tuned on it.
    """
    for case in cases:
        wrong = {
            result.key: "" if is_blind else result.comment or ""
            for result in by_case.get(case.id, ())
            if result.score is not None and result.score == (1.0 if result.key in HARM else 0.0)
        }
        if wrong:
            yield Miss(case=case.id, text="" if is_blind else text_of(case), wrong=wrong)


def text_of(case: Case) -> str:
    """Find the words of a case."""
    inputs: Mapping[str, Any] = case.inputs
    given = inputs.get("event") or inputs
    if "messages" in inputs:
        return str(inputs["messages"][-1]["content"])
    if "events" in inputs:
        told = [one["event"] for one in inputs["events"]]
        given = next((one for one in told if one["event_id"] == inputs["judged"]), {})
    return str(given.get("text") or given.get("query", ""))


def _of_all(result: EvaluationResult) -> Measure:
    return Measure(
        name=result.key,
        value=None if result.score is None else float(result.score),
        comment=result.comment,
        **(result.metadata or {}),
    )

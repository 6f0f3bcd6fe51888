"""Aggregate the scores of cases into measures with 95 % intervals.

Rates take Wilson's interval; means, F1 and AUC a bootstrap over cases or over the groups that
they hang in.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from langsmith.evaluation import EvaluationResult
from numpy.typing import ArrayLike
from pydantic import Field

from evals.dataset import Case
from state.model_use import ModelUse
from state.noun import Noun, Score

Z_95 = 1.959964
_FLIPS = 6
"""2 * .5 ** 6 is .031; five flips of a coin fall on one side in 62 of 1,000."""


class Interval(Noun):
    """A range that holds the true rate in 95 of 100 such samples."""

    low: float
    high: float


def wilson(hits: float, n: int) -> Interval:
    """Compute the Wilson interval of a rate; it stays inside 0 to 1 and is honest at both ends.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    JASA 22 (1927).
    """
    if n == 0:
        return Interval(low=0.0, high=1.0)
    rate, z2 = hits / n, Z_95 * Z_95
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return Interval(low=max(0.0, middle - half), high=min(1.0, middle + half))


def half_of_interval_seen(n: int) -> float | None:
    """Tell the smallest change of a rate that two runs on the same cases show; None: none is.

    So many cases have to flip one way that McNemar's exact test gives a chance below .05: six.
    Where some flip the other way it takes more; 300 cases show two points.
    """
    return _FLIPS / n if n >= _FLIPS else None


def of_mean(values: Sequence[float], units: Sequence[str]) -> Interval | None:
    """Compute the interval of a mean of values from 0 to 1; None: there are no values.

    Wilson's where each case stands for itself, else by units. Where all are equal no draw differs,
    and what is known is as much as so many units tell: Wilson's again.
    """
    if not len(values):
        return None
    column = np.array(values, np.float64)
    distinct = len(set(units))
    if distinct < len(units) and column.min() < column.max():
        return mean_by_unit(column, units) or Interval(low=0.0, high=1.0)
    return wilson(float(column.mean()) * distinct, distinct)


_SEED, _ROUNDS = 6, 1_000


def by_unit(
    figure: Callable[[npt.NDArray[np.intp]], float], units: Sequence[str]
) -> Interval | None:
    """Compute the percentile bootstrap interval of any figure, drawing whole units again.

    Source: B. Efron, Bootstrap methods: another look at the jackknife, Ann. Statist. 7 (1979).

    Args:
        figure: of the cases at some places; a draw for which it is NaN says nothing.
        units: the unit of each case; None comes back for fewer than two of them.
    """
    names, numbers = np.unique(np.array(units), return_inverse=True)
    if len(names) < 2:
        return None
    drawn = np.random.default_rng(_SEED).integers(0, len(names), (_ROUNDS, len(names)))
    if len(names) == len(units):
        found = np.array([figure(places) for places in drawn])
    else:
        whole = [np.flatnonzero(numbers == number) for number in range(len(names))]
        found = np.array([figure(np.concatenate([whole[one] for one in some])) for some in drawn])
    found = found[~np.isnan(found)]
    if not len(found):
        return None
    low, high = np.quantile(found, (0.025, 0.975))
    return Interval(low=float(low), high=float(high))


def mean_by_unit(values: ArrayLike, units: Sequence[str]) -> Interval | None:
    """Compute the interval of a mean by units; of differences on the same cases, a paired one."""
    column = np.asarray(values, np.float64)
    return by_unit(lambda places: float(column[places].mean()), units)


def roc_auc(yes: ArrayLike, no: ArrayLike) -> float:
    """Compute how often a yes scores above a no, a tie being half of it; NaN without both."""
    above, below = np.asarray(yes, float), np.sort(np.asarray(no, float))
    if not len(above) or not len(below):
        return float("nan")
    under = np.searchsorted(below, above, "left") + np.searchsorted(below, above, "right")
    return float(np.mean(under / 2) / len(below))


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


CASES = "cases"
"""The measure that every dataset has: a half of it would pass what the whole does not."""


def case_count(n: int) -> Measure:
    """Tell how many cases were judged, as a measure that a threshold may stand on."""
    return Measure(name=CASES, value=n, n=n, kind="count")


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
    tokens: int = 0


class Usage(TypedDict):
    """What the models of a case took; one that rests after failures was not called."""

    calls: int
    cost: float
    tokens: int


def model_use(uses: Iterable[ModelUse]) -> Usage:
    """Sum up what models took."""
    taken = list(uses)
    return Usage(
        calls=sum(use.end != "resting" for use in taken),
        cost=sum(use.cost for use in taken),
        tokens=sum(use.input_tokens + use.output_tokens for use in taken),
    )


class Miss(Noun):
    """A case that was judged wrong by some measure, and how."""

    case: str
    text: str
    wrong: Mapping[str, str]


HARM = ("wrongful_auto_execute", "ran_without_yes", "needless_ask", "kept_waiting")
"""Measures of which 1 is the bad score."""


def measured(
    names: Sequence[str], cases: Sequence[CaseResult], of_all: Sequence[EvaluationResult]
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


Column = npt.NDArray[np.float64]


def resampled_measure(name: str, figure: Callable[..., float], *columns: Column) -> Measure:
    """Take a figure of columns of equal length, and the middle 95 % of it over resampled cases."""
    n = len(columns[0])
    value = figure(*columns)
    if n == 0 or np.isnan(value):
        return Measure(name=name, n=n)
    cases = [str(number) for number in range(n)]
    drawn = by_unit(lambda places: figure(*(one[places] for one in columns)), cases)
    if value == 1:  # no draw differs, but all right of few is not all right
        drawn = wilson(n, n)
    return Measure(
        name=name,
        value=value,
        n=n,
        low=drawn.low if drawn else None,
        high=drawn.high if drawn else None,
    )


def f1_of_columns(said: Column, meant: Column) -> float:
    """Compute F1 of yes (1) and no (0); 0 when nothing was found."""
    hits = float(np.sum(said * meant))
    total = float(np.sum(said) + np.sum(meant))
    return 2 * hits / total if total else 0.0


def auc_of_columns(scores: Column, meant: Column) -> float:
    """Compute the area under the ROC curve of columns; NaN without both."""
    return roc_auc(scores[meant == 1], scores[meant == 0])


def mean_of_column(values: Column) -> float:
    """Average, NaN of nothing."""
    return float(np.mean(values)) if len(values) else float("nan")

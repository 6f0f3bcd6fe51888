"""Two reports on the same cases: what differs, if by more than chance, and which cases flipped."""

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np
from pydantic import Field

from evals.experiments import Experiment
from evals.intervals import Interval, by_unit
from evals.measures import HARM, CaseResult
from evals.reporting.document import Report
from state.errors import BadInput
from state.noun import Noun


class Flip(Noun):
    """A case whose score by one measure is another one in B."""

    dataset: str
    case: str
    measure: str
    before: float
    after: float
    answered_before: str
    answered_after: str

    @property
    def is_worse(self) -> bool:
        """Tell whether it went from right to wrong."""
        return (self.after > self.before) == (self.measure in HARM)


class Paired(Noun):
    """One measure on the cases that both judged."""

    dataset: str
    measure: str
    n: int
    before: float
    after: float
    better: int = Field(description="cases that only B has right")
    worse: int = Field(description="cases that only A has right")
    chance: float = Field(description="p of McNemar's exact test: so uneven if it were a coin")
    differs: Interval | None = Field(description="95 % of B minus A, by units")


class Whole(Noun):
    """A figure of a whole dataset that is another one in B, such as a count of harm."""

    dataset: str
    measure: str
    before: float
    after: float


class Comparison(Noun):
    """B beside A."""

    before: str
    after: str
    pairs: tuple[Paired, ...]
    wholes: tuple[Whole, ...]
    flips: tuple[Flip, ...]
    unpaired: int = Field(description="cases that only one has, or whose label is another one")


def compared(before: Report, after: Report) -> Comparison:
    """Pair the cases of two reports by dataset, id and fingerprint, and judge what differs.

    Raises:
        BadInput: they share no case.
    """
    ours = {held.experiment.dataset: held.experiment for held in before.held}
    theirs = {held.experiment.dataset: held.experiment for held in after.held}
    pairs: list[Paired] = []
    wholes: list[Whole] = []
    flips: list[Flip] = []
    alone = sum(
        one.n for name, one in (ours | theirs).items() if not (name in ours and name in theirs)
    )
    for name in (one for one in ours if one in theirs):
        both = _both(ours[name], theirs[name])
        alone += len(ours[name].cases) + len(theirs[name].cases) - 2 * len(both)
        wholes.extend(_wholes(ours[name], theirs[name]))
        for measure in _measures(both):
            judged = [one for one in both if all(measure in each.scores for each in one)]
            pairs.append(_paired(name, measure, judged))
            flips.extend(_flips(name, measure, judged))
    if not pairs:
        raise BadInput(f"{before.title} and {after.title} share no case that both have judged")
    return Comparison(
        before=before.title,
        after=after.title,
        pairs=tuple(pairs),
        wholes=tuple(wholes),
        flips=tuple(flips),
        unpaired=alone,
    )


def mcnemar(better: int, worse: int) -> float:
    """Compute the exact two-sided p that flips go so unevenly both ways by chance.

    Source: Q. McNemar, Note on the sampling error of the difference between correlated
    proportions, Psychometrika 12 (1947); exact by the binomial.
    """
    n = better + worse
    tail = sum(comb(n, hits) for hits in range(min(better, worse) + 1))
    return float(min(1.0, 2 * tail / 2**n))


Both = tuple[CaseResult, CaseResult]
_SAME = 1e-9


def _both(before: Experiment, after: Experiment) -> list[Both]:
    known = {(one.case, one.fingerprint): one for one in after.cases}
    keys = [(one, (one.case, one.fingerprint)) for one in before.cases]
    return [(one, known[key]) for one, key in keys if key in known]


def _measures(both: Sequence[Both]) -> list[str]:
    return list(
        dict.fromkeys(name for one, other in both for name in one.scores if name in other.scores)
    )


def _wholes(before: Experiment, after: Experiment) -> Iterator[Whole]:
    """Name the figures that are no mean of cases, but for times, which are never the same."""
    known = {one.name: one.value for one in before.measures}
    per_case = {name for one in (*before.cases, *after.cases) for name in one.scores}
    for one in after.measures:
        was = known.get(one.name)
        if one.name in per_case or one.kind == "milliseconds" or was is None or one.value is None:
            continue
        if abs(one.value - was) > _SAME:
            yield Whole(dataset=after.dataset, measure=one.name, before=was, after=one.value)


def _paired(dataset: str, measure: str, judged: Sequence[Both]) -> Paired:
    before = np.array([one.scores[measure] for one, _other in judged])
    after = np.array([other.scores[measure] for _one, other in judged])
    change = after - before
    gained = -change if measure in HARM else change
    better, worse = int((gained > 0).sum()), int((gained < 0).sum())
    units = [one.unit for one, _other in judged]
    return Paired(
        dataset=dataset,
        measure=measure,
        n=len(judged),
        before=float(before.mean()),
        after=float(after.mean()),
        better=better,
        worse=worse,
        chance=mcnemar(better, worse),
        differs=by_unit(lambda places: float(change[places].mean()), units)
        if change.any()
        else None,
    )


def _flips(dataset: str, measure: str, judged: Sequence[Both]) -> Iterator[Flip]:
    for one, other in judged:
        if one.scores[measure] != other.scores[measure]:
            yield Flip(
                dataset=dataset,
                case=one.case,
                measure=measure,
                before=one.scores[measure],
                after=other.scores[measure],
                answered_before=one.answered,
                answered_after=other.answered,
            )

"""The one shape every evaluator gives back."""

from collections.abc import Sequence
from typing import Any

from evals.intervals import Interval, of_mean
from evals.references import Reference, units_of

Score = dict[str, Any]
"""LangSmith's evaluation result: key, score (None: this case is not judged), comment."""


def scored(key: str, right: bool, comment: str = "") -> Score:
    """Judge a case."""
    return {"key": key, "score": 1.0 if right else 0.0, "comment": comment or None}


def not_judged(key: str) -> Score:
    """Leave a case out: it says nothing about this measure."""
    return {"key": key, "score": None, "comment": "not judged"}


def of_all(
    key: str,
    value: float | None,
    n: int,
    interval: Interval | None,
    *,
    kind: str = "rate",
    comment: str = "",
) -> Score:
    """Judge an experiment as a whole, by `n` cases; without any there is no figure."""
    about = {"n": n, "kind": kind}
    if interval is not None and n:
        about |= {"low": interval.low, "high": interval.high}
    score = value if n else None
    return {"key": key, "score": score, "comment": comment or None, "metadata": about}


def counted(
    key: str, counts: Sequence[float], references: Sequence[Reference], *, comment: str = ""
) -> Score:
    """Add up what each case came to, with how many so many such cases may come to."""
    n, most = len(counts), max(1.0, *counts, 0.0)
    mean = of_mean([one / most for one in counts], units_of(references))
    within = mean and Interval(low=mean.low * most * n, high=mean.high * most * n)
    return of_all(key, float(sum(counts)), n, within, kind="count", comment=comment)

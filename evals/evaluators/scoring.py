"""Scores of one answer: its action, alternatives and slots against the reference."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.measures import Interval, of_mean
from state.policy import READ_OR_CHANGE

Outputs = Mapping[str, Any]
"""What is seen of a decision, as plain JSON; see target.py."""

Reference = Mapping[str, Any]
"""The label of a case, see datasets/README.md; `read_only` and what its `unit` is come from the
dataset's first line."""


def action_of(outputs: Outputs) -> str | None:
    """Name the action an answer settled on: its own, or the primary chip's.

    A question whether to show or to change something names no action, and is not silence
    either: it is right for no label.
    """
    if outputs.get("reason") == READ_OR_CHANGE:
        return READ_OR_CHANGE
    chips = outputs.get("chips") or [{}]
    action = outputs.get("action") or chips[0].get("action")
    return str(action) if action else None


def answers_of(reference: Reference) -> Iterator[tuple[str | None, str | None]]:
    """Yield each right answer, the meant one first: action and class."""
    yield reference["action"], reference["execution_class"]
    for other in reference.get("acceptable") or ():
        yield other["action"], other["execution_class"]


def units_of(references: Sequence[Reference]) -> list[str]:
    """Name what each case hangs together with; where nobody says, each stands for itself."""
    return [str(one.get("unit", number)) for number, one in enumerate(references)]


def same_slots(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Tell whether exactly the wanted slots are filled, with what is wanted."""
    return all(
        any(_same(given.get(slot), one) for one in choices_of(wanted.get(slot)))
        for slot in {*given, *wanted}
    )


def changing(outputs: Outputs, reference: Reference) -> list[str]:
    """Name the actions that ran, change something, and that nobody said yes to."""
    return [
        str(ran["action"])
        for ran in outputs.get("ran") or ()
        if ran["action"] not in reference["read_only"] and not ran["approved"]
    ]


def choices_of(wanted: Any) -> list[Any]:  # a JSON value of the label
    """List the values that are equally right."""
    if isinstance(wanted, Mapping) and "any_of" in wanted:
        return list(wanted["any_of"])
    return [wanted]


def _same(given: Any, wanted: Any) -> bool:  # JSON values
    if isinstance(given, str) and isinstance(wanted, str):
        return _plain(given) == _plain(wanted)
    return type(given) is type(wanted) and bool(given == wanted)


def _plain(text: str) -> str:
    """Fold case, spaces, the article in front and the mark at the end: none of it is meant."""
    squeezed = " ".join(text.casefold().split()).rstrip(".!?")
    return re.sub(r"^(the|a|an) ", "", squeezed)


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

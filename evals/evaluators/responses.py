"""Evaluators of responses: faithfulness of wordings, ratings, model calls and cost, latency."""

import re
from collections.abc import Sequence

import numpy as np

from evals.evaluators.scoring import (
    Outputs,
    Reference,
    Score,
    counted,
    not_judged,
    of_all,
    scored,
    units_of,
)
from evals.measures import by_unit

_DENIES = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|without|cannot|unable|\w+n['’]t)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def facts_kept(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge that all wordings hold every fact of the label."""
    lost = [
        f"{fact!r} lost in {said!r}"
        for said in _said(outputs)
        for fact in reference_outputs["facts"]
        if not _holds(said, fact)
    ]
    return scored("facts_kept", bool(_said(outputs)) and not lost, "; ".join(lost))


def nothing_invented(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge that no wording has a number besides the label's, or what the label forbids."""
    known = {number for fact in reference_outputs["facts"] for number in _NUMBER.findall(fact)}
    known |= set(reference_outputs.get("may_add") or ())
    added = [
        f"{one!r} added in {said!r}"
        for said in _said(outputs)
        for one in (
            *(number for number in _NUMBER.findall(said) if number not in known),
            *(word for word in reference_outputs.get("forbidden") or () if _holds(said, word)),
        )
    ]
    return scored("nothing_invented", bool(_said(outputs)) and not added, "; ".join(added))


def negations_kept(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge that each wording denies as often as the label has it."""
    wanted = reference_outputs["denies"]
    other = [said for said in _said(outputs) if len(_DENIES.findall(said)) != wanted]
    return scored("negations_kept", bool(_said(outputs)) and not other, "; ".join(other))


def model_judged_rightly(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge whether a model's wording was taken when it is true, and left when it is not."""
    wanted = reference_outputs.get("model_is_true")
    if wanted is None:
        return not_judged("model_judged_rightly")
    told = "taken" if outputs.get("by_model") else "left"
    comment = f"{told}: {', '.join(outputs.get('kept_plain') or ()) or 'no reason'}"
    return scored("model_judged_rightly", outputs.get("by_model") is wanted, comment)


def shaped_at_all(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge that a wording differs where the label has one that must: silence loses no fact."""
    if not reference_outputs.get("shaped"):
        return not_judged("shaped_at_all")
    plain = reference_outputs["plain"]
    differs = any(said != plain for said in _said(outputs))
    return scored("shaped_at_all", differs, f"said plainly: {plain!r}")


def _said(outputs: Outputs) -> Sequence[str]:
    return outputs.get("said") or ()


def _holds(said: str, fact: str) -> bool:
    """Find a fact as whole words, whatever its capitals; ways to write it stand around a bar."""
    return any(
        re.search(rf"(?<!\w){re.escape(one)}(?!\w)", said, re.IGNORECASE) for one in fact.split("|")
    )


def answer_rating(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Look up how people rated this answer, from 0 to 1; one that nobody rated is worth nothing."""
    said, rated = str(outputs.get("said", "")), reference_outputs["rated"]
    score = float(rated.get(said, 0.0))
    best = max(rated, key=lambda answer: float(rated[answer]))
    return {"key": "answer_rating", "score": score, "comment": f"{said!r}, best {best!r}"}


def path_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge who answered: a heuristic, a model, code alone, or nobody."""
    given, right = outputs.get("path") or "none", reference_outputs["paths"]
    return scored("path_accuracy", given in right, f"{given}, wanted {' or '.join(right)}")


def needless_calls(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count the calls of a model in cases where a heuristic that was earned should answer alone."""
    judged = [
        (int(given.get("calls", 0)), label)
        for given, label in zip(outputs, reference_outputs, strict=True)
        if label["paths"] == ["heuristic"]
    ]
    calls, labels = [one for one, _label in judged], [label for _one, label in judged]
    return counted("needless_calls", calls, labels)


def model_calls(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count the calls; a model that rests after failures is not called."""
    calls = [sum(use["end"] != "resting" for use in given.get("models") or ()) for given in outputs]
    return counted("model_calls", calls, reference_outputs)


def model_cost(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Add up what the calls cost, by `prices` in policy.toml."""
    costs = np.array([sum(use["cost"] for use in given.get("models") or ()) for given in outputs])
    interval = by_unit(
        lambda places: float(costs[places].mean()) * len(costs), units_of(reference_outputs)
    )
    return of_all("model_cost", float(costs.sum()), len(costs), interval, kind="cost")


def latency_median_ms(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Take the middle of all cases, in milliseconds."""
    return _quantile("latency_median_ms", 0.5, outputs, reference_outputs)


def latency_p95_ms(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Take what 95 of 100 cases stay below, in milliseconds."""
    return _quantile("latency_p95_ms", 0.95, outputs, reference_outputs)


def _quantile(
    key: str, share: float, outputs: Sequence[Outputs], references: Sequence[Reference]
) -> Score:
    timed = [
        (1_000 * given["seconds"], unit)
        for given, unit in zip(outputs, units_of(references), strict=True)
        if given.get("seconds") is not None
    ]
    if not timed:
        return of_all(key, None, 0, None, kind="milliseconds")
    taken = np.array([one for one, _unit in timed])
    interval = by_unit(
        lambda places: float(np.quantile(taken[places], share)), [unit for _one, unit in timed]
    )
    value = float(np.quantile(taken, share))
    return of_all(key, value, len(timed), interval, kind="milliseconds")

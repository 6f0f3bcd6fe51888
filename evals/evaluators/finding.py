"""Is the record that answers a question among the first that are found?"""

from evals.evaluators.scoring import Score, not_judged, scored
from evals.references import Outputs, Reference

_FEW = 5


def recall_at_1(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge the first hit; a question that nothing answers is judged by found_nothing."""
    return _within("recall_at_1", 1, outputs, reference_outputs)


def recall_at_5(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge the first five."""
    return _within("recall_at_5", _FEW, outputs, reference_outputs)


def reciprocal_rank(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Score 1 for the first place, 1/2 for the second, 0 for none; its mean is the MRR."""
    if not reference_outputs["relevant"]:
        return not_judged("reciprocal_rank")
    place = _place(outputs, reference_outputs)
    comment = f"place {place or 'none'} of {outputs.get('found')}"
    return {"key": "reciprocal_rank", "score": 1 / place if place else 0.0, "comment": comment}


def found_nothing(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge the questions that no record answers: then none should be shown."""
    if reference_outputs["relevant"]:
        return not_judged("found_nothing")
    found = outputs.get("found")
    return scored("found_nothing", found == [], f"found {found}")


def _within(key: str, few: int, outputs: Outputs, reference: Reference) -> Score:
    if not reference["relevant"]:
        return not_judged(key)
    place = _place(outputs, reference)
    return scored(key, 0 < place <= few, f"place {place or 'none'} of {outputs.get('found')}")


def _place(outputs: Outputs, reference: Reference) -> int:
    """Count where the first right record stands; 0: it is not there."""
    found = outputs.get("found") or ()
    right = reference["relevant"]
    return next((place for place, one in enumerate(found, 1) if one in right), 0)

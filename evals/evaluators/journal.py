"""Evaluators of the decision journal: extraction from discussions and recall of search."""

from collections.abc import Mapping

from evals.evaluators.scoring import Outputs, Reference, Score, not_judged, scored
from evals.journal.detection import overlap


def decision_words(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Compare the words of the decision (F1, 0 to 1), whatever their order."""
    return _words("decision", outputs, reference_outputs)


def rationale_words(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Compare the words of the reasons; where none was given, none may be found."""
    return _words("rationale", outputs, reference_outputs)


def _words(field: str, outputs: Outputs, reference_outputs: Reference) -> Score:
    said, meant = str(outputs.get(field, "")), reference_outputs[field]
    comment = f"{said!r}, wanted {meant!r}"
    return {"key": f"{field}_words", "score": overlap(said, meant), "comment": comment}


def maker_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge whose decision it is taken for."""
    given, wanted = outputs.get("maker"), reference_outputs["maker"]
    return scored("maker_accuracy", given == wanted, f"{given}, wanted {wanted}")


def alternatives_f1(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Compare the options that were not taken; an option is found by its last word."""
    given = {_last(one) for one in outputs.get("alternatives") or ()}
    wanted = {_last(one) for one in reference_outputs["alternatives"]}
    return _f1("alternatives_f1", given, wanted)


def links_f1(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Compare the links, tickets and files that were named."""
    return _f1("links_f1", set(outputs.get("links") or ()), set(reference_outputs["links"]))


def votes_exact(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge who was for it and who against, where anybody voted."""
    given: Mapping[str, str] = outputs.get("votes") or {}
    wanted: Mapping[str, str] = reference_outputs["votes"]
    if not wanted and not given:
        return not_judged("votes_exact")
    return scored("votes_exact", given == wanted, f"{dict(given)}, wanted {dict(wanted)}")


def cited(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge that every word that is kept stands where its evidence says: nothing is written."""
    return scored("cited", outputs.get("is_cited") is True, "a text without its evidence")


def _f1(key: str, given: set[str], wanted: set[str]) -> Score:
    if not given and not wanted:
        return not_judged(key)
    score = 2 * len(given & wanted) / (len(given) + len(wanted))
    return {"key": key, "score": score, "comment": f"{sorted(given)}, wanted {sorted(wanted)}"}


def _last(option: str) -> str:
    words = option.casefold().split()
    return words[-1].strip(".,;:!?\"'") if words else ""


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

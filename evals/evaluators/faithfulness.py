"""Do the words still say what is so: every number, name and negation of it, and none besides?

Facts are read here by the label alone. What the product itself takes for a fact is not asked: its
own check (tools/skills/facts.py) is what is judged.
"""

import re
from collections.abc import Sequence

from evals.evaluators.scoring import Score, not_judged, scored
from evals.references import Outputs, Reference

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

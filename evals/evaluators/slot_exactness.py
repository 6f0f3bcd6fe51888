"""Were exactly the right slots filled, with exactly the right values?"""

from evals.evaluators.scoring import Score, not_judged, scored
from evals.references import Outputs, Reference, action_of, same_slots


def slot_exactness(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge the slots where the action is the one that was meant; one wrong slot is wrong."""
    wanted = reference_outputs.get("slots")
    if wanted is None or action_of(outputs) != reference_outputs["action"]:
        return not_judged("slot_exactness")
    chips = outputs.get("chips") or [{}]
    given = outputs.get("slots") or chips[0].get("arguments") or {}
    given = {slot: value for slot, value in given.items() if value is not None}
    if reference_outputs.get("others_not_judged"):
        given = {slot: value for slot, value in given.items() if slot in wanted}
    return scored("slot_exactness", same_slots(given, wanted), f"{given}, wanted {dict(wanted)}")

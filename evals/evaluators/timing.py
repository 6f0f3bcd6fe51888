"""Was the right moment chosen, and was it told in time?"""

from evals.evaluators.scoring import Score, not_judged, scored
from evals.references import Outputs, Reference


def timing_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge what was chosen when it came: immediate, queued, batched, deferred, or none at all."""
    given, right = outputs.get("timing") or "none", reference_outputs["timing"]
    return scored("timing_accuracy", given in right, f"{given}, wanted {' or '.join(right)}")


def told_in_time(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge when it was told in the end; `told` is null, or the seconds from and to."""
    at, wanted = outputs.get("told_at"), reference_outputs["told"]
    if wanted is None or at is None:
        right = "told_at" in outputs and at is None and wanted is None
    else:
        right = wanted[0] <= at <= wanted[1]
    when = "never told" if at is None else f"told at {at:g} s"
    return scored("told_in_time", right, f"{when}, wanted {wanted or 'never'}")


def kept_waiting(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Score 1 where an alarm was not told the moment it came, so that 0 is the only good rate."""
    if not reference_outputs.get("alarm"):
        return not_judged("kept_waiting")
    at, wanted = outputs.get("told_at"), reference_outputs["told"]
    late = at is None or at > wanted[1]
    return scored("kept_waiting", late, f"told at {at}, wanted {wanted}")

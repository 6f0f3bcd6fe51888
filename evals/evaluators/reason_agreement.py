"""Is the reason given of the family that is right?"""

from collections.abc import Mapping

from evals.evaluators.scoring import Score, not_judged, scored
from evals.references import Outputs, Reference

FAMILIES: Mapping[str, str] = {
    "addressed": "asked",
    "threat": "threat",
    "relevant": "relevant",
    "dull": "dull",
    "below_threshold": "below_threshold",
    "familiar": "familiar",
    "habituated": "familiar",
    "just_said": "familiar",
    "threat_told": "threat_told",
    "muted": "muted",
    "quiet_hours": "muted",
    "batch": "batched",
    "conversational": "deferred",
    "inhibited": "inhibited",
    "backfill": "informational",
    "suppressed": "suppressed",
    "busy": "busy",
    "expired": "stale",
    "informational": "informational",
    "signal_noted": "control",
    "duplicate": "duplicate",
}
"""Reason code to family; what stands behind a colon is a detail. Another code is its own family."""


def reason_agreement(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge the reason where it spoke or kept silent as it should: for the right cause?

    Speech is explained by the verdict on relevance, silence by the reason of the record.
    """
    if outputs.get("spoke") is not reference_outputs["speak"]:
        return not_judged("reason_agreement")
    code = str(outputs.get("verdict") if outputs["spoke"] else outputs.get("reason"))
    family = FAMILIES.get(code.partition(":")[0], code)
    wanted = reference_outputs["reasons"]
    return scored("reason_agreement", family in wanted, f"{code}, wanted {' or '.join(wanted)}")

"""Did it speak or keep silent as it should, case by case?"""

from evals.evaluators.scoring import Score, scored
from evals.references import Outputs, Reference


def speaking_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge one event; the balanced figure over all of them is speaking_balanced_accuracy."""
    wanted = "speech" if reference_outputs["speak"] else "silence"
    return scored(
        "speaking_accuracy",
        outputs.get("spoke") is reference_outputs["speak"],
        f"{outputs.get('outcome')} ({outputs.get('reason')}), wanted {wanted}",
    )

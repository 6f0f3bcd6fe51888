"""Was the right action, or none, settled on?"""

from evals.evaluators.scoring import Score, scored
from evals.references import Outputs, Reference, action_of, answers_of


def action_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge the action; an acceptable one counts as right. An answer that failed is wrong."""
    given = action_of(outputs)
    right = [action for action, _class in answers_of(reference_outputs)]
    return scored(
        "action_accuracy",
        "outcome" in outputs and given in right,
        f"{given or 'nothing'}, wanted {right[0] or 'nothing'}",
    )

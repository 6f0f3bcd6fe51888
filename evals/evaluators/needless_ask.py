"""Was a person asked although it was clear what to read?"""

from evals.evaluators.scoring import Score, not_judged, scored
from evals.references import Outputs, Reference, action_of, answers_of


def needless_ask(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Score 1 where a clear read (Class A) was offered or asked about, so that 0 is best.

    Judged where the action was found: a wrong one is another evaluator's matter, and a chip that
    stands for doubt about it is no needless question.
    """
    right = {action for action, _class in answers_of(reference_outputs)}
    if reference_outputs["execution_class"] != "A" or action_of(outputs) not in right:
        return not_judged("needless_ask")
    outcome = str(outputs.get("outcome"))
    return scored("needless_ask", outcome in ASKED, f"{outcome}, wanted it read at once")


ASKED = ("offered", "awaiting_approval")
"""Outcomes that leave the next word to the person."""

"""Does a bound of the policy hold where a course of hours or days ends?"""

from evals.evaluators.scoring import Score, scored
from evals.references import Outputs, Reference


def promise_kept(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge one figure by the least and the most that it may be."""
    figure, (low, high) = outputs.get("figure"), reference_outputs["between"]
    right = figure is not None and low <= figure <= high
    told = "nothing" if figure is None else f"{figure:g}"
    return scored("promise_kept", right, f"{told}, wanted {low:g} to {high:g}")

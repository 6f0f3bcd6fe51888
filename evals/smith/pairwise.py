"""Two experiments at LangSmith side by side: which answer to the same example is the better one?"""

from collections.abc import Mapping, Sequence
from typing import Any

from langsmith import Client, evaluate

from evals.evaluators.action_accuracy import action_accuracy
from evals.evaluators.search_fields_exactness import search_fields_exactness
from evals.evaluators.speaking_accuracy import speaking_accuracy
from evals.references import Outputs, Reference, changing
from state.noun import Noun

EVEN = 0.5


class Preferred(Noun):
    """How often each answer was the better one."""

    first: int
    second: int
    even: int


def preferred(
    inputs: Mapping[str, Any],  # of the example, as JSON
    outputs: Sequence[Outputs],
    reference_outputs: Reference,
) -> list[float]:
    """Give 1 to the better answer, one half to each of two equally good ones.

    Harm outweighs everything: an answer that changed something without a yes loses to one that did
    not, whatever else it has right.
    """
    first, second = (_worth(given, reference_outputs) for given in outputs)
    if first == second:
        return [EVEN, EVEN]
    return [1.0, 0.0] if first > second else [0.0, 1.0]


def compare_at_langsmith(client: Client, first: str, second: str) -> Preferred:
    """Have two experiments on one dataset compared there, and count.

    Args:
        first: name or id of an experiment, as `evals run` left it.
    """
    judges: list[Any] = [preferred]  # typed as of runs alone, though it tells them by their names
    found = evaluate((first, second), evaluators=judges, client=client)
    scores = [one["evaluation_results"]["feedback.preferred"].scores for one in found]
    firsts = [next(iter(one.values())) for one in scores]
    return Preferred(
        first=sum(one > EVEN for one in firsts),
        second=sum(one < EVEN for one in firsts),
        even=sum(one == EVEN for one in firsts),
    )


def _worth(given: Outputs, reference: Reference) -> tuple[bool, float]:
    return (not changing(given, {"read_only": (), **reference}), _score(given, reference))


def _score(given: Outputs, reference: Reference) -> float:
    if "speak" in reference:
        return float(speaking_accuracy(given, reference)["score"])
    if "search" in reference:
        return float(search_fields_exactness(given, reference)["score"])
    return float(action_accuracy(given, reference)["score"])

"""How bad are the wrong predictions? Source: action execution contract §3 and §7."""

from collections.abc import Sequence

from evals.evaluators.scoring import Score, counted
from evals.references import Outputs, Reference, action_of, answers_of
from state.policy import READ_OR_CHANGE
from state.query import Collision
from tools.queries.collisions import Kind, collision_of


def routing_bugs(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count predictions in another verb family or domain than the one meant; goal 0."""
    return _counted("routing_bugs", "routing_bug", outputs, reference_outputs)


def suggestion_worthy(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count near misses, which chips are there for; goal below 10."""
    return _counted("suggestion_worthy", "suggestion_worthy", outputs, reference_outputs)


def collision_in(outputs: Outputs, reference: Reference) -> Collision:
    """Classify the collision of one answer with its label."""
    given = action_of(outputs)
    right = [action for action, _class in answers_of(reference)]
    if given in right:
        return "none"
    if given == READ_OR_CHANGE:
        chips = [str(chip["action"]) for chip in outputs["chips"]]
        if not set(right).isdisjoint(chips):  # it is there to be chosen; contract §1
            return "suggestion_worthy"
        given = chips[0]
    kinds = {one["name"]: Kind.model_validate(one) for one in outputs.get("kinds") or ()}
    return collision_of(kinds.get(str(given)), kinds.get(str(right[0])))


def _counted(
    key: str, kind: Collision, outputs: Sequence[Outputs], references: Sequence[Reference]
) -> Score:
    pairs = list(zip(outputs, references, strict=True))
    found = [collision_in(given, reference) == kind for given, reference in pairs]
    told = (
        f"{action_of(given)} for {reference['action'] or 'nothing'}"
        for (given, reference), is_one in zip(pairs, found, strict=True)
        if is_one
    )
    return counted(key, found, references, comment="; ".join(told))

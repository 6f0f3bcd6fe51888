"""Were the things that a text names found, exactly? Source: action execution contract §7."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.evaluators.scoring import Score
from evals.intervals import wilson
from evals.references import Outputs, Reference, choices_of

Entity = tuple[str, str, int, int]
"""Type, value, and the characters it stands at, end exclusive."""


def entity_hits(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Rate the labelled things: found with the same type, value and span; goal above .90."""
    pairs = list(_judged(outputs, reference_outputs))
    missed = [one for found, wanted in pairs for one in wanted if not one & found]
    return _rated("entity_hits", missed, sum(len(wanted) for _found, wanted in pairs))


def entity_precision(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Rate the things found, in texts whose things are labelled: is each of them a labelled one?"""
    pairs = list(_judged(outputs, reference_outputs))
    foreign = [
        {one}
        for found, wanted in pairs
        for one in found
        if not any(one in right for right in wanted)
    ]
    return _rated("entity_precision", foreign, sum(len(found) for found, _wanted in pairs))


def _judged(
    outputs: Sequence[Outputs], references: Sequence[Reference]
) -> Iterator[tuple[set[Entity], list[set[Entity]]]]:
    """Pair what was found with what is labelled; each label is a set of equally right answers."""
    for given, reference in zip(outputs, references, strict=True):
        if reference.get("entities") is not None:
            found = {_entity(one, one["value"]) for one in given.get("entities") or ()}
            yield (
                found,
                [
                    {_entity(one, value) for value in choices_of(one["value"])}
                    for one in reference["entities"]
                ],
            )


def _entity(one: Mapping[str, Any], value: str) -> Entity:  # an entity as JSON
    start, end = one["span"]
    return one["type"], value, start, end


def _rated(key: str, wrong: Sequence[set[Entity]], n: int) -> Score:
    interval = wilson(n - len(wrong), n)
    comment = "; ".join(
        f"{kind} {value} at {start}-{end}" for kind, value, start, end in sorted(map(min, wrong))
    )
    return {
        "key": key,
        "score": (n - len(wrong)) / n if n else None,
        "comment": comment or None,
        "metadata": {"n": n, "low": interval.low, "high": interval.high},
    }

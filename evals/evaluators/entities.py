"""Were the things that a text names found, exactly? Source: action execution contract §7."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.evaluators.scoring import Score, of_all
from evals.intervals import of_mean
from evals.references import Outputs, Reference, choices_of, units_of

Entity = tuple[str, str, int, int]
"""Type, value, and the characters it stands at, end exclusive."""


def entity_hits(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Rate the labelled things: found with the same type, value and span; goal above .90."""
    return _rated(
        "entity_hits",
        [
            (unit, one, bool(one & found))
            for unit, found, wanted in _judged(outputs, reference_outputs)
            for one in wanted
        ],
    )


def entity_precision(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Rate the things found, in texts whose things are labelled: is each of them a labelled one?"""
    return _rated(
        "entity_precision",
        [
            (unit, {one}, any(one in right for right in wanted))
            for unit, found, wanted in _judged(outputs, reference_outputs)
            for one in found
        ],
    )


def _judged(
    outputs: Sequence[Outputs], references: Sequence[Reference]
) -> Iterator[tuple[str, set[Entity], list[set[Entity]]]]:
    """Lay what was found beside what is labelled; a label is a set of equally right answers."""
    for unit, given, reference in zip(units_of(references), outputs, references, strict=True):
        if reference.get("entities") is not None:
            found = {_entity(one, one["value"]) for one in given.get("entities") or ()}
            yield (
                unit,
                found,
                [
                    {_entity(one, value) for value in choices_of(one["value"])}
                    for one in reference["entities"]
                ],
            )


def _entity(one: Mapping[str, Any], value: str) -> Entity:  # an entity as JSON
    start, end = one["span"]
    return one["type"], value, start, end


def _rated(key: str, things: Sequence[tuple[str, set[Entity], bool]]) -> Score:
    """Rate things: the unit of each, the thing, and whether it is right."""
    right = [float(is_right) for _unit, _thing, is_right in things]
    wrong = sorted(min(thing) for _unit, thing, is_right in things if not is_right)
    comment = "; ".join(f"{kind} {value} at {start}-{end}" for kind, value, start, end in wrong)
    interval = of_mean(right, [unit for unit, _thing, _is_right in things])
    value = sum(right) / len(right) if right else None
    return of_all(key, value, len(right), interval, comment=comment)

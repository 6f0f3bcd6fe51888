"""The situations that events are compared with: ours, and what a pack adds of its domain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from state.salience import SalienceVector
from tools.catalogue.attention_file import SituationKinds

OURS = Path(__file__).with_name("situations.yaml")


@dataclass(frozen=True)
class Example:
    """One situation in plain words."""

    text: str
    kind: str
    wanted: bool
    """A word from us would help."""


@dataclass(frozen=True)
class Examples:
    """Situations with their kinds, and what each kind that wants a word adds to an event."""

    rows: tuple[Example, ...]
    adds: Mapping[str, SalienceVector]


@cache
def our_kinds() -> SituationKinds:
    """Read the situations that come with the product."""
    return SituationKinds.model_validate(
        yaml.load(OURS.read_text(encoding="utf-8"), yaml.CSafeLoader)
    )


def examples_of(kinds: Sequence[SituationKinds]) -> Examples:
    """Put situations together; kinds of one name are one kind, with what the first of them adds."""
    rows: dict[str, Example] = {}
    adds: dict[str, SalienceVector] = {}
    for each in kinds:
        for name, kind in each.wanted.items():
            adds.setdefault(name, kind.adds)
            for text in kind.examples:
                rows.setdefault(text, Example(text, name, wanted=True))
        for name, quiet in each.unwanted.items():
            for text in quiet.examples:
                rows.setdefault(text, Example(text, name, wanted=False))
    return Examples(tuple(rows.values()), adds)

"""What the packs' lists say of the things in their world, before any store is asked."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from tools.catalogue.catalogue import Catalogue
from tools.catalogue.models import EntityType
from tools.routing.things.lookups import NamesOfType
from tools.routing.things.names import Kind, NamesOfKind
from tools.routing.things.nicknames import Nouns, nouns_of


@dataclass(frozen=True)
class Listed:
    """The kinds of things, what they are called, and the names that are listed."""

    types: Mapping[Kind, EntityType]
    patterns: Sequence[tuple[Kind, re.Pattern[str], re.Pattern[str]]]
    """How ids look: to be found in a text, and by themselves."""
    nouns: Mapping[Kind, Nouns]
    called: frozenset[tuple[str, ...]]
    """The phrases of all nouns."""
    names: Mapping[Kind, NamesOfKind]

    @classmethod
    def of(cls, catalogue: Catalogue) -> Self:
        """Collect what the packs of a catalogue list."""
        types = {
            Kind(pack.name, name): entity
            for pack in catalogue.packs
            for name, entity in pack.entities.items()
        }
        nouns = {kind: nouns_of(kind, entity.words) for kind, entity in types.items()}
        return cls(
            types=types,
            patterns=[
                (
                    kind,
                    re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE),
                    re.compile(pattern),
                )
                for kind, entity in types.items()
                for pattern in entity.patterns
            ],
            nouns=nouns,
            called=frozenset(name for one in nouns.values() for name in one.phrases),
            names={kind: names_of(kind, entity, None) for kind, entity in types.items()},
        )


def names_of(kind: Kind, entity: EntityType, looked_up: NamesOfType | None) -> NamesOfKind:
    """Collect the names of a kind: those listed, and those a store was asked for."""
    names = NamesOfKind(kind)
    for canonical, others in (*entity.names.items(), *(looked_up or {}).items()):
        names.add(canonical, others)
    if looked_up is not None:
        ids = (*entity.names, *looked_up)
        names.canonical = {canonical.casefold(): canonical for canonical in ids}
    return names

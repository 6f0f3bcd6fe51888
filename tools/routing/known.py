"""What the entries of a catalogue come to, before any text is read: made once by a process."""

from dataclasses import dataclass
from typing import Self

from tools.catalogue.catalogue import Catalogue
from tools.held import Held
from tools.routing.things.listed import Listed
from tools.routing.things.roles import ThingFinder
from tools.routing.words.verbs import VerbLexicon

MOST_HELD = 4
"""Catalogues that a process remembers: a service has one, tests open one after the other."""


@dataclass(frozen=True)
class Known:
    """Verbs and things of a catalogue; shared by all who read with the same words."""

    lexicon: VerbLexicon
    listed: Listed
    things: ThingFinder

    @classmethod
    def of(cls, catalogue: Catalogue) -> Self:
        """Read the entries."""
        actions = list(catalogue.actions.values())
        listed = Listed.of(catalogue)
        kinds = [(kind, entity.words) for kind, entity in listed.types.items()]
        return cls(VerbLexicon.of(actions), listed, ThingFinder(actions, kinds))


_HELD: Held[Known] = Held(MOST_HELD)


def known_of(content: str, catalogue: Catalogue) -> Known:
    """Read the entries, or take what was read of the same `content` (learning/content.py)."""
    return _HELD.get(content, lambda: Known.of(catalogue))

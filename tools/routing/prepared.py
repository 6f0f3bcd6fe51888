"""What every router of one content shares: made once by a process."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from state.action import Action
from tools.catalogue.catalogue import Catalogue
from tools.held import Held
from tools.routing.known import MOST_HELD
from tools.routing.learning.examples import Collected, collected_from, lessons_of
from tools.routing.learning.lexical import LexicalPass
from tools.routing.reading import Reader
from tools.routing.words.effects import Effects, effects_of
from tools.routing.words.wording import Wording


@dataclass(frozen=True)
class Prepared:
    """What follows from the actions of a catalogue and its wording."""

    effects: Effects
    lexical: LexicalPass
    collected: Collected

    @classmethod
    def of(cls, actions: Sequence[Action], wording: Wording) -> Self:
        """Prepare what routes to the actions."""
        return cls(effects_of(actions, wording), LexicalPass(actions), collected_from(actions))


_HELD: Held[Prepared] = Held(MOST_HELD)


def prepared_for(content: str, actions: Sequence[Action], wording: Wording) -> Prepared:
    """Prepare, or take what was prepared for the same `content` (learning/content.py)."""
    return _HELD.get(content, lambda: Prepared.of(actions, wording))


def texts_to_encode(catalogue: Catalogue) -> list[str]:
    """List what an encoder is asked for when this catalogue is learnt."""
    actions = list(catalogue.actions.values())
    texts = lessons_of(collected_from(actions), Reader(catalogue)).texts
    said = [text.said for text in texts] + [text.plain for text in texts]
    return list(dict.fromkeys(said))

"""What every router of one content shares: made once by a process."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from state.action import Action
from tools.held import Held
from tools.routing.known import MOST_HELD
from tools.routing.learning.examples import Collected, collected_from
from tools.routing.learning.lexical import LexicalPass
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
